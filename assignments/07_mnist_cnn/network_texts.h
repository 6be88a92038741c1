// SPDX-License-Identifier: MIT
// The small networks of the cases, by number: those of reference/network.py.
#pragma once

namespace convkit {

inline constexpr const char* kNetworks[] = {
    "input 1x4x5\nflatten\ndense 7\nrelu\ndense 4\nsoftmax\n",
    "input 2x9x8\nconv 3 3x2 pad 1\nrelu\nmaxpool 2x2\nconv 4 2x3\navgpool 2x1\nflatten\ndense 5\n"
    "softmax\n",
    "input 2x7x6\nconv 3 3x3\nbatchnorm\nrelu\nmaxpool 2x2\nflatten\ndense 6\ndense 4\nsoftmax\n",
    "input 1x4x4\nflatten\ndense 8\nrelu\ndropout 0.25\ndense 4\nsoftmax\n",
    "input 1x28x28\nconv 4 5x5\nrelu\nmaxpool 2x2\nconv 6 5x5\nmaxpool 2x2\nflatten\ndense 10\n"
    "softmax\n",
    "input 2x5x6\nconv 3 2x3 pad 1\nflatten\ndense 4\nsoftmax\n",
    "input 2x5x6\nconv 3 3x3\nmaxpool 2x2\nflatten\ndense 4\nsoftmax\n",
    "input 1x6x6\nconv 3 3x3\nbatchnorm\nflatten\nbatchnorm\ndense 4\nbatchnorm\nsoftmax\n",
    "input 1x6x5\nconv 3 3x3\nflatten\nbatchnorm\nrelu\ndense 6\nbatchnorm\nbatchnorm\ndense 4\n"
    "softmax\n",
    "input 2x6x5\nbatchnorm\nconv 3 3x2\nrelu\nbatchnorm\nmaxpool 2x2\nbatchnorm\nflatten\n"
    "dense 4\nsoftmax\n",
    "input 2x5x4\nmaxpool 2x2\nflatten\ndense 40\ndense 4\nsoftmax\n",
    "input 2x4x5\navgpool 2x2\nflatten\ndense 40\ndense 4\nsoftmax\n",
};

}  // namespace convkit

// SPDX-License-Identifier: MIT
// cuda::std: what libcu++ offers to both host and device code is here the host's standard library.
#pragma once

namespace std {}
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda

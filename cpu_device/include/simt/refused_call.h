// SPDX-License-Identifier: MIT
// CUDA and its libraries have one status for many reasons; the CPU device knows which one it was.
#pragma once

#pragma GCC visibility push(default)
extern "C" {

enum ConvkitSimtLibrary {
  CONVKIT_SIMT_RUNTIME,
  CONVKIT_SIMT_CUBLAS,
  CONVKIT_SIMT_CUDNN,
  CONVKIT_SIMT_CURAND,
};

// Why this thread's last refused call was refused, if it was one of the library and returned
// `status`; else "". "cudnnAddTensor: aDesc is 4 x 1 x 1 x 1; ..." Valid until the next question.
const char* convkit_simt_why_refused(enum ConvkitSimtLibrary library, int status);
// The same whatever the status, if the call was one of a library and not of the runtime.
const char* convkit_simt_why_library_refused();
void convkit_simt_forget_refusal();
// Calls that are refused while it is 0 are not remembered: those of whoever asks why.
void convkit_simt_remember_refusals(int wanted);
}
#pragma GCC visibility pop

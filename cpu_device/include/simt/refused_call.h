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
// The same whatever the call was; "" if none was refused.
const char* convkit_simt_why_any_refused();
void convkit_simt_forget_refusal();
// Calls that are refused while it is 0 are not remembered: those of whoever asks why.
void convkit_simt_remember_refusals(int wanted);

// For tests of what becomes of an error: calls that fail though nothing is wrong with them.
enum ConvkitSimtAttempt {
  CONVKIT_SIMT_ALLOCATION,  // of device memory, from the host: cudaErrorMemoryAllocation
  CONVKIT_SIMT_LAUNCH,      // of a kernel, from the host: cudaErrorLaunchOutOfResources
};
// Of the attempts from now on the `nth` fails, once; 0: none.
void convkit_simt_fail_attempt(enum ConvkitSimtAttempt attempt, unsigned nth);
// How many there were since then.
unsigned convkit_simt_attempts(enum ConvkitSimtAttempt attempt);
}
#pragma GCC visibility pop

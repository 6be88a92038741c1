// SPDX-License-Identifier: MIT
// A fault in a kernel. The first fault of a launch ends it, is reported on stderr, and sets CUDA's
// error code for later calls.
#pragma once

#include <string>

#include "simt/runtime_types.h"

namespace convkit::simt {

struct Fault {
  cudaError_t error = cudaSuccess;
  // One of the words of docs/cpu-device.md, such as "divergent_barrier".
  std::string kind;
  std::string sentence;  // what happened, ending with a full stop
  std::string advice;    // what to look at (may be empty)
};

// "file.cu:12", without the folders: reports name the student's file.
std::string site_text(const char* file, int line);

// Writes the report:   convkit: kind: sentence
//                        kernel ..., block ..., thread ...
//                        advice
void tell(const Fault& fault, const std::string& where);

}  // namespace convkit::simt

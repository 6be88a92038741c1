// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "process/process.h"
#include "runner/protocol.h"

namespace convkit {

// The outcome of one request.
struct Answer {
  enum class Kind {
    ok,
    missing_entry,  // text: the function's name
    exception,      // text: what()
    kit_fault,      // the runner failed before it loaded the submission; text: how
    case_error,     // beside student code, the runner could not do its part; text: what it says
    cuda_failure,   // text: what CUDA reported, to follow the function's name
    left_behind,    // it ran to its end; text: what it has not given back, likewise
    load_failed,
    ended,         // the process is gone: see `ending`
    timed_out,     // killed by the grader
    starved,       // the same, but for most of the time others had the processors
    output_limit,  // printed too much, killed
    memory_limit,  // used too much, killed
    tampered,      // sent something that is not a reply, or a reply without a request; killed
    interrupted,
  };
  Kind kind = Kind::ok;
  unsigned todo_reached = 0;
  std::string todo;     // where some were: the last, "conv2d_forward (task 01.1)"; or ""
  std::string text;     // made printable
  std::string reports;  // of a run: the kinds of check mode's reports, between spaces
  double seconds = 0;   // by the grader's clock, from before the process is continued to
                        // its reply, and what it computes from then until it stands still
  Ending ending;        // of Kind::ended and memory_limit
  protocol::FlightRecord record{};  // believed only for the words of a message
};

}  // namespace convkit

// SPDX-License-Identifier: MIT
// What a runner says, made safe: once it has loaded a submission, it may send and write anything.
#pragma once

#include <cstddef>
#include <cstdint>
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
  std::string call;     // how the function was called, where the harness says so; or ""
  std::string reports;  // of a run: the kinds of check mode's reports, between spaces
  // Of a signal: "code@1a2b" in the submission, and in check mode the line, "sum.cu:12"; or "".
  std::string crash_site, crash_line;
  double seconds = 0;  // by the grader's clock, from before the process is continued to
                       // its reply, and what it computes from then until it stands still
  Ending ending;       // of Kind::ended and memory_limit
  protocol::FlightRecord record{};  // believed only for the words of a message
};

// What a runner may answer depends on it. Until the submission is loaded it speaks for the kit.
enum class RunnerPhase { starting, loading, serving };

// Whether a message of `length` bytes, of which `reply` holds the first, answers request number
// `request`. Anything else was forged.
bool is_reply(const protocol::Reply& reply, size_t length, RunnerPhase phase, uint32_t request);

Answer::Kind kind_of(protocol::ReplyKind kind);

// Keeps the record and its text in `answer`. Text is bounded, and no control characters reach a
// terminal.
void keep_record(const protocol::FlightRecord& record, Answer& answer);

}  // namespace convkit

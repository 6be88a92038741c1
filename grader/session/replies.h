// SPDX-License-Identifier: MIT
// What a runner says, made safe: once it has loaded a submission, it may send and write anything.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runner/protocol.h"
#include "session/answer.h"

namespace convkit {

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

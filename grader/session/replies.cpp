// SPDX-License-Identifier: MIT
#include "session/replies.h"

#include <cstring>
#include <span>

namespace convkit {
namespace {

bool may_come(protocol::ReplyKind kind, RunnerPhase phase) {
  using protocol::ReplyKind;
  switch (kind) {
    case ReplyKind::loading:
      return phase == RunnerPhase::starting;
    case ReplyKind::ready:
    case ReplyKind::load_failed:
      return phase == RunnerPhase::loading;
    case ReplyKind::case_error:
      return phase != RunnerPhase::loading;
    case ReplyKind::ok:
    case ReplyKind::missing_entry:
    case ReplyKind::exception:
    case ReplyKind::cuda_failure:
    case ReplyKind::left_behind:
      return phase == RunnerPhase::serving;
  }
  return false;
}

std::string printable(std::span<const char> text) {
  std::string result(text.data(), strnlen(text.data(), text.size()));
  for (char& ch : result) {
    if (static_cast<unsigned char>(ch) < 0x20 || ch == 0x7f) ch = ' ';
  }
  return result;
}

}  // namespace

bool is_reply(const protocol::Reply& reply, size_t length, RunnerPhase phase, uint32_t request) {
  return length == sizeof reply && reply.magic == protocol::kReplyMagic &&
         reply.request == request && may_come(reply.kind, phase);
}

Answer::Kind kind_of(protocol::ReplyKind kind) {
  switch (kind) {
    case protocol::ReplyKind::missing_entry:
      return Answer::Kind::missing_entry;
    case protocol::ReplyKind::exception:
      return Answer::Kind::exception;
    case protocol::ReplyKind::case_error:
      return Answer::Kind::case_error;
    case protocol::ReplyKind::load_failed:
      return Answer::Kind::load_failed;
    case protocol::ReplyKind::cuda_failure:
      return Answer::Kind::cuda_failure;
    case protocol::ReplyKind::left_behind:
      return Answer::Kind::left_behind;
    default:
      return Answer::Kind::ok;
  }
}

// As harnesses write it. Anything else does not begin a message, whoever wrote it.
bool is_about_a_call(const std::string& text) {
  return text.find(" was called") != std::string::npos ||
         text.find(" was asked") != std::string::npos;
}

void keep_record(const protocol::FlightRecord& record, Answer& answer) {
  answer.record = record;
  answer.text = printable(record.text);
  answer.reports = printable(record.reports);
  answer.todo = printable(record.todo);
  answer.crash_site = printable(record.crash_site);
  answer.call = printable(record.call);
  if (!is_about_a_call(answer.call)) answer.call.clear();
  const std::string tensor = printable(record.tensor);
  std::strncpy(answer.record.tensor, tensor.c_str(), sizeof answer.record.tensor - 1);
  answer.record.tensor[sizeof answer.record.tensor - 1] = 0;
}

}  // namespace convkit

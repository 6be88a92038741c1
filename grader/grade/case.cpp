// SPDX-License-Identifier: MIT
#include "grade/case.h"

#include <fmt/format.h>

namespace convkit {

void label(CaseResult& result, const CaseHead& head) {
  result.name = head.name;
  result.group = head.group;
  result.task = head.task;
  result.op = head.op;
  result.hidden = head.hidden;
}

CaseResult pending_result(const CaseHead& head) {
  CaseResult pending;
  label(pending, head);
  pending.message = "Not run yet.";
  return pending;
}

void tell_not_started(const CaseHead& head, CaseResult& result) {
  result.status = Status::not_started;
  result.message = fmt::format("Task {} is not started: {} wrote nothing.", head.task, head.op);
}

}  // namespace convkit

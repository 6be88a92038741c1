// SPDX-License-Identifier: MIT
#include "grade/cases_in_hand.h"

#include <chrono>
#include <utility>

namespace convkit {

void CasesInHand::add(size_t index, CaseRecord record, std::future<CheckRun::Looked> looked) {
  in_hand_.push_back({index, std::move(record), std::move(looked)});
}

bool CasesInHand::first_is_ready() const {
  const std::future<CheckRun::Looked>& looked = in_hand_.front().looked;
  return !looked.valid() || looked.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

CaseRecord CasesInHand::take_first() {
  One one = std::move(in_hand_.front());
  in_hand_.pop_front();
  if (one.looked.valid()) {
    CheckRun::Looked looked = one.looked.get();
    if (!one.forged) one.record.result = std::move(looked.result);
    one.record.checked = std::move(looked.memory);
  }
  return std::move(one.record);
}

bool CasesInHand::replace(const CaseResult& forged) {
  for (One& one : in_hand_) {
    const CaseResult& ran = one.record.result;
    if (ran.name != forged.name || ran.hidden != forged.hidden) continue;
    one.record.result = forged;
    one.record.final = one.forged = true;
    return true;
  }
  return false;
}

}  // namespace convkit

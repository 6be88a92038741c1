// SPDX-License-Identifier: MIT
#include "grade/mend/found_repairs.h"

#include <fmt/format.h>

#include <algorithm>

#include "repair/cause_words.h"

namespace convkit {
namespace {

constexpr size_t kFewestCases = 3;  // by which one change is the cause

}  // namespace

Repair repair_by(const MutantProgram& program, int number) {
  const FileMutant& one = program.numbered(number);
  const rewrite::Source& source = program.source(one.file);
  size_t length = 0;
  for (const repair::Mutant::Edit& edit : one.mutant.edits) length += edit.text.size();
  return {one.mutant.cause,
          program.change_text(number),
          one.file,
          source.place(one.mutant.edits.front().begin).line,
          source.place(one.mutant.edits.back().end).line,
          length,
          one.mutant.on_device,
          one.mutant.decides};
}

bool is_at_one_place(const Repair& one, const Repair& other) {
  return one.file == other.file && one.first_line <= other.last_line &&
         other.first_line <= one.last_line;
}

bool computes(const Repair& one, const Stage& stage) {
  using repair::Cause;
  const bool says_itself = one.cause == Cause::bytes || one.cause == Cause::stream ||
                           one.cause == Cause::wait || one.cause == Cause::clearing;
  return one.on_device || says_itself || stage.device != "gpu";
}

bool is_settled(const FoundRepairs& found, const Stage& stage) {
  return std::ranges::any_of(found.repairs, [&](const Repair& r) { return computes(r, stage); });
}

std::string words_of(FoundRepairs found, const Stage& stage, const std::string& op, size_t cases) {
  const std::string all = cases == 1 ? fmt::format("the visible case of {} passes", op)
                                     : fmt::format("all {} visible cases of {} pass", cases, op);
  const bool settled = is_settled(found, stage);
  if (settled) {  // what may go round the mistake is not told beside it
    std::erase_if(found.repairs, [&](const Repair& r) { return !computes(r, stage); });
  }
  // Where only the host's choices and sizes are known to matter, one of them says as much as all.
  const auto choice = std::ranges::find_if(found.repairs, &Repair::decides);
  if (!settled && choice != found.repairs.end()) {
    return fmt::format(
        "Perhaps: With another choice {}it is other code that computes these cases, and {}. "
        "Either this choice is wrong, or the code that it takes now.",
        choice->text, all);
  }
  if (!settled) {
    return fmt::format(
        "Perhaps {}With this change of what the host decides {}. It may go round what is wrong in "
        "the code that computes.",
        found.repairs[0].text, all);
  }
  if (found.repairs.size() > 1) {
    std::string changes;
    for (const Repair& repair : found.repairs) {
      if (!changes.empty()) changes += "or ";
      changes += repair.text;
    }
    return fmt::format(
        "With any of these changes {}, {}Whether one of them is the cause, or all go round it, is "
        "yours to judge.",
        all, changes);
  }
  const Repair& one = found.repairs[0];
  if (one.is_one_of_several) {
    return fmt::format(
        "Probably the mistake is in this line: several changes of it mend {}, such as this one "
        "{}With it {}; which change is right is yours to judge.",
        op, one.text, all);
  }
  const bool certain = found.all_likely && cases >= kFewestCases;
  if (!certain) {
    return fmt::format(
        "Perhaps {}With this one change {}; whether it is the cause is yours to judge.", one.text,
        all);
  }
  return fmt::format("{}, {}With this one change {}.", repair::words_of(one.cause), one.text, all);
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "repair/conditions.h"

#include <vector>

#include "repair/axes.h"
#include "repair/words.h"

namespace convkit::repair {
namespace {

using rewrite::kNone;
using rewrite::Stream;

const Words kComparisons = {"<", "<=", ">", ">=", "==", "!="};
const Words kBounds = {"(", ")", "{", "}", ",", ";", "&&", "||", "?", ":", "=", "return", "!"};

// `||` for `&&`, and one side left out. Returns where they stand.
std::vector<size_t> change_joints(Draft& d, Part part) {
  const Stream& s = d.code.tokens();
  std::vector<size_t> joints;
  for (size_t k = part.begin; k < part.end; k = d.code.past(k)) {
    if (s.is(k, "&&") || s.is(k, "||")) joints.push_back(k);
  }
  if (joints.empty() || joints.front() == part.begin || joints.back() + 1 >= part.end) return {};
  for (const size_t at : joints) {
    const std::string other = s.is(at, "&&") ? " || " : " && ";
    d.list.replace(part, d.code.text({part.begin, at}) + other + d.code.text({at + 1, part.end}),
                   {Cause::joint, joints.size() == 1 ? kLikely : kPlain});
  }
  size_t begin = part.begin;
  for (size_t j = 0; j <= joints.size(); ++j) {
    const size_t at = j < joints.size() ? joints[j] : part.end;
    const bool is_or = j < joints.size() ? s.is(at, "||") : s.is(begin - 1, "||");
    if (at > begin)
      d.list.replace({begin, at}, is_or ? "false" : "true", {Cause::surplus_condition, kPlain});
    begin = at + 1;
  }
  return joints;
}

}  // namespace

std::set<std::string> comparisons_in(const Draft& draft, Part part) {
  const Stream& s = draft.code.tokens();
  std::set<std::string> found;
  for (size_t k = part.begin; k < part.end; ++k) {
    if (!kComparisons.contains(s[k].text)) continue;
    size_t begin = k, end = k + 1;
    while (begin > part.begin && !kBounds.contains(s[begin - 1].text)) {
      --begin;
    }
    // Back over the brackets of a call, whose first one is a bound.
    while (begin > part.begin && s.is(begin - 1, ")") && s.match(begin - 1) != kNone) {
      begin = s.match(begin - 1);
      while (begin > part.begin && !kBounds.contains(s[begin - 1].text)) --begin;
    }
    while (end < part.end && (s.is(end, "(") || !kBounds.contains(s[end].text))) {
      end = draft.code.past(end);
    }
    if (begin < k && end > k + 1 && end <= part.end) found.insert(draft.code.text({begin, end}));
  }
  return found;
}

std::set<std::string> remainders_in(const Draft& draft, Part part) {
  const Stream& s = draft.code.tokens();
  std::set<std::string> found;
  for (size_t k = part.begin + 1; k + 1 < part.end; ++k) {
    if (!s.is(k, "/") || !s.is_identifier(k - 1) || !s.is_identifier(k + 1)) continue;
    size_t begin = k - 1, end = k + 2;
    while (draft.code.is_dot(begin - 1) && s.is_identifier(begin - 2)) begin -= 2;
    while (draft.code.is_dot(end) && s.is_identifier(end + 1)) end += 2;
    if (s.is(end, "(")) continue;
    const std::string rest = draft.code.text({begin, k}) + " % " + draft.code.text({k + 1, end});
    found.insert(rest + " != 0");
    found.insert(rest + " == 0");
  }
  return found;
}

void change_condition(Draft& d, Part part, const std::set<std::string>& comparisons) {
  const std::vector<size_t> joints = change_joints(d, part);
  const std::string own = d.code.text(part);
  const std::set<std::string> inside = comparisons_in(d, part);
  const auto put_in = [&](const std::string& piece, unsigned rank) {
    if (own.find(piece) != own.npos || !d.is_visible(piece)) return;
    bool has_and = joints.empty(), has_or = joints.empty();
    for (const size_t at : joints) (d.code.tokens().is(at, "&&") ? has_and : has_or) = true;
    const bool is_mixed = has_and && has_or && !joints.empty();
    const std::string whole = is_mixed ? "(" + own + ")" : own;
    if (has_and) d.list.replace(part, whole + " && " + piece, {Cause::missing_condition, rank});
    if (has_or) d.list.replace(part, whole + " || " + piece, {Cause::missing_condition, rank});
  };
  for (const std::string& piece : inside) put_in(other_axis(piece), kLikely);
  for (const std::string& piece : comparisons) {
    if (inside.contains(piece)) continue;
    put_in(piece, kSeldom);
    put_in(other_axis(piece), kSeldom);
  }
}

void change_choices(Draft& d, Part part) {
  const Stream& s = d.code.tokens();
  for (size_t k = part.begin; k < part.end; ++k) {
    if (!s.is(k, "?")) continue;
    size_t colon = k + 1;
    while (colon < part.end && !s.is(colon, ":") && !s.is(colon, "?")) colon = d.code.past(colon);
    size_t end = colon;
    while (end < part.end && !s.is(end, ",") && !s.is(end, ";") && !s.is(end, ")") &&
           !s.is(end, "]") && !s.is(end, "}") && !s.is(end, "?")) {
      end = d.code.past(end);
    }
    if (!s.is(colon, ":") || end <= colon + 1 || s.is(end, "?")) continue;
    d.list.exchange({k + 1, colon}, {colon + 1, end}, {Cause::choice, kLikely});
    // What is chosen needs a name or is one value: brackets keep it together.
    d.list.replace_value({k + 1, colon}, d.code.text({colon + 1, end}), {Cause::choice, kSeldom});
    d.list.replace_value({colon + 1, end}, d.code.text({k + 1, colon}), {Cause::choice, kSeldom});
  }
}

}  // namespace convkit::repair

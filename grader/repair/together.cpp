// SPDX-License-Identifier: MIT
#include "repair/together.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "repair/axes.h"

namespace convkit::repair {
namespace {

class Joiner {
 public:
  Joiner(const rewrite::Source& source, std::vector<Mutant>& found)
      : source_(source), found_(found) {}

  void join(size_t first) {
    std::map<std::vector<std::string>, std::vector<size_t>> alike;
    const size_t last = found_.size();
    for (size_t i = first; i < last; ++i) {
      const Mutant& m = found_[i];
      if (!may_join(m)) continue;
      const Neutral own = without_axis(own_text(m)), other = without_axis(m.edits[0].text);
      if (own.axes.empty() != other.axes.empty() && m.rank == kPlain) continue;
      const std::string turns = own.axes == other.axes ? "" : "turns";
      alike[{own.text, other.text, turns}].push_back(i);
    }
    constexpr size_t kMost = 8;
    for (const auto& [change, numbers] : alike) {
      const std::vector<size_t> all = apart(numbers);
      if (all.size() > 1 && all.size() <= kMost) together(all);
      for (size_t k = 0; k + 1 < all.size() && all.size() > 2; ++k) {
        constexpr size_t kNear = 2;
        if (line_of(all[k + 1]) - line_of(all[k]) <= kNear) together({all[k], all[k + 1]});
      }
      // Two names exchanged wherever they stand.
      const auto back = alike.find({change[1], change[0], change[2]});
      if (back == alike.end() || change[0] >= change[1]) continue;
      std::vector<size_t> both = numbers;
      both.insert(both.end(), back->second.begin(), back->second.end());
      both = apart(std::move(both));
      if (both.size() <= kMost) together(both, kPlain);
    }
  }

 private:
  // Those that do not overlap, in the order of the text.
  std::vector<size_t> apart(std::vector<size_t> numbers) const {
    std::ranges::stable_sort(numbers, {}, [&](size_t i) { return found_[i].edits[0].begin; });
    std::vector<size_t> all;
    for (const size_t i : numbers) {
      const size_t begin = found_[i].edits[0].begin;
      if (all.empty() || found_[all.back()].edits[0].end <= begin) all.push_back(i);
    }
    return all;
  }

  // Expressions, and words of a statement such as `break`.
  static bool may_join(const Mutant& m) {
    if (m.rank > kRare || m.edits.size() > 1) return false;
    const bool is_expression = m.sites[0].form == Mutant::Form::expression;
    return is_expression || m.edits[0].text == "break" || m.edits[0].text == "continue";
  }

  size_t line_of(size_t mutant) const { return source_.place(found_[mutant].edits[0].begin).line; }

  std::string own_text(const Mutant& m) const {
    return source_.text().substr(m.edits[0].begin, m.edits[0].end - m.edits[0].begin);
  }

  void together(const std::vector<size_t>& mutants, unsigned most = kRare) {
    Mutant joined = found_[mutants[0]];
    for (size_t k = 1; k < mutants.size(); ++k) {
      const Mutant& m = found_[mutants[k]];
      joined.edits.insert(joined.edits.end(), m.edits.begin(), m.edits.end());
      joined.sites.insert(joined.sites.end(), m.sites.begin(), m.sites.end());
      joined.rank = std::max(joined.rank, m.rank);
    }
    joined.rank = std::clamp<unsigned>(joined.rank, kPlain, most);
    found_.push_back(std::move(joined));
  }

  const rewrite::Source& source_;
  std::vector<Mutant>& found_;
};

}  // namespace

void change_together(const rewrite::Source& source, std::vector<Mutant>& found, size_t first) {
  Joiner(source, found).join(first);
}

}  // namespace convkit::repair

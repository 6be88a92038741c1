// SPDX-License-Identifier: MIT
// A kernel whose barriers are surely reached by all threads of the block becomes one that can run
// them from barrier to barrier (a phase) as a loop:
//
//   __global__ void k(const float* x, float* y, int n) {
//     __shared__ float cell[256];
//     const int i = blockIdx.x * 256 + threadIdx.x;
//     float sum = 0;
//     for (int turn = 0; turn < n; ++turn) {
//       cell[threadIdx.x] = x[i];
//       __syncthreads();
//       sum += cell[255 - threadIdx.x];
//       __syncthreads();
//     }
//     y[i] = sum;
//   }
//
// becomes, every line on its line (macros without their common beginning CONVKIT_SIMT_),
//
//   __global__ void k(const float* x, float* y, int n) { PHASES
//     __shared__ float cell[256]; KEEP(convkit_sum_1, float) PHASE()
//     const int i = ::convkit::simt::plus_thread(blockIdx.x * 256 , threadIdx.x);
//     float sum = 0; END_PHASE(... convkit_sum_1.keep_value(convkit_thread, sum);)
//     for (int turn = 0; turn < n; ++turn) { PHASE(const int i = ...;)
//       cell[threadIdx.x] = x[i]; END_PHASE()
//       BARRIER(); PHASE(LocalOf<float> sum = convkit_sum_1[convkit_thread];)
//       sum += cell[255 - threadIdx.x]; END_PHASE(convkit_sum_1.put_value(convkit_thread, sum);)
//       BARRIER();
//     } PHASE(...)
//     y[i] = sum; END_PHASE()
//   END_PHASES }
//
// What is around barriers runs once for the block: it must be uniform, that is, computed from
// arguments, the block's indices, constants, memory at such places, and variables that are given
// such values only, outside of phases. A thread's variables that are used in a later phase are
// computed again there, if they never change and depend on nothing that does; else they are kept
// for each thread.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cpu_device/rewrite/kernel_body.h"
#include "cpu_device/rewrite/thread_loops.h"

namespace convkit::rewrite {
namespace {

struct Assignment {
  size_t item, target;  // a variable
  Part value;           // empty: `++`
};

struct Phase {
  size_t first = 0, last = 0;  // items
  size_t list = 0;
  Part extent;
  bool returns = false;
  std::set<std::string_view> names;
};

class Phases {
 public:
  explicit Phases(KernelBody& kernel) : s_(kernel.code), quiet_(kernel.quiet), k_(kernel) {
    find_assignments();
    find_uniform();
    place();
    if (ok_) form_phases();
    if (ok_) choose();
  }

  bool ok() const { return ok_; }
  void rewrite(Edits& edits) const;

 private:
  void fail() { ok_ = false; }

  // `a = x, ++b`: false if it is anything else.
  bool read_assignments(Part part, size_t item, std::vector<Assignment>& found) const {
    size_t begin = part.begin;
    for (size_t i = part.begin; i <= part.end; ++i) {
      if (i < part.end && (s_.is(i, "(") || s_.is(i, "[") || s_.is(i, "{"))) {
        i = s_.match(i);
        if (i == kNone) return false;
      }
      if (i < part.end && !s_.is(i, ",")) continue;
      const bool before = is_step(s_[begin]);
      const size_t name = before ? begin + 1 : begin;
      const size_t target = s_.is_identifier(name) ? k_.find(s_[name].text, name) : kNone;
      if (target == kNone) return false;
      if (before || is_step(s_[name + 1])) {
        if (name + (before ? 1 : 2) != i) return false;
        found.push_back({item, target, {}});
      } else if (is_assignment(s_[name + 1])) {
        found.push_back({item, target, {name + 2, i}});
      } else {
        return false;
      }
      begin = i + 1;
    }
    return true;
  }

  // Statements and parts of headers that give values to variables and do nothing else.
  void find_assignments() {
    std::set<size_t> outside;  // tokens of variables that are changed by them
    const auto take = [&](Part part, size_t item, bool must) {
      std::vector<Assignment> found;
      if (part.empty()) return;
      if (!read_assignments(part, item, found)) {
        if (must) fail();
        return;
      }
      assignments_.insert(assignments_.end(), found.begin(), found.end());
      for (size_t i = part.begin; i < part.end; ++i) outside.insert(i);
    };
    for (size_t i = 0; i < k_.items.size(); ++i) {
      const Item& item = k_.items[i];
      if (item.kind == Item::Kind::statement && !s_.is(item.extent.begin, ";")) {
        take({item.extent.begin, item.extent.end - 1}, i, false);
      }
      for (const Part& part : item.assigns) take(part, i, true);
    }
    for (Variable& variable : k_.variables) {
      variable.changes_in_phases =
          !std::ranges::all_of(variable.changes, [&](size_t at) { return outside.contains(at); });
    }
  }

  // ---- What is uniform: the most that can be.

  void find_uniform() {
    for (Variable& variable : k_.variables) {
      variable.uniform = !variable.changes_in_phases && !variable.array && !variable.reference;
      if (variable.constexpr_) variable.uniform = true;
    }
    bool changed = true;
    const auto drop = [&](Variable& variable) {
      changed = changed || variable.uniform;
      variable.uniform = false;
    };
    while (changed) {
      changed = false;
      for (Variable& variable : k_.variables) {
        if (variable.parameter || variable.constexpr_ || !variable.uniform) continue;
        Reads reads;
        const bool computed =
            k_.read_value(variable, reads) && !reads.thread &&
            std::ranges::all_of(reads.variables, [&](size_t v) { return k_.variables[v].uniform; });
        variable.reads_memory = reads.memory;
        if (!computed || (variable.value.empty() && variable.changes.empty())) drop(variable);
      }
      for (size_t i = 0; i < k_.items.size(); ++i) {
        std::vector<Assignment> of_item;
        std::ranges::copy_if(assignments_, std::back_inserter(of_item),
                             [&](const Assignment& each) { return each.item == i; });
        const bool once = std::ranges::all_of(of_item, [&](const Assignment& each) {
          return k_.variables[each.target].uniform && is_uniform(each.value);
        });
        for (const Assignment& each : of_item) {
          if (!once) drop(k_.variables[each.target]);
        }
        // A declaration stays in one piece.
        const std::vector<size_t>& declared = k_.items[i].variables;
        if (std::ranges::all_of(declared, [&](size_t v) { return k_.variables[v].uniform; }))
          continue;
        for (const size_t v : declared) {
          if (k_.variables[v].uniform && must_stand_outside(k_.variables[v])) drop(k_.variables[v]);
        }
      }
    }
  }

  bool is_uniform(Part part) const {
    Reads reads;
    if (!k_.read(s_, part, part.begin, reads) || reads.thread) return false;
    return std::ranges::all_of(reads.variables, [&](size_t v) { return k_.variables[v].uniform; });
  }

  // Others are computed before the phase that declares them, too.
  static bool must_stand_outside(const Variable& variable) {
    return variable.constexpr_ || !variable.changes.empty() || variable.reads_memory ||
           variable.value.empty();
  }

  // Decides which statements stand outside of phases. What is around barriers must be uniform.
  void place() {
    for (size_t i = 0; i < k_.items.size() && ok_; ++i) {
      Item& item = k_.items[i];
      if (item.kind == Item::Kind::control) {
        for (const Part& part : item.asks) {
          if (!is_uniform(part)) fail();
        }
        for (const size_t v : item.variables) {
          if (!k_.variables[v].uniform) fail();
        }
      } else if (item.kind == Item::Kind::declaration) {
        const auto uniform = [&](size_t v) { return k_.variables[v].uniform; };
        const auto outside = [&](size_t v) { return must_stand_outside(k_.variables[v]); };
        if (std::ranges::all_of(item.variables, uniform) &&
            std::ranges::any_of(item.variables, outside)) {
          item.kind = Item::Kind::outside;
        }
      }
    }
    for (const Assignment& each : assignments_) {
      Item& item = k_.items[each.item];
      if (k_.variables[each.target].uniform) {
        if (item.kind == Item::Kind::statement) item.kind = Item::Kind::outside;
      } else if (item.kind == Item::Kind::control) {
        fail();
      }
    }
    // A parameter of its own for each thread.
    for (const Variable& variable : k_.variables) {
      if (variable.parameter && !variable.uniform) fail();
    }
  }

  // ---- Phases.

  static bool in_phase(const Item& item) {
    return item.kind == Item::Kind::statement || item.kind == Item::Kind::declaration;
  }

  void form_phases() {
    bool open = false;
    for (size_t i = 0; i < k_.items.size(); ++i) {
      const Item& item = k_.items[i];
      if (!in_phase(item)) {
        open = false;
        continue;
      }
      if (!open || phases_.back().list != item.list ||
          phases_.back().extent.end != item.extent.begin) {
        phases_.push_back({i, i, item.list, item.extent, false, {}});
      }
      open = true;
      Phase& phase = phases_.back();
      phase.last = i;
      phase.extent.end = item.extent.end;
      phase.names.insert(item.names.begin(), item.names.end());
      for (const size_t v : item.variables) k_.variables[v].phase = phases_.size() - 1;
    }
    for (size_t p = 0; p < phases_.size(); ++p) {
      Phase& phase = phases_[p];
      for (size_t i = phase.extent.begin; i < phase.extent.end; ++i) {
        phase.returns = phase.returns || s_.is(i, "return");
      }
      if (phase.returns && (phase.list != 0 || phase.last + 1 != k_.items.size())) fail();
    }
  }

  // Which variables are computed again, kept, or computed for the block.
  void choose() {
    for (size_t v = 0; v < k_.variables.size() && ok_; ++v) {
      Variable& variable = k_.variables[v];
      if (variable.phase == kNone) continue;
      Reads reads;
      const bool computed = k_.read_value(variable, reads);
      variable.needs = reads.variables;
      variable.recomputed =
          computed && !variable.uniform && !reads.memory && !reads.mathematics && !variable.array &&
          !variable.reference && !variable.value.empty() && variable.changes.empty() &&
          std::ranges::all_of(reads.variables, [&](size_t need) { return is_stable(need); });
    }
    for (size_t v = 0; v < k_.variables.size() && ok_; ++v) {
      Variable& variable = k_.variables[v];
      // What follows may depend on whether a thread has returned.
      if (variable.phase == kNone || phases_[variable.phase].returns) continue;
      variable.used_elsewhere = is_used_elsewhere(variable) || (variable.uniform && is_needed(v));
      variable.kept = variable.used_elsewhere && !variable.uniform && !variable.recomputed;
    }
    for (const Variable& variable : k_.variables) {
      if (variable.kept && !can_be_kept(variable)) fail();
    }
  }

  bool is_stable(size_t v) const {
    const Variable& variable = k_.variables[v];
    return variable.changes.empty() && (variable.uniform || variable.recomputed);
  }

  // Also where it is needed to compute another again.
  bool is_used_elsewhere(const Variable& variable) const {
    for (size_t i = 0; i < k_.items.size(); ++i) {
      const Item& item = k_.items[i];
      const bool own = phases_[variable.phase].first <= i && i <= phases_[variable.phase].last;
      if (own || !k_.visible(variable, item.extent.begin)) continue;
      if (item.names.contains(variable.name)) return true;
    }
    // A type may need it.
    return variable.uniform && is_used_by_declarators(variable);
  }

  // To compute another before its phase, or again.
  bool is_needed(size_t v) const {
    return std::ranges::any_of(k_.variables, [&](const Variable& other) {
      return std::ranges::find(other.needs, v) != other.needs.end();
    });
  }

  bool is_used_by_declarators(const Variable& variable) const {
    for (const Variable& other : k_.variables) {
      for (const size_t k : k_.type_tokens(other)) {
        if (s_[k].text == variable.name) return true;
      }
    }
    return false;
  }

  // A parameter of the kernel's template is taken for a type that is.
  bool is_copied_bit_by_bit(std::string_view type) const {
    if (quiet_.is_copied_bit_by_bit(type)) return true;
    for (size_t i = k_.lists[0].extent.begin; i-- > 1 && !s_.is(i, ";") && !s_.is(i, "}");) {
      const bool is_parameter = s_.is(i - 1, "class") || s_.is(i - 1, "typename");
      if (is_parameter && s_[i].text == type) return true;
    }
    return false;
  }

  bool can_be_kept(const Variable& variable) const {
    if (variable.automatic || variable.reference) return false;
    const size_t first = phases_[variable.phase].first;
    const size_t before = k_.items[first].list == 0 ? first : top_of(first);
    for (const size_t k : k_.type_tokens(variable)) {
      if (!s_.is_identifier(k)) continue;
      const std::string_view word = s_[k].text;
      if (k_.inner_types.contains(word)) return false;
      const bool of_value = variable.specifiers.holds(k) && !variable.pointer;
      if (of_value && !is_copied_bit_by_bit(word)) return false;
      if (of_value && s_.is(k + 1, "::")) return false;
      const size_t used = k_.find(word, k);
      if (used == kNone) continue;
      const Variable& needed = k_.variables[used];
      if (!needed.uniform || !needed.changes.empty() || needed.list != 0) return false;
      const bool earlier = needed.token < k_.items[before].extent.begin;
      if (needed.parameter || (!earlier && needed.phase != variable.phase)) return false;
    }
    return true;
  }

  // The statement of the kernel's own list that an item is in: its control statement.
  size_t top_of(size_t item) const {
    size_t list = k_.items[item].list;
    while (k_.lists[list].around != 0) list = k_.lists[list].around;
    const size_t inside = k_.lists[list].extent.begin;
    for (size_t i = item + 1; i-- > 0;) {
      if (k_.items[i].list == 0 && k_.items[i].extent.begin <= inside) return i;
    }
    return 0;
  }

  // ---- The new text.

  std::string text_of(Part part) const {
    std::string text;
    for (size_t i = part.begin; i < part.end; ++i) {
      const ThreadSum sum = sum_at(i, part);
      if (sum.begin != kNone) {
        text +=
            sum.thread_first ? "::convkit::simt::thread_plus(" : "::convkit::simt::plus_thread(";
        text += text_of({sum.begin, sum.plus}) + ", " + text_of({sum.plus + 1, sum.end}) + ")";
        i = sum.end - 1;
        continue;
      }
      text += s_[i].text;
      if (s_[i].end != s_[i + 1].begin) text += " ";
    }
    return text;
  }

  // The sum that begins at `i`.
  ThreadSum sum_at(size_t i, Part part) const {
    for (size_t k = i; k < part.end && k < i + 10; ++k) {
      if (!s_.is(k, "threadIdx")) continue;
      const ThreadSum sum = thread_sum_around(s_, k, quiet_);
      if (sum.begin == i && sum.end <= part.end && part.begin < i) return sum;
    }
    return {};
  }

  std::string declaration(const Variable& variable) const {
    std::string text = text_of(variable.specifiers);
    if (!text.ends_with(" ")) text += " ";
    return text + text_of(variable.declarator) + text_of(variable.value) + "; ";
  }

  std::string type_of(const Variable& variable) const {
    std::string text;
    for (const size_t k : k_.type_tokens(variable)) text += std::string(s_[k].text) + " ";
    text.pop_back();
    return text;
  }

  std::string store(size_t v) const {
    return "convkit_" + std::string(k_.variables[v].name) + "_" + std::to_string(v);
  }

  // The variables of other phases that a phase needs, in the order of the text.
  std::set<size_t> needed_by(size_t p) const {
    std::set<size_t> needed;
    for (size_t v = 0; v < k_.variables.size(); ++v) {
      const Variable& variable = k_.variables[v];
      const bool used =
          phases_[p].names.contains(variable.name) && k_.visible(variable, phases_[p].extent.begin);
      if (used) need(v, p, needed);
    }
    return needed;
  }

  void need(size_t v, size_t p, std::set<size_t>& needed) const {
    const Variable& variable = k_.variables[v];
    if (variable.phase == kNone || variable.phase == p) return;
    if (variable.recomputed) {
      for (const size_t other : variable.needs) need(other, p, needed);
    }
    if (variable.recomputed || variable.kept) needed.insert(v);
  }

  std::string beginning(size_t p) const {
    std::string text;
    for (const size_t v : needed_by(p)) {
      const Variable& variable = k_.variables[v];
      text += "[[maybe_unused]] ";
      if (variable.recomputed) {
        text += declaration(variable);
      } else {
        text += "::convkit::simt::LocalOf<" + type_of(variable) + "> " +
                std::string(variable.name) + " = " + store(v) + "[convkit_thread]; ";
      }
    }
    return text;
  }

  std::string ending(size_t p) const {
    std::string text;
    for (size_t v = 0; v < k_.variables.size(); ++v) {
      const Variable& variable = k_.variables[v];
      const std::string name(variable.name);
      if (variable.phase == p) {
        if (variable.kept) text += store(v) + ".keep_value(convkit_thread, " + name + "); ";
        if (!variable.kept && variable.used_elsewhere) text += "static_cast<void>(" + name + "); ";
      } else if (variable.kept && std::ranges::any_of(variable.changes, [&](size_t at) {
                   return phases_[p].extent.holds(at);
                 })) {
        text += store(v) + ".put_value(convkit_thread, " + name + "); ";
      }
    }
    return text;
  }

  const Stream& s_;
  const QuietCode& quiet_;
  KernelBody& k_;
  bool ok_ = true;
  std::vector<Assignment> assignments_;
  std::vector<Phase> phases_;
};

void Phases::rewrite(Edits& edits) const {
  // What stands behind each token, in this order.
  std::map<size_t, std::array<std::string, 4>> behind;
  for (size_t p = 0; p < phases_.size(); ++p) {
    const Phase& phase = phases_[p];
    const std::string last = phase.returns ? "LAST_" : "";
    const size_t before = phase.extent.begin - 1;
    behind[phase.extent.end - 1][0] += " CONVKIT_SIMT_END_" + last + "PHASE(" + ending(p) + ")";
    behind[before][3] += " CONVKIT_SIMT_" + last + "PHASE(" + beginning(p) + ")";
  }
  for (size_t v = 0; v < k_.variables.size(); ++v) {
    const Variable& variable = k_.variables[v];
    if (variable.phase == kNone) continue;
    const Phase& phase = phases_[variable.phase];
    if (variable.uniform && variable.used_elsewhere) {
      behind[phase.extent.begin - 1][1] += " CONVKIT_SIMT_COPY(" + declaration(variable) + ")";
    }
    if (!variable.kept) continue;
    const size_t first =
        phase.list == 0 ? phase.extent.begin : k_.items[top_of(phase.first)].extent.begin;
    behind[first - 1][2] += " CONVKIT_SIMT_KEEP(" + store(v) + ", " + type_of(variable) + ")";
  }
  edits.insert(s_[k_.extent.begin - 1].end, " CONVKIT_SIMT_PHASES");
  for (const auto& [token, texts] : behind) {
    for (const std::string& text : texts) {
      if (!text.empty()) edits.insert(s_[token].end, text);
    }
  }
  for (const Item& item : k_.items) {
    if (item.kind == Item::Kind::barrier)
      edits.replace(s_[item.extent.begin], "CONVKIT_SIMT_BARRIER");
  }
  rewrite_sums(s_, k_.extent.begin, k_.extent.end, quiet_, edits);
  edits.insert(s_[k_.extent.end].begin, "CONVKIT_SIMT_END_PHASES ");
}

}  // namespace

void rewrite_phases(const Stream& s, size_t parameters, size_t body, const QuietCode& quiet,
                    Edits& edits) {
  std::optional<KernelBody> kernel = read_kernel_body(s, parameters, body, quiet);
  if (!kernel || !find_changes(*kernel)) return;
  const Phases phases(*kernel);
  if (phases.ok()) phases.rewrite(edits);
}

}  // namespace convkit::rewrite

// SPDX-License-Identifier: MIT
#include "cpu_device/profile/machine_code.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

namespace convkit::simt::profile {
namespace {

constexpr size_t kNone = ~size_t{0};

std::string_view first_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  return word;
}

// The hexadecimal number at the beginning; what follows it is left in `text`.
std::optional<uintptr_t> leading_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  uintptr_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

bool is_prefix(std::string_view word) {
  return word == "bnd" || word == "notrack" || word == "repz" || word == "rep" ||
         word.starts_with('{');
}

void find_flow(std::string_view mnemonic, std::string_view operands, MachineInstruction& result) {
  if (mnemonic.starts_with("ret") || mnemonic == "ud2" || mnemonic == "hlt") {
    result.flow = Flow::ends;
  } else if (mnemonic.starts_with('j')) {
    const auto target = leading_number(operands);
    result.target = target.value_or(0);
    const bool always = mnemonic.starts_with("jmp");
    result.flow = !target ? Flow::ends : always ? Flow::jumps : Flow::branches;
  }
}

}  // namespace

std::vector<MachineInstruction> read_disassembly(std::istream& text) {
  std::vector<MachineInstruction> result;
  bool is_entry = true;
  for (std::string whole; std::getline(text, whole);) {
    std::string_view line = whole;
    const auto address = leading_number(line);
    if (!address) continue;
    if (line.starts_with(" <")) {  // "0000000000001139 <main>:"
      is_entry = true;
      continue;
    }
    if (!line.starts_with(':')) continue;
    line.remove_prefix(1);
    std::string_view mnemonic = first_word(line);
    while (is_prefix(mnemonic)) mnemonic = first_word(line);
    MachineInstruction instruction;
    instruction.address = *address;
    instruction.is_entry = std::exchange(is_entry, false);
    instruction.work = work_of(mnemonic, line);
    instruction.is_marked =
        mnemonic.starts_with("call") && called_name(line) == "__sanitizer_cov_trace_pc";
    find_flow(mnemonic, line, instruction);
    result.push_back(instruction);
  }
  return result;
}

MachineCode::MachineCode(std::vector<MachineInstruction> instructions)
    : instructions_(std::move(instructions)) {
  std::sort(instructions_.begin(), instructions_.end(),
            [](const auto& a, const auto& b) { return a.address < b.address; });
  find_blocks();
  find_edges();
}

void MachineCode::find_blocks() {
  std::set<uintptr_t> targets;
  for (const MachineInstruction& one : instructions_) {
    if (one.flow == Flow::branches || one.flow == Flow::jumps) targets.insert(one.target);
  }
  for (size_t i = 0; i < instructions_.size(); ++i) {
    const MachineInstruction& one = instructions_[i];
    if (one.is_entry) ++functions_;
    const bool begins = i == 0 || one.is_entry || instructions_[i - 1].flow != Flow::goes_on ||
                        targets.contains(one.address);
    if (begins) {
      Block& block = blocks_.emplace_back();
      block.begin = i;
      block.function = functions_;
      block.all_in = !one.is_entry;
    }
    Block& block = blocks_.back();
    block.end = i + 1;
    if (one.is_marked && !block.mark && i + 1 < instructions_.size()) {
      block.mark = instructions_[i + 1].address;
    }
  }
}

size_t MachineCode::block_at(uintptr_t address) const {
  const auto found = std::lower_bound(
      blocks_.begin(), blocks_.end(), address,
      [&](const Block& block, uintptr_t at) { return instructions_[block.begin].address < at; });
  if (found == blocks_.end() || instructions_[found->begin].address != address) return kNone;
  return static_cast<size_t>(found - blocks_.begin());
}

void MachineCode::find_edges() {
  const auto connect = [this](size_t from, size_t to) {
    if (to >= blocks_.size()) {
      blocks_[from].all_out = false;
      return;
    }
    blocks_[from].out.push_back(edges_.size());
    blocks_[to].in.push_back(edges_.size());
    edges_.push_back({from, to});
  };
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const MachineInstruction& last = instructions_[blocks_[i].end - 1];
    if (last.flow == Flow::ends) blocks_[i].all_out = false;
    if (last.flow == Flow::goes_on || last.flow == Flow::branches) connect(i, i + 1);
    if (last.flow == Flow::jumps || last.flow == Flow::branches) connect(i, block_at(last.target));
  }
  // Nobody comes to what fills the space before a loop, if a jump stands before that.
  for (Block& block : blocks_) {
    if (!block.in.empty() || !block.all_in || block.mark) continue;
    for (const size_t edge : block.out) std::erase(blocks_[edges_[edge].to].in, edge);
    block.out.clear();
  }
  // Such a block is where an exception is caught.
  for (Block& block : blocks_) block.all_in = block.all_in && !block.in.empty();
}

namespace {

// Of a block and the edges on one of its sides: what is missing, if the rest tells. True: something
// has been found.
bool complete_side(std::optional<uint64_t>& block, const std::vector<size_t>& side,
                   std::vector<std::optional<uint64_t>>& edges) {
  uint64_t sum = 0;
  size_t missing = kNone;
  for (const size_t edge : side) {
    if (edges[edge]) {
      sum += *edges[edge];
    } else if (missing == kNone) {
      missing = edge;
    } else {
      return false;
    }
  }
  if (missing == kNone) {
    if (block) return false;
    block = sum;
    return true;
  }
  if (!block) return false;
  // A thread that was stopped within a block may have left it by no edge.
  edges[missing] = *block - std::min(sum, *block);
  return true;
}

}  // namespace

void MachineCode::complete(Known& blocks) const {
  Known edges(edges_.size());
  for (bool found = true; found;) {
    found = false;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].all_in) found |= complete_side(blocks[i], blocks_[i].in, edges);
      if (blocks_[i].all_out) found |= complete_side(blocks[i], blocks_[i].out, edges);
    }
  }
}

std::vector<MachineCode::Executed> MachineCode::executed(const BlockCounts& counts) const {
  Known known(blocks_.size());
  std::vector<bool> entered(functions_ + 1);
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (!blocks_[i].mark) continue;
    const auto found = counts.find(*blocks_[i].mark);
    known[i] = found == counts.end() ? 0 : found->second;
    if (*known[i] != 0) entered[blocks_[i].function] = true;
  }
  complete(known);
  std::vector<Executed> result;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (!entered[blocks_[i].function] || known[i] == std::optional<uint64_t>(0)) continue;
    for (size_t at = blocks_[i].begin; at < blocks_[i].end; ++at) {
      const MachineInstruction& one = instructions_[at];
      if (one.work) result.push_back({one.address, *one.work, known[i]});
    }
  }
  return result;
}

}  // namespace convkit::simt::profile

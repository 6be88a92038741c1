// SPDX-License-Identifier: MIT
// Inline PTX. The rewriter makes of `asm volatile("text" : "=r"(d) : "r"(a));`
//
//   do {
//     struct convkit_ptx_source {
//       static constexpr const char* convkit_ptx_text() { return "text"; } ...
//     };
//     convkit_ptx_run<convkit_ptx_source>("=r"_convkit_ptx(d), "r"_convkit_ptx(a));
//   } while (false);
//
// so that the preprocessor may put text and constraints together. The text is read while the
// compiler compiles (ptx/parser.h); what runs is what its instructions say and nothing else.
#pragma once

#include "simt/ptx/arithmetic.h"
#include "simt/ptx/bits_of_words.h"
#include "simt/ptx/conversions.h"
#include "simt/ptx/matrices.h"
#include "simt/ptx/memory.h"
#include "simt/ptx/operands.h"
#include "simt/ptx/warp.h"

namespace convkit::simt::ptx {

template <class S>
static __forceinline__ void run_in_memory(Bits* v) {
  constexpr auto elements = std::make_integer_sequence<int, S::kInstruction.vector_size()>();
  constexpr auto tiles = std::make_integer_sequence<int, tile_count(S::kInstruction)>();
  if constexpr (S::kOp == Op::ld) load<S>(v, elements);
  if constexpr (S::kOp == Op::st) store<S>(v, elements);
  if constexpr (S::kOp == Op::red) atomic<S, false>(v);
  if constexpr (S::kOp == Op::atom) atomic<S, true>(v);
  if constexpr (S::kOp == Op::cvta) convert_address<S>(v);
  if constexpr (S::kOp == Op::cp_async) asynchronous<S>(v);
  if constexpr (S::kOp == Op::ldmatrix) load_matrices<S>(v, tiles);
  if constexpr (S::kOp == Op::stmatrix) store_matrices<S>(v, tiles);
}

template <class S>
static __forceinline__ void run_in_warp(Bits* v) {
  if constexpr (S::kOp == Op::bar) wait_at_barrier<S>(v);
  if constexpr (S::kOp == Op::fence) fence<S>();
  if constexpr (S::kOp == Op::activemask) S::template set<0>(v, convkit_simt_active_mask());
  if constexpr (S::kOp == Op::shfl) shuffle<S>(v);
  if constexpr (S::kOp == Op::vote) take_vote<S>(v);
  if constexpr (S::kOp == Op::match) match<S>(v);
  if constexpr (S::kOp == Op::redux) reduce<S>(v);
  if constexpr (S::kOp == Op::mma) multiply_matrices<S>(v);
  if constexpr (S::kOp == Op::nanosleep) __nanosleep(S::template get<unsigned, 0>(v));
  if constexpr (S::kOp == Op::trap) convkit_simt_trap("trap", S::file(), S::line());
}

template <class S>
static __forceinline__ void run_on_bits(Bits* v) {
  constexpr Op op = S::kOp;
  if constexpr (op == Op::mov) move<S>(v);
  if constexpr (op == Op::bit_and || op == Op::bit_or || op == Op::bit_xor || op == Op::bit_not) {
    combine_bits<S>(v);
  }
  if constexpr (op == Op::shl || op == Op::shr) shift<S>(v);
  if constexpr (op == Op::lop3) look_up_bits<S>(v);
  if constexpr (op == Op::prmt) permute_bytes<S>(v);
  if constexpr (op == Op::bfe) extract_field<S>(v);
  if constexpr (op == Op::bfi) insert_field<S>(v);
  if constexpr (op == Op::bfind) find_bit<S>(v);
  if constexpr (op == Op::shf) shift_pair<S>(v);
  if constexpr (op == Op::popc || op == Op::clz || op == Op::brev) count_bits<S>(v);
  if constexpr (op == Op::selp) select<S>(v);
  if constexpr (op == Op::createpolicy) S::template set<0>(v, Bits{0});
}

template <class S>
static __forceinline__ void run_on_numbers(Bits* v) {
  constexpr Op op = S::kOp;
  if constexpr (op == Op::mul && !is_float(S::kType) && !is_half(S::kType)) {
    multiply_integers<S>(v);
  } else if constexpr (op == Op::add || op == Op::sub || op == Op::mul || op == Op::div ||
                       op == Op::rem || op == Op::min || op == Op::max || op == Op::copysign) {
    calculate<S>(v);
  }
  if constexpr (op == Op::mad || op == Op::fma) multiply_or_add<S>(v);
  if constexpr (op == Op::abs || op == Op::neg || op == Op::rcp || op == Op::sqrt ||
                op == Op::rsqrt || op == Op::ex2 || op == Op::lg2 || op == Op::sin ||
                op == Op::cos || op == Op::tanh) {
    calculate_one<S>(v);
  }
  if constexpr (op == Op::sad) sum_of_differences<S>(v);
  if constexpr (op == Op::dp4a) dot_of_bytes<S>(v);
  if constexpr (op == Op::cvt) convert<S>(v);
  if constexpr (op == Op::setp) set_predicate<S>(v);
}

// @p and @!p
template <class S>
static __forceinline__ bool is_wanted(const Bits* v) {
  constexpr const Value& guard = S::kInstruction.guard;
  if constexpr (guard.kind == Value::Kind::none) {
    return true;
  } else {
    return (v[S::place(guard)] != 0) != guard.negated;
  }
}

template <class S>
static __forceinline__ void run_step(Bits* v) {
  if (!is_wanted<S>(v)) return;
  run_in_memory<S>(v);
  run_in_warp<S>(v);
  run_on_bits<S>(v);
  run_on_numbers<S>(v);
}

template <class Text, int arguments, int... index>
static __forceinline__ void run_steps(Bits* v, std::integer_sequence<int, index...>) {
  (run_step<Step<Text, arguments, index>>(v), ...);
  (void)v;
}

}  // namespace convkit::simt::ptx

template <class Text, class... Operand>
static __forceinline__ void convkit_ptx_run(const Operand&... operand) {
  using namespace convkit::simt::ptx;
  constexpr int arguments = sizeof...(Operand);
  constexpr const auto& program = Compiled<Text>::kProgram;
  constexpr Problem problem = program_problem<arguments>(program);
  if constexpr (problem) {
    refuse<Text, arguments>(std::make_index_sequence<problem.subject.size()>());
  } else {
    Bits values[arguments + program.variables + 1] = {operand.bits()...};
    run_steps<Text, arguments>(values, std::make_integer_sequence<int, program.size>());
    [[maybe_unused]] int next = 0;
    (operand.take(values[next++]), ...);
  }
}

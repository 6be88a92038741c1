// SPDX-License-Identifier: MIT
// The PTX instructions that the CPU device has, with the parts of their names that it knows (PTX
// ISA, "Instruction Set"). What is not in these lists is refused by its name.
#pragma once

#include "simt/ptx/program.h"

namespace convkit::simt::ptx {

enum class Op : unsigned char {
  mov,
  ld,
  st,
  nothing,
  red,
  atom,
  fence,
  bar,
  activemask,
  shfl,
  vote,
  match,
  redux,
  cp_async,
  ldmatrix,
  stmatrix,
  mma,
  cvta,
  add,
  sub,
  mul,
  mad,
  fma,
  div,
  rem,
  abs,
  neg,
  min,
  max,
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  shl,
  shr,
  lop3,
  prmt,
  bfe,
  bfi,
  bfind,
  shf,
  popc,
  clz,
  brev,
  sad,
  dp4a,
  cvt,
  setp,
  selp,
  rcp,
  sqrt,
  rsqrt,
  ex2,
  lg2,
  sin,
  cos,
  tanh,
  copysign,
  createpolicy,
  nanosleep,
  trap
};

struct Opcode {
  std::string_view name;
  Op op;
  int fewest_operands, most_operands;
  int fewest_types, most_types;
  std::string_view types;      // that may be in the name
  std::string_view modifiers;  // other parts of the name; with a star: and what begins so
};

// clang-format off
inline constexpr std::string_view kIntegers = "u16 u32 u64 s16 s32 s64";
inline constexpr std::string_view kWords = "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64";
inline constexpr std::string_view kNumbers = "u16 u32 u64 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64";
inline constexpr std::string_view kBytes = "b8 u8 s8 b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64";
inline constexpr std::string_view kRounding = "rn rz rm rp ftz sat";

inline constexpr Opcode kOpcodes[] = {
    {"mov", Op::mov, 2, 2, 1, 1, "pred b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 f32 f64", ""},
    {"ld", Op::ld, 2, 3, 1, 1, kBytes,
     "weak relaxed acquire volatile cta cluster gpu sys global shared shared::cta ca cg cs lu cv nc "
     "v2 v4 L1::* L2::*"},
    {"ldu", Op::ld, 2, 2, 1, 1, kBytes, "global v2 v4"},
    {"st", Op::st, 2, 3, 1, 1, kBytes,
     "weak relaxed release volatile cta cluster gpu sys global shared shared::cta wb cg cs wt v2 v4 "
     "L1::* L2::*"},
    {"prefetch", Op::nothing, 1, 1, 0, 0, "", "global L1 L2 L1::* L2::*"},
    {"prefetchu", Op::nothing, 1, 1, 0, 0, "", "L1"},
    {"red", Op::red, 2, 3, 1, 1, "b32 b64 u32 u64 s32 s64 f32 f64 f16x2 bf16x2",
     "relaxed release cta cluster gpu sys global shared shared::cta add inc dec min max and or xor "
     "noftz L2::*"},
    {"atom", Op::atom, 3, 4, 1, 1, "b16 b32 b64 u32 u64 s32 s64 f32 f64 f16x2 bf16x2",
     "relaxed acquire release acq_rel cta cluster gpu sys global shared shared::cta add inc dec min "
     "max exch cas and or xor noftz L2::*"},
    {"membar", Op::fence, 0, 0, 0, 0, "", "cta gl sys"},
    {"fence", Op::fence, 0, 0, 0, 0, "", "sc acq_rel acquire release cta cluster gpu sys"},
    {"bar", Op::bar, 1, 4, 0, 1, "u32 pred", "sync arrive warp red popc and or cta"},
    {"barrier", Op::bar, 1, 4, 0, 1, "u32 pred", "sync arrive red popc and or cta aligned"},
    {"activemask", Op::activemask, 1, 1, 1, 1, "b32", ""},
    {"shfl", Op::shfl, 5, 5, 1, 1, "b32", "sync up down bfly idx"},
    {"vote", Op::vote, 3, 3, 1, 1, "pred b32", "sync all any uni ballot"},
    {"match", Op::match, 3, 3, 1, 1, "b32 b64", "sync any all"},
    {"redux", Op::redux, 3, 3, 1, 1, "b32 u32 s32", "sync add min max and or xor"},
    {"cp", Op::cp_async, 0, 5, 0, 0, "",
     "async ca cg shared shared::cta global commit_group wait_group wait_all L2::*"},
    {"ldmatrix", Op::ldmatrix, 2, 2, 1, 1, "b16", "sync aligned m8n8 x1 x2 x4 trans shared shared::cta"},
    {"stmatrix", Op::stmatrix, 2, 2, 1, 1, "b16", "sync aligned m8n8 x1 x2 x4 trans shared shared::cta"},
    {"mma", Op::mma, 4, 4, 4, 4, "f16 bf16 tf32 f32 f64 s8 u8 s32",
     "sync aligned row col m16n8k4 m16n8k8 m16n8k16 m16n8k32 m8n8k4 m8n8k16 satfinite"},
    {"cvta", Op::cvta, 2, 2, 1, 1, "u32 u64", "to global shared shared::cta"},
    {"add", Op::add, 3, 3, 1, 1, kNumbers, kRounding},
    {"sub", Op::sub, 3, 3, 1, 1, kNumbers, kRounding},
    {"mul", Op::mul, 3, 3, 1, 1, kNumbers, "rn rz rm rp ftz sat lo hi wide"},
    {"mul24", Op::mul, 3, 3, 1, 1, "u32 s32", "lo"},
    {"mad", Op::mad, 4, 4, 1, 1, "u16 u32 u64 s16 s32 s64 f32 f64", "rn rz rm rp ftz lo hi wide"},
    {"fma", Op::fma, 4, 4, 1, 1, "f16 f16x2 bf16 bf16x2 f32 f64", kRounding},
    {"div", Op::div, 3, 3, 1, 1, "u16 u32 u64 s16 s32 s64 f32 f64", "rn rz rm rp approx full ftz"},
    {"rem", Op::rem, 3, 3, 1, 1, kIntegers, ""},
    {"abs", Op::abs, 2, 2, 1, 1, "s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64", "ftz"},
    {"neg", Op::neg, 2, 2, 1, 1, "s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64", "ftz"},
    {"min", Op::min, 3, 3, 1, 1, kNumbers, "ftz NaN"},
    {"max", Op::max, 3, 3, 1, 1, kNumbers, "ftz NaN"},
    {"and", Op::bit_and, 3, 3, 1, 1, "pred b16 b32 b64", ""},
    {"or", Op::bit_or, 3, 3, 1, 1, "pred b16 b32 b64", ""},
    {"xor", Op::bit_xor, 3, 3, 1, 1, "pred b16 b32 b64", ""},
    {"not", Op::bit_not, 2, 2, 1, 1, "pred b16 b32 b64", ""},
    {"shl", Op::shl, 3, 3, 1, 1, "b16 b32 b64", ""},
    {"shr", Op::shr, 3, 3, 1, 1, "b16 b32 b64 u16 u32 u64 s16 s32 s64", ""},
    {"lop3", Op::lop3, 5, 5, 1, 1, "b32", ""},
    {"prmt", Op::prmt, 4, 4, 1, 1, "b32", ""},
    {"bfe", Op::bfe, 4, 4, 1, 1, "u32 u64 s32 s64", ""},
    {"bfi", Op::bfi, 5, 5, 1, 1, "b32 b64", ""},
    {"bfind", Op::bfind, 2, 2, 1, 1, "u32 u64 s32 s64", "shiftamt"},
    {"shf", Op::shf, 4, 4, 1, 1, "b32", "l r wrap clamp"},
    {"popc", Op::popc, 2, 2, 1, 1, "b32 b64", ""},
    {"clz", Op::clz, 2, 2, 1, 1, "b32 b64", ""},
    {"brev", Op::brev, 2, 2, 1, 1, "b32 b64", ""},
    {"sad", Op::sad, 4, 4, 1, 1, "u32 s32", ""},
    {"dp4a", Op::dp4a, 4, 4, 2, 2, "u32 s32", ""},
    {"cvt", Op::cvt, 2, 3, 2, 2,
     "u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 tf32 f32 f64",
     "rn rz rm rp rna rni rzi rmi rpi ftz sat"},
    {"setp", Op::setp, 3, 4, 1, 1, "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64",
     "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz"},
    {"selp", Op::selp, 4, 4, 1, 1, kWords, ""},
    {"rcp", Op::rcp, 2, 2, 1, 1, "f32 f64", "approx rn rz rm rp ftz"},
    {"sqrt", Op::sqrt, 2, 2, 1, 1, "f32 f64", "approx rn rz rm rp ftz"},
    {"rsqrt", Op::rsqrt, 2, 2, 1, 1, "f32 f64", "approx ftz"},
    {"ex2", Op::ex2, 2, 2, 1, 1, "f32 f16 f16x2", "approx ftz"},
    {"lg2", Op::lg2, 2, 2, 1, 1, "f32", "approx ftz"},
    {"sin", Op::sin, 2, 2, 1, 1, "f32", "approx ftz"},
    {"cos", Op::cos, 2, 2, 1, 1, "f32", "approx ftz"},
    {"tanh", Op::tanh, 2, 2, 1, 1, "f32 f16 f16x2", "approx"},
    {"copysign", Op::copysign, 3, 3, 1, 1, "f32 f64", ""},
    {"createpolicy", Op::createpolicy, 1, 2, 1, 1, "b64", "fractional L2::*"},
    {"nanosleep", Op::nanosleep, 1, 1, 1, 1, "u32", ""},
    {"griddepcontrol", Op::nothing, 0, 0, 0, 0, "", "wait launch_dependents"},
    {"trap", Op::trap, 0, 0, 0, 0, "", ""},
};

// %laneid and the like.
inline constexpr std::string_view kSpecialNames[] = {
    "tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y", "ntid.z", "ctaid.x", "ctaid.y", "ctaid.z",
    "nctaid.x", "nctaid.y", "nctaid.z", "laneid", "warpid", "nwarpid", "smid", "nsmid",
    "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge", "clock", "clock_hi",
    "clock64", "globaltimer", "globaltimer_lo", "globaltimer_hi", "dynamic_smem_size", "WARP_SZ"};
// clang-format on

constexpr bool holds_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const size_t end = words.find(' ');
    std::string_view each = words.substr(0, end);
    if (!each.empty() && each.back() == '*') {
      each.remove_suffix(1);
      if (word.substr(0, each.size()) == each) return true;
    } else if (each == word) {
      return true;
    }
    words = end == std::string_view::npos ? std::string_view() : words.substr(end + 1);
  }
  return false;
}

constexpr const Opcode* find_opcode(std::string_view name) {
  const std::string_view first = name.substr(0, name.find('.'));
  for (const Opcode& each : kOpcodes) {
    if (each.name == first) return &each;
  }
  return nullptr;
}

// The index in kSpecialNames, or -1.
constexpr int find_special(std::string_view name) {
  int index = 0;
  for (const std::string_view each : kSpecialNames) {
    if (each == name) return index;
    ++index;
  }
  return -1;
}

}  // namespace convkit::simt::ptx

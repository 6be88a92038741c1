// SPDX-License-Identifier: MIT
// The names that quiet code may call.
#include <algorithm>
#include <array>
#include <span>

#include "cpu_device/rewrite/quiet_code.h"

namespace convkit::rewrite {
namespace {

using Words = std::span<const std::string_view>;

bool contains(Words words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool begins_with_one_of(Words prefixes, std::string_view word) {
  return std::ranges::any_of(prefixes,
                             [&](std::string_view prefix) { return word.starts_with(prefix); });
}

// Of <cmath>, also with an `f` behind.
constexpr std::array kMathematics = std::to_array<std::string_view>(
    {"abs",     "acos",   "acosh",    "asin",      "asinh",  "atan",     "atan2",     "atanh",
     "cbrt",    "ceil",   "copysign", "cos",       "cosh",   "cospi",    "erf",       "erfc",
     "exp",     "exp10",  "exp2",     "expm1",     "fabs",   "fdim",     "fdivide",   "floor",
     "fma",     "fmax",   "fmin",     "fmod",      "hypot",  "isfinite", "isinf",     "isnan",
     "labs",    "ldexp",  "lgamma",   "llabs",     "log",    "log10",    "log1p",     "log2",
     "lrint",   "lround", "llrint",   "llround",   "max",    "min",      "nearbyint", "norm3d",
     "pow",     "powi",   "rcbrt",    "remainder", "rhypot", "rint",     "round",     "rsqrt",
     "signbit", "sin",    "sinh",     "sinpi",     "sqrt",   "tan",      "tanh",      "tgamma",
     "trunc",   "umax",   "umin",     "ullmax",    "ullmin", "llmax",    "llmin",     "swap"});

// Intrinsics begin with these.
constexpr std::array kIntrinsics = std::to_array<std::string_view>(
    {"__float",  "__double",    "__int",       "__uint",        "__ll2",    "__ull2", "__half",
     "__low",    "__high",      "__fadd",      "__fsub",        "__fmul",   "__fmaf", "__fdiv",
     "__frcp",   "__frsqrt",    "__fsqrt",     "__dadd",        "__dsub",   "__dmul", "__ddiv",
     "__drcp",   "__dsqrt",     "__fma_",      "__expf",        "__exp10f", "__logf", "__log2f",
     "__log10f", "__powf",      "__sinf",      "__cosf",        "__tanf",   "__popc", "__clz",
     "__ffs",    "__brev",      "__mul",       "__umul",        "__sad",    "__usad", "__hadd",
     "__rhadd",  "__uhadd",     "__urhadd",    "__hsub",        "__hmul",   "__hdiv", "__hfma",
     "__hneg",   "__saturatef", "__byte_perm", "__funnelshift", "__dp4a",   "__ldg",  "__ldcg",
     "__ldca",   "__ldcs",      "__ldlu",      "__ldcv",        "__stwb",   "__stcg", "__stcs",
     "__stwt"});

// Others may make a lock, for which threads wait.
constexpr std::array kAtomics = std::to_array<std::string_view>(
    {"atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor",
     "atomicInc", "atomicDec"});

constexpr std::array kVectorElements =
    std::to_array<std::string_view>({"char", "uchar", "short", "ushort", "int", "uint", "long",
                                     "ulong", "longlong", "ulonglong", "float", "double"});

constexpr std::array kTypes = std::to_array<std::string_view>(
    {"void",     "bool",      "char",     "short",   "int",      "long",      "float",
     "double",   "signed",    "unsigned", "const",   "size_t",   "ptrdiff_t", "int8_t",
     "int16_t",  "int32_t",   "int64_t",  "uint8_t", "uint16_t", "uint32_t",  "uint64_t",
     "intptr_t", "uintptr_t", "dim3",     "half",    "half2",    "__half",    "__half2",
     "wchar_t",  "uint",      "uchar",    "ushort"});

// Begins of the names of functions that wait.
constexpr std::array kWaiting = std::to_array<std::string_view>(
    {"__sync", "__shfl", "__any", "__all", "__ballot", "__match", "__reduce", "__activemask",
     "__nanosleep", "__pipeline", "this_thread_block", "this_grid", "this_cluster",
     "tiled_partition", "coalesced_threads", "cooperative_groups", "arrive", "memcpy_async"});

// "float4"
bool is_vector_type(std::string_view name) {
  return name.size() > 1 && name.back() >= '1' && name.back() <= '4' &&
         contains(kVectorElements, name.substr(0, name.size() - 1));
}

bool is_mathematics(std::string_view name) {
  if (contains(kMathematics, name)) return true;
  return name.ends_with('f') && contains(kMathematics, name.substr(0, name.size() - 1));
}

std::string_view without_scope(std::string_view name) {
  for (const std::string_view scope : {"_block", "_system"}) {
    if (name.ends_with(scope)) return name.substr(0, name.size() - scope.size());
  }
  return name;
}

}  // namespace

bool is_quiet_builtin(std::string_view name) {
  if (name.starts_with("make_")) return is_vector_type(name.substr(5));
  return is_mathematics(name) || begins_with_one_of(kIntrinsics, name) ||
         contains(kAtomics, without_scope(name));
}

bool is_computing_builtin(std::string_view name) {
  constexpr std::array kMemory = std::to_array<std::string_view>({"__ld", "__st"});
  const bool changes = name == "swap" || contains(kAtomics, without_scope(name));
  return is_quiet_builtin(name) && !changes && !begins_with_one_of(kMemory, name);
}

bool is_builtin_type(std::string_view name) {
  return contains(kTypes, name) || is_vector_type(name);
}

bool waits_or_asks(std::string_view name) {
  return name == "threadIdx" || name == "asm" || name == "__asm__" ||
         begins_with_one_of(kWaiting, name);
}

}  // namespace convkit::rewrite

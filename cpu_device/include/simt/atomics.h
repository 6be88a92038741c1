// SPDX-License-Identifier: MIT
// CUDA's atomic functions, for exactly the types CUDA has them for. The three scopes (the device, a
// block, the whole system) are one on a CPU; check mode is told which it was.
#pragma once

#include "simt/atomic_operations.h"
#include "simt/vector_types.h"

#define CONVKIT_SIMT_ATOMIC_SCOPE(name, operation, Type, scope) \
  static inline Type name(Type* address, Type value) {          \
    return convkit::simt::operation(address, value, scope);     \
  }
#define CONVKIT_SIMT_ATOMIC(name, operation, Type)                                        \
  CONVKIT_SIMT_ATOMIC_SCOPE(name, operation, Type, 0)                                     \
  CONVKIT_SIMT_ATOMIC_SCOPE(name##_block, operation, Type, convkit::simt::kAtomicOfBlock) \
  CONVKIT_SIMT_ATOMIC_SCOPE(name##_system, operation, Type, 0)
// The integers of most operations.
#define CONVKIT_SIMT_ATOMIC_INTEGERS(name, operation) \
  CONVKIT_SIMT_ATOMIC(name, operation, int)           \
  CONVKIT_SIMT_ATOMIC(name, operation, unsigned int)  \
  CONVKIT_SIMT_ATOMIC(name, operation, long long)     \
  CONVKIT_SIMT_ATOMIC(name, operation, unsigned long long)

CONVKIT_SIMT_ATOMIC(atomicAdd, fetch_add, int)
CONVKIT_SIMT_ATOMIC(atomicAdd, fetch_add, unsigned int)
CONVKIT_SIMT_ATOMIC(atomicAdd, fetch_add, unsigned long long)
CONVKIT_SIMT_ATOMIC(atomicAdd, fetch_add, float)
CONVKIT_SIMT_ATOMIC(atomicAdd, fetch_add, double)
CONVKIT_SIMT_ATOMIC(atomicSub, fetch_sub, int)
CONVKIT_SIMT_ATOMIC(atomicSub, fetch_sub, unsigned int)
CONVKIT_SIMT_ATOMIC(atomicExch, exchange, int)
CONVKIT_SIMT_ATOMIC(atomicExch, exchange, unsigned int)
CONVKIT_SIMT_ATOMIC(atomicExch, exchange, unsigned long long)
CONVKIT_SIMT_ATOMIC(atomicExch, exchange, float)
CONVKIT_SIMT_ATOMIC(atomicInc, fetch_increment, unsigned int)
CONVKIT_SIMT_ATOMIC(atomicDec, fetch_decrement, unsigned int)
CONVKIT_SIMT_ATOMIC_INTEGERS(atomicMin, fetch_min)
CONVKIT_SIMT_ATOMIC_INTEGERS(atomicMax, fetch_max)
CONVKIT_SIMT_ATOMIC_INTEGERS(atomicAnd, fetch_and)
CONVKIT_SIMT_ATOMIC_INTEGERS(atomicOr, fetch_or)
CONVKIT_SIMT_ATOMIC_INTEGERS(atomicXor, fetch_xor)

#define CONVKIT_SIMT_CAS_SCOPE(name, Type, scope)                              \
  static inline Type name(Type* address, Type expected, Type desired) {        \
    return convkit::simt::compare_and_swap(address, expected, desired, scope); \
  }
#define CONVKIT_SIMT_CAS(Type)                                                 \
  CONVKIT_SIMT_CAS_SCOPE(atomicCAS, Type, 0)                                   \
  CONVKIT_SIMT_CAS_SCOPE(atomicCAS_block, Type, convkit::simt::kAtomicOfBlock) \
  CONVKIT_SIMT_CAS_SCOPE(atomicCAS_system, Type, 0)

CONVKIT_SIMT_CAS(int)
CONVKIT_SIMT_CAS(unsigned int)
CONVKIT_SIMT_CAS(unsigned long long)
CONVKIT_SIMT_CAS(unsigned short)

// Vectors are added element by element; only each element is atomic.
#define CONVKIT_SIMT_ATOMIC_VECTORS(name)                                  \
  static inline float2 name(float2* address, float2 value) {               \
    return float2{name(&address->x, value.x), name(&address->y, value.y)}; \
  }                                                                        \
  static inline float4 name(float4* address, float4 value) {               \
    return float4{name(&address->x, value.x), name(&address->y, value.y),  \
                  name(&address->z, value.z), name(&address->w, value.w)}; \
  }

CONVKIT_SIMT_ATOMIC_VECTORS(atomicAdd)
CONVKIT_SIMT_ATOMIC_VECTORS(atomicAdd_block)
CONVKIT_SIMT_ATOMIC_VECTORS(atomicAdd_system)

// Functions that students try but CUDA does not have either.
#define CONVKIT_SIMT_NO_ATOMIC(name, Type, advice)                           \
  CONVKIT_SIMT_UNAVAILABLE("CUDA has no " #name "() for " #Type "; " advice) \
  Type name(Type* address, Type value);

CONVKIT_SIMT_NO_ATOMIC(atomicMin, float, "write a loop around atomicCAS() on the value's bits")
CONVKIT_SIMT_NO_ATOMIC(atomicMin, double, "write a loop around atomicCAS() on the value's bits")
CONVKIT_SIMT_NO_ATOMIC(atomicMax, float, "write a loop around atomicCAS() on the value's bits")
CONVKIT_SIMT_NO_ATOMIC(atomicMax, double, "write a loop around atomicCAS() on the value's bits")
CONVKIT_SIMT_NO_ATOMIC(atomicSub, float, "add the negative value with atomicAdd()")
CONVKIT_SIMT_NO_ATOMIC(atomicSub, double, "add the negative value with atomicAdd()")
CONVKIT_SIMT_NO_ATOMIC(atomicSub, unsigned long long, "add the negative value with atomicAdd()")
CONVKIT_SIMT_NO_ATOMIC(atomicAdd, long, "use unsigned long long, which wraps around alike")
CONVKIT_SIMT_NO_ATOMIC(atomicAdd, long long, "use unsigned long long, which wraps around alike")
CONVKIT_SIMT_NO_ATOMIC(atomicAdd, unsigned long, "use unsigned long long")
CONVKIT_SIMT_NO_ATOMIC(atomicExch, double, "exchange its bits as unsigned long long")

#undef CONVKIT_SIMT_NO_ATOMIC
#undef CONVKIT_SIMT_ATOMIC_VECTORS
#undef CONVKIT_SIMT_CAS
#undef CONVKIT_SIMT_CAS_SCOPE
#undef CONVKIT_SIMT_ATOMIC_INTEGERS
#undef CONVKIT_SIMT_ATOMIC
#undef CONVKIT_SIMT_ATOMIC_SCOPE

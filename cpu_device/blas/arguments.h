// SPDX-License-Identifier: MIT
// Matrices and vectors among the arguments of a call, as the engine wants to know them.
#pragma once

#include <complex>
#include <cstdlib>

#include "cpu_device/blas/handle.h"
#include "cpu_device/blas/refusal.h"
#include "cpu_device/engine/library_call.h"
#include "simt/cublas_vector.h"

namespace convkit::simt::blas {

using Complex = std::complex<float>;
using DoubleComplex = std::complex<double>;

inline Complex* complex(cuComplex* numbers) {
  return reinterpret_cast<Complex*>(numbers);
}
inline const Complex* complex(const cuComplex* numbers) {
  return reinterpret_cast<const Complex*>(numbers);
}
inline DoubleComplex* complex(cuDoubleComplex* numbers) {
  return reinterpret_cast<DoubleComplex*>(numbers);
}
inline const DoubleComplex* complex(const cuDoubleComplex* numbers) {
  return reinterpret_cast<const DoubleComplex*>(numbers);
}

enum class Use { read, write, update };

inline void set_use(Operand& operand, Use use) {
  operand.reads = use != Use::write;
  operand.writes = use != Use::read;
}

template <class T>
Operand matrix(const char* argument, const T* begin, int64_t rows, int64_t columns, int64_t ld,
               Use use) {
  Operand operand;
  operand.argument = argument;
  operand.begin = begin;
  operand.element_bytes = sizeof(T);
  operand.rows = rows;
  operand.columns = columns;
  operand.ld = ld;
  set_use(operand, use);
  return operand;
}

template <class T>
Operand vector(const char* argument, const T* begin, int64_t n, int64_t inc, Use use) {
  const bool together = inc == 1 || inc == -1 || inc == 0;
  const int64_t elements = inc == 0 && n > 0 ? 1 : n;
  return together ? matrix(argument, begin, elements, 1, elements, use)
                  : matrix(argument, begin, 1, elements, std::abs(inc), use);
}

// Element 0 of a vector: with a negative distance it is the last in memory.
template <class T>
T* first_element(T* begin, int64_t n, int64_t inc) {
  return inc < 0 ? begin + (n - 1) * -inc : begin;
}

inline bool is_operation(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}

constexpr const char* kOperations = "it must be CUBLAS_OP_N, CUBLAS_OP_T or CUBLAS_OP_C";
constexpr const char* kNotNegative = "it must not be negative";

// What enqueue() has returned, as the status of the call.
inline cublasStatus_t status_of(const LibraryCall& call, cudaError_t error) {
  Refusal refusal(call.name);
  if (error != cudaSuccess) refusal.with(CUBLAS_STATUS_EXECUTION_FAILED, why_not_queued(error));
  return refusal.status();
}

// A vector in memory: element i of n, in the order that BLAS gives it.
template <class T>
struct Strided {
  T* first;
  int64_t inc;

  Strided(T* begin, int64_t n, int64_t distance)
      : first(first_element(begin, n, distance)), inc(distance) {}
  T& operator[](int64_t i) const { return first[i * inc]; }
};

}  // namespace convkit::simt::blas

// SPDX-License-Identifier: MIT
// CUDA's header of this name: complex numbers are the standard library's.
#pragma once

#include <complex>

#include "cuda_runtime.h"

namespace thrust {

using ::std::abs;
using ::std::acos;
using ::std::acosh;
using ::std::arg;
using ::std::asin;
using ::std::asinh;
using ::std::atan;
using ::std::atanh;
using ::std::complex;
using ::std::conj;
using ::std::cos;
using ::std::cosh;
using ::std::exp;
using ::std::log;
using ::std::log10;
using ::std::norm;
using ::std::polar;
using ::std::pow;
using ::std::proj;
using ::std::sin;
using ::std::sinh;
using ::std::sqrt;
using ::std::tan;
using ::std::tanh;

}  // namespace thrust

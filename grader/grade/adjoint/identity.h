// SPDX-License-Identifier: MIT
// The adjoint identity <forward(x, w), dy> = <x, xgrad(w, dy)> = <w, wgrad(x, dy)>, tested on
// outputs that have rounding errors.
//
// T = sum x w dy over all triples that the operation multiplies; S = sum |x||w||dy| over the same.
// Every side computes T. Higham's bound says of each element of an output how far it may lie from
// the exact one, gamma(n) times the sum of the magnitudes of its n products (compare.h). Paired
// with the tensor that the operation does not see, these sums of magnitudes add up to the same S on
// every side:
//
//   |<y', dy> - T|  <=  gamma(n_forward) sum |dy| Y,             sum |dy| Y = S
//   |<x, dx'> - T|  <=  factor gamma(n_xgrad) sum |x| DX,        sum |x| DX = S
//
//   so  |<y', dy> - <x, dx'>|  <=  (gamma(n_forward) + factor gamma(n_xgrad)) S.
//
// S itself is what the forward operation yields on the inputs' magnitudes, paired with |dy|. That
// is a float32 sum of positive products, at most a factor 1 - gamma(n_forward) too small. The inner
// products are sums of products of two float32 in double: the products are exact, and N additions
// add N 2^-53 S. Magnitudes are 1/2 or more, so nothing underflows. The bound is proven: a correct
// operation never fails, whatever its order of summation.
//
// Worst cases add up with the number of elements, while errors of a wrong output have random signs
// and partly cancel. So the identity is tested on parts: x = sum x_k, each x_k the values of x on a
// few random elements and zero elsewhere. The submission's output is the same for all of them, as
// it does not depend on x. There are as many parts as it takes for one product with the wrong sign,
// in one element, to exceed the bound (parts_wanted), between
// kFewestParts and kMostParts.
#pragma once

#include <cstddef>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "grade/adjoint/draw.h"
#include "report/result.h"

namespace convkit {

inline constexpr size_t kFewestParts = 4, kMostParts = 48;

// The forward operation, by the baseline: its output for `values` in place of the draw's tensor
// `replaced`; `magnitudes`: for the absolute values of all inputs.
using ForwardCall = std::function<std::vector<float>(
    const std::string& replaced, std::span<const float> values, bool magnitudes)>;

// One part: the two sides, and how far apart they may lie.
struct AdjointPart {
  double forward = 0, own = 0, allowed = 0;
  bool agrees() const;   // false for NaN
  double ratio() const;  // of the difference to what is allowed
};

struct AdjointFinding {
  std::vector<AdjointPart> parts;
  size_t wrong = 0;  // of the parts
  size_t worst = 0;  // which one
  // Zeros would have passed on the data drawn: it shows nothing.
  bool powerless = false;
  // An element of the worst part that is off by itself, with its exact value (up to the forward
  // operation's rounding); -1: none is beyond its own bound.
  int64_t element = -1;
  double expected = 0, got = 0;
};

struct AdjointBound {
  double forward_terms = 1, own_terms = 1;
  double own_roundoff = 0x1p-24;  // the baseline's is float32's
  double factor = 1;
  double relative() const;  // what S is multiplied with
};

// How many parts a tensor of `elements` is split into.
size_t parts_wanted(size_t elements, const AdjointBound& bound);

// Whether `got`, the output of a submission's operation, is the adjoint's. `pair`: the tensor that
// it is paired with. `dual`: that of the forward operation's output.
AdjointFinding test_adjoint(const AdjointDraw& draw, const std::string& pair,
                            const std::string& dual, std::span<const float> got,
                            const AdjointBound& bound, std::mt19937_64 random,
                            const ForwardCall& forward);

struct AdjointScene {
  const AdjointTable& table;
  const AdjointCheck& check;
  const AdjointDraw& draw;
  const std::string& seed;
  unsigned trial;
};

// An output with elements that were never written, or are NaN or infinite.
void describe_not_finite(const AdjointScene& scene, size_t elements, size_t unwritten, size_t other,
                         CaseResult& result);

// An output that does not pass the identity.
void describe_finding(const AdjointScene& scene, const AdjointFinding& finding, CaseResult& result);

}  // namespace convkit

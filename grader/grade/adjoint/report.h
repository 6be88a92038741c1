// SPDX-License-Identifier: MIT
// The words of an adjoint check that failed.
#pragma once

#include <string>

#include "grade/adjoint/identity.h"
#include "report/result.h"

namespace convkit {

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

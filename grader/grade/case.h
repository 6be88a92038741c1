// SPDX-License-Identifier: MIT
// A case of a stage. It is judged by stored references, by the grader's own model of a sum of
// products, by an identity that must hold, or by what a training has learned.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "compare/diagnose.h"
#include "report/result.h"
#include "session/shared_tensors.h"
#include "stage/cases.h"

namespace convkit {

// One call of the submission: what it is given, and what is right.
class Trial {
 public:
  virtual ~Trial() = default;

  virtual const Params& params() const = 0;
  virtual std::vector<TensorSpec> inputs() const = 0;
  virtual std::vector<TensorSpec> outputs() const = 0;
  virtual std::span<const std::byte> input(size_t index) const = 0;
  // Judges one output. False, and the words of the failure in `result`, where it is wrong.
  // `todo_reached`: the submission ran into a CONVKIT_TODO. Throws KitError for a fault of the kit.
  virtual bool judge(size_t output, std::span<const std::byte> got, bool todo_reached,
                     CaseResult& result) = 0;
  // The outputs as evidence in which `got` and `comparison` are empty, for what a mistake would
  // have shown in them; none where the grader has no reference. The trial must outlive them.
  virtual std::vector<Evidence> references() const { return {}; }
};

// In the order of a result: trainings, which take long, come last.
enum class CaseKind { stored, drawn, adjoint, training };

class Case {
 public:
  virtual ~Case() = default;

  virtual const CaseHead& head() const = 0;
  virtual CaseKind kind() const = 0;
  // The number of calls of the submission, each with other inputs. All of them must pass.
  virtual unsigned trials() const { return 1; }
  // They are asked for in order. Throws KitError where one cannot be had.
  virtual std::unique_ptr<Trial> trial(unsigned index) = 0;
  // Its sizes, where they are known before a trial is made.
  virtual const Params* own_params() const { return nullptr; }
  // The limit of one call, if it differs from the stage's. Such a case runs in a separate process,
  // and never in check mode, which would take minutes.
  virtual std::optional<std::chrono::seconds> own_limit() const { return std::nullopt; }
};

template <class T>
std::span<const T> as(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

// Says which case a result is of.
void label(CaseResult& result, const CaseHead& head);
// The result of a case that has not run.
CaseResult pending_result(const CaseHead& head);
// For a function that ran into a CONVKIT_TODO and wrote nothing.
void tell_not_started(const CaseHead& head, CaseResult& result);

}  // namespace convkit

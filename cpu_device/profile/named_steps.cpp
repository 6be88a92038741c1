// SPDX-License-Identifier: MIT
#include <bit>

#include "cpu_device/check/loaded_objects.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/shared_memory.h"
#include "cpu_device/profile/trace.h"

namespace convkit::simt::profile {
namespace {

// An array in memory: an allocation, or a variable of the program.
struct Array {
  std::string name;
  uintptr_t begin = 0;
  size_t bytes = 0;
  std::vector<int64_t> dims{};  // of a tensor with elements of `element_bytes`; else empty
  size_t element_bytes = 0;
};

// Of the variables of one object, which lie from `base` on.
Array variable_at(const std::vector<check::Variable>& variables, uintptr_t base, uintptr_t at) {
  const check::Variable* found = check::nearest_variable(variables, at - base);
  if (found == nullptr) return {};
  return {found->name(), base + found->begin, found->bytes};
}

Array array_at(uintptr_t at) {
  if (const auto allocation = allocation_at(reinterpret_cast<const void*>(at), 0)) {
    const NamedPart part = named_part(*allocation);
    std::string name = part.name;
    std::erase(name, '`');
    return {name, reinterpret_cast<uintptr_t>(part.begin), part.bytes, part.dims,
            part.element_bytes};
  }
  const auto dynamic = reinterpret_cast<uintptr_t>(dynamic_shared_memory());
  if (at - dynamic < kSharedBytesOptIn)
    return {"dynamic shared memory", dynamic, kSharedBytesOptIn};
  for (const SharedRange& range : static_shared_memory()) {
    const auto begin = reinterpret_cast<uintptr_t>(range.begin);
    if (at - begin >= range.bytes) continue;
    return variable_at(check::variables_of(check::loaded_object_at(begin)).thread_local_, begin,
                       at);
  }
  const check::LoadedObject object = check::loaded_object_at(at);
  return variable_at(check::variables_of(object).data, object.base, at);
}

unsigned cost_of(const Request& request, Kind kind) {
  if (is_atomic(kind)) return atomic_cost(request).passes;
  if (kind == Kind::constant_load) return words_loaded(request);
  return is_shared(kind) ? shared_cost(request).wavefronts : global_cost(request).sectors;
}

TracedStep named(const Trace::Step& step) {
  TracedStep result;
  result.is_barrier = step.is_barrier;
  result.file = step.file;
  result.line = step.line;
  result.elements.fill(-1);
  if (step.is_barrier) return result;
  const Request& request = step.request;
  result.pc = step.instruction.pc;
  result.kind = step.instruction.kind;
  result.bytes = request.bytes;
  result.cost = cost_of(request, result.kind);
  // Lanes of one request seldom access two arrays; then one of them has no elements here.
  const Array array = array_at(request.address[std::countr_zero(request.mask)]);
  result.place = array.name;
  const size_t size = array.element_bytes != 0 ? array.element_bytes : request.bytes;
  result.dims = array.dims;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uintptr_t offset = request.address[lane] - array.begin;
    if (!(request.mask >> lane & 1) || offset >= array.bytes) continue;
    result.elements[lane] = static_cast<int64_t>(offset / size);
  }
  return result;
}

}  // namespace

std::vector<TracedStep> named_steps(const Trace& trace) {
  std::vector<TracedStep> steps;
  for (const Trace::Step& step : trace.steps()) steps.push_back(named(step));
  return steps;
}

}  // namespace convkit::simt::profile

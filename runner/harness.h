// SPDX-License-Identifier: MIT
// The interface for a stage's harness.cpp. The harness turns one case (named tensors and
// parameters) into a call of the student's function. It runs inside the runner process, next to
// student code: the grader trusts nothing from it except the bytes of the outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "convkit/conv2d_shape.h"

struct CUstream_st;  // what a cudaStream_t points to

namespace convkit::harness {

// The submission does not define a function that the case needs.
struct MissingEntry : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One case, as the harness sees it. Names are those of the case's spec ("x", "w", "y", ...).
// A name or type that does not fit is an error of the kit, not of the student: CaseError.
struct CaseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A CUDA error that a function of the submission returned or left behind. what() goes on after the
// function's name: "returned cudaErrorInvalidValue (invalid argument)."
struct CudaFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What the submission's functions have left behind since the case began, to go on after a
// function's name: "left 1 cuDNN descriptor behind ...". Outputs are judged first, for a wrong one
// matters more. The first counts.
inline std::string& left_behind() {
  static std::string text;
  return text;
}
inline void note_left_behind(const std::string& text) {
  if (left_behind().empty()) left_behind() = text;
}

// How a function is called, where the case alone does not say so: a sentence such as "conv2d_wgrad
// was called with a batch without images (n = 0)." What is wrong from then on is told behind it. It
// holds until the next one, which may be "", or to the end of the case.
struct CallNote {
  std::span<char> text;  // in the flight record; empty where there is none
  bool kept = false;     // something was reported of this call: later ones are not noted
};
inline CallNote& call_note() {
  static CallNote note;
  return note;
}
inline void note_call(std::string_view sentence) {
  const CallNote& note = call_note();
  if (note.kept || note.text.empty()) return;
  const size_t length = sentence.copy(note.text.data(), note.text.size() - 1);
  note.text[length] = 0;
}

class Call {
 public:
  virtual ~Call() = default;

  // A tensor given to the student: read-only memory, C order.
  template <class T>
  const T* input(std::string_view name) const;
  // A tensor the student fills; holds the sentinel until then, with guard pages around it.
  template <class T>
  T* output(std::string_view name) const;
  // The same in device memory, for stages with device = "gpu". The runner copies inputs there and
  // fills outputs with the sentinel before every launch, and copies outputs back after it: none of
  // that is timed. Device memory has margins instead of guard pages.
  template <class T>
  const T* device_input(std::string_view name) const;
  template <class T>
  T* device_output(std::string_view name) const;
  // Device memory that belongs to no tensor of the case, such as a workspace: `bytes` of it and
  // margins, all holding the sentinel before every launch. Nobody looks at its content afterwards.
  // Throws CudaFailure if the device has not so much.
  virtual void* device_scratch(std::string_view name, size_t bytes) const = 0;
  // The stream that a launch uses: a cudaStream_t, not blocking.
  virtual CUstream_st* stream() const = 0;
  // After a call that must touch nothing: waits for the device. Throws CudaFailure if the call
  // failed there or wrote to anything. If check mode has reported something, the note of the call
  // is kept.
  virtual void expect_untouched() const = 0;
  // The dimensions of an input or output.
  virtual std::span<const int64_t> dims(std::string_view name) const = 0;

  virtual int64_t integer(std::string_view name) const = 0;
  virtual double real(std::string_view name) const = 0;

  // Convolution and pooling parameters by their usual names (n, c, h, w, m, kh, kw, pad_h, ...).
  Conv2dShape conv2d_shape() const;
  Pool2dShape pool2d_shape() const;

  // The student's function; throws MissingEntry if the submission does not define it.
  template <class F>
  F* entry(const char* symbol) const {
    return reinterpret_cast<F*>(symbol_address(symbol));
  }

 protected:
  virtual void* symbol_address(const char* symbol) const = 0;
  enum class Type { float32, float64, int32, uint8 };
  virtual const void* input_bytes(std::string_view name, Type type) const = 0;
  virtual void* output_bytes(std::string_view name, Type type) const = 0;
  virtual void* device_bytes(std::string_view name, bool output, Type type) const = 0;

 private:
  template <class T>
  static constexpr Type type_of();
};

// The part of a case that is timed: everything that must happen before (finding the function,
// reading parameters, copying to a device) has been done when it is called. The runner waits for
// the device after it.
using Launch = std::function<void()>;

// One operation of the stage. `name` is the `op` of case specs.
struct Op {
  const char* name;
  Launch (*prepare)(const Call& call);
  // The contract asks the function to free what it allocates: check mode reports what it leaves.
  bool frees = false;
};

// Defined by every stage's harness.cpp.
std::span<const Op> stage_ops();

template <class T>
constexpr Call::Type Call::type_of() {
  if constexpr (std::is_same_v<T, float>)
    return Type::float32;
  else if constexpr (std::is_same_v<T, double>)
    return Type::float64;
  else if constexpr (std::is_same_v<T, int32_t>)
    return Type::int32;
  else {
    static_assert(std::is_same_v<T, uint8_t>, "cases hold float32, float64, int32 and uint8");
    return Type::uint8;
  }
}

template <class T>
const T* Call::input(std::string_view name) const {
  return static_cast<const T*>(input_bytes(name, type_of<T>()));
}

template <class T>
T* Call::output(std::string_view name) const {
  return static_cast<T*>(output_bytes(name, type_of<T>()));
}

template <class T>
const T* Call::device_input(std::string_view name) const {
  return static_cast<const T*>(device_bytes(name, false, type_of<T>()));
}

template <class T>
T* Call::device_output(std::string_view name) const {
  return static_cast<T*>(device_bytes(name, true, type_of<T>()));
}

// If a stub of the starter was reached, outputs are not written yet and rules are not yet followed.
class Stubs {
 public:
  explicit Stubs(const Call& call) {
    try {
      reached_ = call.entry<unsigned>("convkit_todo_reached");
    } catch (const MissingEntry&) {  // none is left
    }
  }
  bool any_reached() const { return reached_ && *reached_ > 0; }

 private:
  const unsigned* reached_ = nullptr;
};

}  // namespace convkit::harness

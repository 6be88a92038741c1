// SPDX-License-Identifier: MIT
// Why a call was refused, for whoever shows its status (simt/refused_call.h). Every place of the
// runtime and of the libraries that returns an error says so here.
#pragma once

#include <sstream>
#include <string>

#include "cpu_device/engine/hooks.h"
#include "simt/refused_call.h"

namespace convkit::simt {

// `sentence` has no full stop: "ldb is 3; it must be at least 5, the rows of B". To be called in
// the library's function, whose caller's line check mode adds unless `call` has it.
enum class Line { of_caller, in_call };
CONVKIT_SIMT_EXPORT void remember_refusal(ConvkitSimtLibrary library, int status,
                                          const std::string& call, const std::string& sentence,
                                          Line line = Line::of_caller);

// The same for a call of the runtime; gives the error back.
cudaError_t refuse(const char* call, cudaError_t error, const std::string& sentence);
cudaError_t refuse_stream(const char* call);  // cudaErrorInvalidResourceHandle

// A call of the runtime returns `error`: a reason that another call left is out of date.
void forget_reasons_but_of(cudaError_t error);

// Counts the attempt. Whether it is to fail (convkit_simt_fail_attempt).
bool fails_on_purpose(ConvkitSimtAttempt attempt);
inline constexpr const char* kFailsOnPurpose =
    "it was made to fail, once, to see what becomes of its error";

// Why enqueue() returned `error`.
CONVKIT_SIMT_EXPORT std::string why_not_queued(cudaError_t error);

// The parts, one after the other, as streams write them.
template <class... Part>
std::string said(const Part&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

// "dst, byte 0 of `y` (40 bytes)", or where there is no allocation, "dst, host memory".
std::string side_text(const char* argument, const void* pointer);

// One argument that is a pointer.
struct NamedPointer {
  const char* argument;
  const void* pointer;
};

// The judgement of one call: the first thing that is wrong decides its status. Functions return
// whether the call is refused, so that a function can say
//
//   if (refusal.null({{"x", x}}) || (n < 0 && refusal.with(kBad, said("n is ", n)))) {
//     return refusal.status();
//   }
template <class Status, ConvkitSimtLibrary kLibrary>
class RefusalOf {
 public:
  explicit RefusalOf(const char* call) : call_(call) {}

  bool with(Status status, const std::string& sentence) {
    status_ = status;
    remember_refusal(kLibrary, static_cast<int>(status), call_, sentence);
    return true;
  }
  // The reason has been remembered.
  void is(Status status) { status_ = status; }
  Status status() const { return status_; }

 private:
  const char* call_;
  Status status_{};  // success
};

}  // namespace convkit::simt

// SPDX-License-Identifier: MIT
#include "cpu_device/engine/refusal.h"

#include <memory>

#include "cpu_device/engine/memory.h"
#include "simt/runtime_api.h"

namespace convkit::simt {
namespace {

struct Refused {
  ConvkitSimtLibrary library = CONVKIT_SIMT_RUNTIME;
  int status = 0;       // 0: none
  bool is_new = false;  // the call that was refused has not returned
  std::string call, sentence;
  std::shared_ptr<void> site;  // for check mode
};

thread_local Refused g_refused;
thread_local bool g_remembers = true;
thread_local std::string g_answer;

// Under the queue's mutex, as every call.
struct Attempts {
  unsigned made = 0;
  unsigned fails = 0;  // the number of the one that is to fail; 0: none
};
Attempts g_attempts[2];

const char* answer() {
  g_answer.clear();
  if (g_refused.status == 0) return "";
  g_answer = g_refused.call;
  if (check_hooks && g_refused.site) {
    const std::string line = check_hooks->line_of_call(g_refused.site.get());
    if (!line.empty()) g_answer += ", called at " + line;
  }
  g_answer += ": " + g_refused.sentence + ".";
  return g_answer.c_str();
}

}  // namespace

void remember_refusal(ConvkitSimtLibrary library, int status, const std::string& call,
                      const std::string& sentence, Line line) {
  if (!g_remembers) return;
  const bool finds_line = check_hooks && line == Line::of_caller;
  g_refused = {library, status,   true,
               call,    sentence, finds_line ? check_hooks->call_site() : nullptr};
}

cudaError_t refuse(const char* call, cudaError_t error, const std::string& sentence) {
  remember_refusal(CONVKIT_SIMT_RUNTIME, error, call, sentence);
  return error;
}

cudaError_t refuse_stream(const char* call) {
  constexpr cudaError_t kError = cudaErrorInvalidResourceHandle;
  return refuse(call, kError, why_not_queued(kError));
}

void forget_reasons_but_of(cudaError_t error) {
  if (!g_remembers) return;
  const bool is_of_this_call = g_refused.is_new && g_refused.library == CONVKIT_SIMT_RUNTIME &&
                               g_refused.status == static_cast<int>(error);
  if (is_of_this_call) {
    g_refused.is_new = false;
  } else {
    g_refused = {};
  }
}

bool fails_on_purpose(ConvkitSimtAttempt attempt) {
  Attempts& all = g_attempts[attempt];
  return ++all.made == all.fails;
}

std::string why_not_queued(cudaError_t error) {
  if (error == cudaErrorInvalidResourceHandle) return "its stream does not exist any more";
  if (error == cudaErrorNotPermitted) return "a host function of a stream must not call CUDA";
  if (error == cudaErrorStreamCaptureImplicit) {
    return "a blocking stream is being captured, and the default stream would have to wait for it";
  }
  if (error == cudaErrorStreamCaptureInvalidated) {
    return "an earlier call made the capture of the stream invalid; end it with "
           "cudaStreamEndCapture()";
  }
  return std::string("the device has failed before, with ") + cudaGetErrorName(error);
}

std::string side_text(const char* argument, const void* pointer) {
  const std::string place = describe_address(pointer);
  if (!place.empty()) return said(argument, ", ", place);
  return said(argument,
              in_device_range(pointer) ? ", device memory that is not allocated" : ", host memory");
}

}  // namespace convkit::simt

using namespace convkit::simt;

const char* convkit_simt_why_refused(ConvkitSimtLibrary library, int status) {
  return g_refused.library == library && g_refused.status == status ? answer() : "";
}

const char* convkit_simt_why_library_refused() {
  return g_refused.library == CONVKIT_SIMT_RUNTIME ? "" : answer();
}

const char* convkit_simt_why_any_refused() {
  return answer();
}

void convkit_simt_forget_refusal() {
  g_refused = {};
}

void convkit_simt_remember_refusals(int wanted) {
  g_remembers = wanted != 0;
}

void convkit_simt_fail_attempt(ConvkitSimtAttempt attempt, unsigned nth) {
  g_attempts[attempt] = {0, nth};
}

unsigned convkit_simt_attempts(ConvkitSimtAttempt attempt) {
  return g_attempts[attempt].made;
}

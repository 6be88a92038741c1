// SPDX-License-Identifier: MIT
// Handles and descriptors that were created and not destroyed yet, and where. Check mode tells of
// those that are left when a program ends, the grader's runner of those that a call leaves behind.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "cpu_device/dnn/refusal.h"
#include "cpu_device/engine/library_call.h"

namespace convkit::simt::dnn {

// `call` created `*variable`, a "tensor descriptor".
void note_created(const void* variable, const void* object, const char* kind, LibraryCall call);
template <class Object>
void note_created(Object** variable, const char* kind, LibraryCall call) {
  note_created(variable, *variable, kind, std::move(call));
}
void note_destroyed(const void* object);

// Of a descriptor that has been destroyed: ", by cudnnDestroyTensorDescriptor at port.cu:12" (the
// line in check mode only). Empty for others, and where too many were destroyed since.
std::string destruction_of(const void* object);
// Keeps the object, so that nothing else gets its address for a while.
void bury(std::shared_ptr<const void> object, LibraryCall call);

// What `call` does with its descriptor.
template <class Object>
cudnnStatus_t destroy(const char* call, const char* argument, Object* object) {
  Refusal refusal(call);
  if (object == nullptr) return CUDNN_STATUS_SUCCESS;
  if (refusal.destroyed(argument, object)) return refusal.status();
  note_destroyed(object);
  bury(std::shared_ptr<const void>(object), library_call(call));
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace convkit::simt::dnn

extern "C" {

// Calls `tell` for each object in the order of creation. `call_site` is that of check mode, or
// null. Both functions are looked for by programs that may run without the library.
CONVKIT_SIMT_EXPORT void convkit_simt_dnn_each_alive(void (*tell)(const char* kind,
                                                                  const char* created_by,
                                                                  const void* call_site));
// How many descriptors there are; handles do not count.
CONVKIT_SIMT_EXPORT size_t convkit_simt_dnn_descriptors_alive();
// The newest `count` of them: "2 tensor descriptors, one of them made with
// cudnnCreateTensorDescriptor at port.cu:12." (the line in check mode only), and whether its
// variable was given another one, so that nothing can destroy it any more. Valid until the next
// call.
CONVKIT_SIMT_EXPORT const char* convkit_simt_dnn_newest_descriptors(size_t count);

}  // extern "C"

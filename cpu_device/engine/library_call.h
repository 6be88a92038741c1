// SPDX-License-Identifier: MIT
// Calls of the kit's device libraries, such as its cuBLAS: host code that runs as an operation of a
// stream and works in device memory.
//
// Theory of operation. A library function checks what CUDA checks at the call, then enqueues a
// closure. When the stream comes to it, device memory is accessible, and the closure names each
// piece of memory that it is about to use with may_use(): host pointers, memory past an
// allocation's end or after its end of life are told as for kernels, with the names of call and
// argument, and make the device fail; the closure then returns without computing. So a library
// never faults. In check mode reads of what nobody has written are told, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>

#include "cpu_device/engine/hooks.h"
#include "simt/runtime_types.h"

namespace convkit::simt {

struct LibraryCall {
  const char* name = "";         // "cublasSgemm"
  std::shared_ptr<void> site{};  // of the call, for check mode
};

// One argument that points to device memory: `batches` matrices, each of `columns` columns of
// `rows` elements that lie together. Distances are in elements; none is negative within a matrix.
struct Operand {
  const char* argument = "";  // "A"
  const void* begin = nullptr;
  size_t element_bytes = 1;
  int64_t rows = 1, columns = 1, ld = 1;
  int64_t batches = 1, batch_stride = 0;
  bool reads = false, writes = false;
  int64_t entry = -1;       // of an array of pointers: "Aarray[3]"
  const char* remark = "";  // what makes it a device pointer, if the function's name does not

  bool empty() const { return rows <= 0 || columns <= 0 || batches <= 0; }
};

// The call that is being answered. To be made in the library's function itself.
CONVKIT_SIMT_EXPORT LibraryCall library_call(const char* name);

// Queues `run`. An error that sticks comes back at once.
CONVKIT_SIMT_EXPORT cudaError_t enqueue(cudaStream_t stream, std::function<void()> run);

// In an operation: whether the memory is there to be used. False: that was told, and the device has
// failed.
CONVKIT_SIMT_EXPORT bool may_use(const LibraryCall& call, const Operand& operand);

// In an operation: the call uses memory that it must not use. Tells the fault, and the device fails
// with cudaErrorIllegalAddress.
void fail_in(const LibraryCall& call, Fault fault);

// In an operation: written memory must not overlap read memory, and batches of results must not
// overlap; on a GPU blocks would race. Reported in check mode only.
CONVKIT_SIMT_EXPORT void expect_apart(const LibraryCall& call,
                                      std::initializer_list<Operand> operands);

// At the call: whether the host may read or write there. False, for a device pointer: likewise.
CONVKIT_SIMT_EXPORT bool is_host_memory(
    const LibraryCall& call, const char* argument, const void* pointer, const char* remark,
    const char* advice = "Pass the address of a host variable, or set the pointer mode to device.");

// At the call: it succeeds and does nothing because of this argument. `value` says what the
// argument is and why that is wrong. In plain mode each argument of a function is reported once.
CONVKIT_SIMT_EXPORT void tell_ignored(const LibraryCall& call, const char* argument,
                                      const std::string& value, const char* advice);

}  // namespace convkit::simt

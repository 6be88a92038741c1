// SPDX-License-Identifier: MIT
// Which bytes of device memory hold what the host computed: a copy has brought them there, and no
// kernel, library, or copy of other data has written them since; or they have changed while none of
// these was at work (contents.h). Kernels' writes are in the cells (shadow.h) already, so this
// costs them nothing.
//
// In doubt a byte is not the host's: neither is what was there before a case began, nor what comes
// back unchanged after a copy to the host.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {

// Where the ends of a copy lie: pinned memory counts as host memory, variables as device memory.
enum class Side { host, managed, device };

struct CopiedRow {
  uintptr_t to;
  Side to_side;
  uintptr_t from;  // 0: a memset
  Side from_side;
  size_t bytes;
  int value;  // of a memset
};

// Before the bytes are moved.
void note_origin(const CopiedRow& row);
void note_origins(const CopiedRows& rows);
// A library's operation writes these.
void library_wrote(uintptr_t begin, size_t bytes);
void forget_origin(uintptr_t begin, size_t bytes);

// What is copied from there is given, not computed.
void know_given(uintptr_t begin, size_t bytes);
// What was brought to the host is no longer known. Copies are noted from the first case on: other
// programs have none.
void begin_case();
// An output of the case lies there, in device memory.
void watch_output(uintptr_t begin, size_t bytes);
// Managed and pinned memory is watched.
void know_allocation(const Allocation& allocation);
// Between operations of the device, while device memory is accessible: what has changed in watched
// memory since the last of them is the host's.
void look_at_watched();
// What has changed since is the kernel's.
void kernel_left_watched();
// The allocation is about to be freed, and host code may have read it without a copy.
void host_reads_all(const Allocation& allocation);
// How many bytes that kernels and libraries have written the host could get since the case began,
// at most: by copies, and of memory that both can read.
size_t bytes_from_device();

// How many bytes of host memory hold zeros, or values among those that the host could get so (it
// may have moved them, or made floats of doubles).
size_t bytes_as_computed(const unsigned char* begin, size_t bytes);

// How many bytes of device memory are the host's.
size_t bytes_of_host(uintptr_t begin, uintptr_t end);

}  // namespace convkit::simt::check

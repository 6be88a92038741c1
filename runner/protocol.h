// SPDX-License-Identifier: MIT
// The messages between the grader and a runner. The grader trusts none of them: a reply only says
// when to look at the outputs, and the flight record only adds the text of a failure.
//
// Requests are text, one SOCK_SEQPACKET message each, on descriptor kSocketFd:
//
//   case <op>                            and then one line a parameter and a tensor:
//   int <name> <value>
//   real <name> <value>                  (hexadecimal float)
//   in  <name> <type> <offset> <dims...>   in the file passed as the first descriptor
//   out <name> <type> <offset> <dims...>   in the file passed as the second one
//
//   In a timing of a GPU stage the tensors lie in device memory of another process
//   (device_memory/protocol.h), once for each call of a request. Then a line before theirs is
//   device <bytes> <slots> <bytes of a slot>
//   both descriptors are those of that memory, and offsets count from the beginning of a slot.
//
//   load [late]                          GPU stages: inputs go to the device, outputs are poisoned
//                                        there; late: queued on the stream, behind a pause
//
//   run [<times>]                        calls the prepared case once, or so many times in a row,
//                                        each time in the next slot, and waits for its stream, or
//                                        with <times>, when time is measured, for the whole device;
//                                        the CPU device's counts are left as text in the flight
//                                        record
//
//   fetch                                GPU stages: copies outputs back
//
// Every request is answered by one Reply. The start is answered by two: the first, kind loading or
// case_error, is sent before anything of the submission is in the process, so it is the only one
// that is the runner's own word; the second is of kind ready or load_failed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convkit::protocol {

inline constexpr int kSocketFd = 3;
inline constexpr int kFlightRecordFd = 4;
inline constexpr size_t kMaxRequest = 64 << 10;

enum class ReplyKind : uint32_t {
  ready = 1,      // the submission is loaded
  load_failed,    // dlopen refused it; text in the flight record
  ok,             // the case is prepared, or ran to its end
  missing_entry,  // the submission does not define the function; its name in the flight record
  exception,      // a C++ exception left the function; text in the flight record
  case_error,     // the runner could not do its own part; text in the flight record
  cuda_failure,   // CUDA reported an error; text, to follow the function's name, in the record
  loading,        // the runner is prepared; the submission is loaded next
  left_behind,    // outputs are there; text, to follow the function's name: what is not given back
};

struct Reply {
  uint32_t magic;
  ReplyKind kind;
  uint32_t todo_reached;  // how many CONVKIT_TODO stubs ran
  uint32_t request;       // which request this answers: 0 the start, then counting from 1
};
inline constexpr uint32_t kReplyMagic = 0x636b7231;  // "1rkc"

// A page shared with the runner, in which its signal handler leaves what it saw.
struct FlightRecord {
  int32_t signal;       // 0: none
  int32_t system_call;  // of SIGSYS; -1: none
  uint64_t address;     // the faulting address, or kNoAddress
  uint32_t region;      // Region
  uint32_t access;      // Access
  uint32_t stack_overflow;
  uint32_t cannot_reply;  // the channel is no longer there
  int64_t element;        // index of the touched element, relative to the start of `tensor`
  char tensor[64];        // the tensor whose memory or guard page was touched
  char text[1024];        // of an exception, a missing entry or dlopen
  // The kinds of check mode's reports, as they come: they are to be in what the process printed,
  // too. There is room for all kinds.
  char reports[1024];
  // Of a signal: "code@1a2b,3c4d", where in the submission it came, or from where it was called.
  char crash_site[160];
  char todo[160];  // the last stub that ran: "conv2d_forward (task 01.1)"
  char call[400];  // how the function is called, where the harness says so (harness.h, note_call)
};
// The kernel tells none: an address that no page can have, or an instruction that is the kernel's.
inline constexpr uint64_t kNoAddress = ~uint64_t{0};
enum Region : uint32_t { kNowhere = 0, kBeforeTensor, kInsideTensor, kAfterTensor };
enum Access : uint32_t { kUnknownAccess = 0, kRead, kWrite };

// Tensors lie in their file one after the other, each in pages of its own and pushed against the
// end of its last page, so that the guard page behind it starts at most kTensorAlignment - 1 bytes
// after its last element.
inline constexpr size_t kTensorAlignment = 64;
inline constexpr size_t kGuardBytes = 64 << 10;

}  // namespace convkit::protocol

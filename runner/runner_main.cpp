// SPDX-License-Identifier: MIT
// The runner: loads one submission and calls its functions on the cases the grader sends.
//
//   runner SUBMISSION.so        started by the grader only, with the descriptors of protocol.h
//   runner ""                   without a submission: prepares cases, to show that the kit can
//     --open-libraries          may load the machine's libraries; for the kit's own vendor peers
//     --watched                 keeps its rights, which a tool that watches it needs; for `run`
//
// It first gives up every right it does not need (lock_down), then loads the submission, whose
// static constructors are student code already. From then on nothing in this process can be
// trusted, and nobody does.
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <locale.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "process/descriptor_message.h"
#include "process/lockdown.h"
#include "runner/loaded_case.h"
#include "runner/protocol.h"

namespace convkit::runner {
namespace {

using protocol::FlightRecord;
using protocol::Reply;
using protocol::ReplyKind;

FlightRecord* g_record = nullptr;            // the shared page
const LoadedCase* g_current_case = nullptr;  // read by the signal handler
const unsigned char* g_stack_low = nullptr;  // where this thread's stack ends
const void* g_submission_base = nullptr;

void write_text(const char* text) {
  std::strncpy(g_record->text, text, sizeof g_record->text - 1);
}

// Whether a page fault came from a read or a write, where the machine says so.
protocol::Access access_of(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t kWriteBit = 2;  // of the page-fault error code
  const auto* user = static_cast<const ucontext_t*>(context);
  return user->uc_mcontext.gregs[REG_ERR] & kWriteBit ? protocol::kWrite : protocol::kRead;
#else
  (void)context;
  return protocol::kUnknownAccess;
#endif
}

// 0 where nobody knows.
uintptr_t stack_pointer_of(const void* context) {
  const auto* user = static_cast<const ucontext_t*>(context);
#if defined(__x86_64__)
  return static_cast<uintptr_t>(user->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return static_cast<uintptr_t>(user->uc_mcontext.sp);
#else
  (void)user;
  return 0;
#endif
}

// The instruction that was interrupted; 0 where the machine does not say.
uintptr_t instruction_of(const void* context) {
#if defined(__x86_64__)
  return static_cast<uintptr_t>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.pc);
#else
  (void)context;
  return 0;
#endif
}

// Notes where in the submission the signal came, or the calls that led there, innermost first.
// Nothing is allocated: the heap may be what was damaged.
void note_crash_site(const void* context) {
  size_t length = 0;
  const auto add = [&](uintptr_t instruction) {
    Dl_info object{};
    if (dladdr(reinterpret_cast<const void*>(instruction), &object) == 0) return false;
    if (object.dli_fbase != g_submission_base) return false;
    const uintptr_t at = instruction - reinterpret_cast<uintptr_t>(g_submission_base);
    const int more =
        std::snprintf(g_record->crash_site + length, sizeof g_record->crash_site - length, "%s%lx",
                      length == 0 ? "code@" : ",", static_cast<unsigned long>(at));
    if (more < 0 || length + static_cast<size_t>(more) >= sizeof g_record->crash_site) {
      g_record->crash_site[length] = '\0';
      return false;
    }
    length += static_cast<size_t>(more);
    return true;
  };
  if (g_submission_base == nullptr || add(instruction_of(context))) return;
  std::array<void*, 16> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = 0; i < count; ++i) add(reinterpret_cast<uintptr_t>(frames[size_t(i)]) - 1);
}

// The kernel leaves a gap below the stack's limit; a fault near it is an overflow. A large local
// array moves the stack pointer far below at once. No other mapping is within 128 MiB.
bool is_stack_overflow(const void* address, const void* context) {
  constexpr uintptr_t kNear = 1 << 20, kAbove = 1 << 16, kLargestArray = 100 << 20;
  constexpr uintptr_t kRedZone = 4096;
  const auto at = reinterpret_cast<uintptr_t>(address);
  const auto low = reinterpret_cast<uintptr_t>(g_stack_low);
  if (at >= low + kAbove) return false;
  if (at > low - kNear) return true;
  const uintptr_t top = stack_pointer_of(context);
  return top < low && top > low - kLargestArray && at + kRedZone > top;
}

// Leaves what it saw in the flight record, then lets the signal end the process.
void on_signal(int signal, siginfo_t* info, void* context) {
  g_record->signal = signal;
  if (signal != SIGSYS) note_crash_site(context);
  if (signal == SIGSYS) g_record->system_call = info->si_syscall;
  if (signal == SIGSEGV || signal == SIGBUS) {
    const bool told = info->si_code != SI_KERNEL;
    g_record->address = told ? reinterpret_cast<uint64_t>(info->si_addr) : protocol::kNoAddress;
    g_record->access = access_of(context);
    AddressReport report;
    if (g_current_case && told) g_current_case->describe_address(info->si_addr, report);
    if (report.tensor) {
      std::strncpy(g_record->tensor, report.tensor, sizeof g_record->tensor - 1);
      g_record->region = report.region;
      g_record->element = report.element;
    } else {
      g_record->stack_overflow = told && is_stack_overflow(info->si_addr, context);
    }
  }
  if (signal != SIGSYS) ::signal(signal, SIG_DFL);
  raise(signal);
}

// For note_crash_site(): the first backtrace() of a process loads a library.
void note_submission(void* library) {
  const link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return;
  g_submission_base = reinterpret_cast<const void*>(map->l_addr);
  std::array<void*, 1> frame{};
  backtrace(frame.data(), 1);
}

[[maybe_unused]] void install_signal_handlers() {
  // The handler needs its own stack, because an overflow of the main stack may be the cause.
  static std::array<unsigned char, 64 << 10> alternate;
  stack_t stack{};
  stack.ss_sp = alternate.data();
  stack.ss_size = alternate.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS}) {
    // After lock_down() nobody may change what SIGSYS does, so the kernel itself resets it.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | (signal == SIGSYS ? SA_RESETHAND : 0);
    sigaction(signal, &action, nullptr);
  }
}

void note_stack_limit() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  g_stack_low = static_cast<const unsigned char*>(low);
  pthread_attr_destroy(&attributes);
}

void send_reply(ReplyKind kind, unsigned todo_reached, uint32_t request) {
  const Reply reply{protocol::kReplyMagic, kind, todo_reached, request};
  if (write(protocol::kSocketFd, &reply, sizeof reply) == sizeof reply) return;
  g_record->cannot_reply = errno != EPIPE;  // that is, the grader has gone
  _exit(0);
}

// One request with the descriptors that came along. Returns false when the grader has gone.
bool receive(std::string& request, std::array<int, 2>& fds) {
  static std::array<char, protocol::kMaxRequest> buffer;
  const ssize_t length =
      receive_with_descriptors(protocol::kSocketFd, buffer.data(), buffer.size(), fds);
  if (length <= 0) return false;
  request.assign(buffer.data(), static_cast<size_t>(length));
  return true;
}

const harness::Op* find_op(const std::string& name) {
  for (const harness::Op& op : harness::stage_ops()) {
    if (name == op.name) return &op;
  }
  throw harness::CaseError("this stage has no op " + name);
}

class Runner {
 public:
  explicit Runner(void* library)
      : library_(library),
        todo_reached_(static_cast<unsigned*>(found("convkit_todo_reached"))),
        todo_task_(static_cast<const char**>(found("convkit_todo_task"))),
        todo_function_(static_cast<const char**>(found("convkit_todo_function"))) {}

  void serve() {
    std::string request;
    std::array<int, 2> fds;
    uint32_t number = 0;
    while (receive(request, fds)) {
      ++number;
      if (todo_reached_) *todo_reached_ = 0;
      const ReplyKind kind = answer(request, fds);
      // The text that the student printed belongs to this case, so it must be in the pipe before
      // the reply.
      std::fflush(nullptr);
      // Once more: the submission could write to the record.
      const std::string reports = case_ ? case_->device_reports() : "";
      std::strncpy(g_record->reports, reports.c_str(), sizeof g_record->reports - 1);
      note_todo();
      send_reply(kind, todo_reached_ ? *todo_reached_ : 0, number);
    }
  }

 private:
  void* found(const char* symbol) const { return library_ ? dlsym(library_, symbol) : nullptr; }

  void note_todo() const {
    g_record->todo[0] = 0;
    if (!todo_reached_ || *todo_reached_ == 0 || !todo_task_ || !todo_function_) return;
    std::snprintf(g_record->todo, sizeof g_record->todo, "%s (task %s)", *todo_function_,
                  *todo_task_);
  }

  ReplyKind answer(const std::string& request, const std::array<int, 2>& fds) try {
    std::istringstream words(request);
    std::string verb, how;
    words >> verb >> how;
    if (verb == "load" || verb == "run" || verb == "fetch") {
      if (launches_.empty()) throw harness::CaseError(verb + " before case");
      if (verb == "load") {
        case_->load_device(how == "late");
      } else if (verb == "fetch") {
        case_->fetch_from_device();
        if (op_->frees) case_->report_leaks();
        if (const std::string left = std::exchange(harness::left_behind(), ""); !left.empty()) {
          write_text(left.c_str());
          return ReplyKind::left_behind;
        }
      } else {
        const int times = how.empty() ? 1 : std::stoi(how);
        for (int i = 0; i < times; ++i) launches_[static_cast<size_t>(i) % launches_.size()]();
        case_->wait_for_device(how.empty() ? DeviceTensors::Until::stream_is_idle
                                           : DeviceTensors::Until::device_is_idle);
        write_text(case_->device_counts().c_str());
        case_->publish_outputs();
      }
    } else {
      launches_.clear();
      harness::left_behind().clear();
      harness::call_note() = {g_record->call};
      harness::note_call("");
      g_current_case = nullptr;
      case_ = std::make_unique<LoadedCase>(request, fds[0], fds[1], library_);
      close(fds[0]);
      close(fds[1]);
      g_current_case = case_.get();
      op_ = find_op(case_->op());
      for (unsigned slot = 0; slot < case_->slots(); ++slot) {
        case_->use_slot(slot);
        launches_.push_back(op_->prepare(*case_));
      }
    }
    return ReplyKind::ok;
  } catch (const harness::MissingEntry& missing) {
    write_text(missing.what());
    return ReplyKind::missing_entry;
  } catch (const harness::CaseError& error) {
    write_text(error.what());
    return ReplyKind::case_error;
  } catch (const harness::CudaFailure& failure) {
    const std::string& left = harness::left_behind();
    write_text((failure.what() + (left.empty() ? "" : " It also " + left)).c_str());
    return ReplyKind::cuda_failure;
  } catch (const std::exception& error) {
    write_text(error.what());
    return ReplyKind::exception;
  } catch (...) {
    write_text("an exception that is no std::exception");
    return ReplyKind::exception;
  }

  void* library_;
  unsigned* todo_reached_;
  const char **todo_task_, **todo_function_;
  std::unique_ptr<LoadedCase> case_;
  const harness::Op* op_ = nullptr;        // of case_
  std::vector<harness::Launch> launches_;  // one for each slot
};

// After open_nothing_but() no file of a locale can be read. The C library keeps those it has read
// for as long as a locale of theirs exists: setlocale(LC_ALL, "") then finds them.
void keep_locale() {
  newlocale(LC_ALL_MASK, "", nullptr);
}

enum class Rights { few, libraries, all };

int run(const char* submission, Rights rights) {
  void* page = mmap(nullptr, sizeof(FlightRecord), PROT_READ | PROT_WRITE, MAP_SHARED,
                    protocol::kFlightRecordFd, 0);
  if (page == MAP_FAILED) {
    std::fputs("The runner is started by the grader only; see runner/protocol.h.\n", stderr);
    return 2;
  }
  g_record = static_cast<FlightRecord*>(page);
  g_record->system_call = -1;
  tell_kinds_to(g_record->reports, sizeof g_record->reports);
  note_stack_limit();
#if CONVKIT_RUNNER_ASAN
  const bool sanitizer = true;  // it brings its own signal handlers
#else
  const bool sanitizer = false;
  install_signal_handlers();
#endif
  if (const std::string problem = start_device(); !problem.empty()) {
    write_text(problem.c_str());
    send_reply(ReplyKind::case_error, 0, 0);
    return 0;
  }
  keep_locale();
  // A driver opens its files again and again; its runner stays in what the grader confined it to.
  if (!sanitizer && rights == Rights::few && !CONVKIT_RUNNER_GPU) open_nothing_but(submission);
  LockdownOptions options;
  options.gpu = CONVKIT_RUNNER_GPU;
  options.sanitizer = sanitizer;
  if (rights != Rights::all) lock_down(options);
  send_reply(ReplyKind::loading, 0, 0);
  void* library = *submission ? dlopen(submission, RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!library && *submission) {
    write_text(dlerror());
    send_reply(ReplyKind::load_failed, 0, 0);
    return 0;
  }
  if (library) note_submission(library);
  send_reply(ReplyKind::ready, 0, 0);
  Runner(library).serve();
  return 0;
}

}  // namespace
}  // namespace convkit::runner

int main(int argc, char** argv) {
  using convkit::runner::Rights;
  const std::string word = argc == 3 ? argv[2] : "";
  const Rights rights = word == "--watched"          ? Rights::all
                        : word == "--open-libraries" ? Rights::libraries
                                                     : Rights::few;
  if (argc != (rights == Rights::few ? 2 : 3)) {
    std::fputs(
        "usage: runner SUBMISSION.so [--open-libraries | --watched] (started by the grader)\n",
        stderr);
    return 2;
  }
  const int status = convkit::runner::run(argv[1], rights);
  if (rights == Rights::all) return status;  // tools report when a program has ended in full
  // Destructors of the submission are student code: they have nothing more to say.
  std::fflush(nullptr);
  _exit(status);
}

// SPDX-License-Identifier: MIT
#include "grade/verdict.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <string_view>

#include "process/lockdown.h"
#include "process/own_time.h"

namespace convkit {
namespace {

// The hint that leads to the line of a crash.
std::string look_closer(const Stage& stage) {
  return fmt::format("Run `convkit check {}` to see the line.",
                     stage.device == "gpu" ? "--device cpu" : "--sanitize");
}

Verdict memory_fault(const protocol::FlightRecord& record, const Stage& stage,
                     const std::string& function, int64_t elements) {
  const std::string name = record.tensor;
  const char* verb = record.access == protocol::kWrite  ? "wrote"
                     : record.access == protocol::kRead ? "read"
                                                        : "accessed";
  if (record.stack_overflow) {
    return {Status::crashed, fmt::format("{} overflowed its stack (8 MiB).", function),
            "The cause is an endless recursion or a large local "
            "array; use std::vector for large arrays."};
  }
  if (record.signal == 0) {  // not even the runner's signal handler could run
    return {Status::crashed, fmt::format("{} damaged the memory of its own process.", function),
            look_closer(stage)};
  }
  switch (record.region) {
    case protocol::kBeforeTensor:
      return {Status::crashed,
              fmt::format("{} {} before the beginning of `{}` (at element {}).", function, verb,
                          name, record.element),
              "An index went below zero: is the padding subtracted without checking the border?"};
    case protocol::kAfterTensor:
      return {Status::crashed,
              fmt::format("{} {} past the end of `{}` (at element {} of {}).", function, verb, name,
                          record.element, elements),
              "An index left the tensor: check the loop bounds and the order of the dimensions."};
    case protocol::kInsideTensor:
      return {Status::crashed,
              fmt::format("{} wrote to its input `{}` (at element {}), which is read-only.",
                          function, name, record.element),
              "Inputs are const: write to the output only."};
    default:
      break;
  }
  if (record.address == protocol::kNoAddress) {
    return {Status::crashed,
            fmt::format("{} used an address that no program can have, or an instruction that none "
                        "may run.",
                        function),
            look_closer(stage)};
  }
  if (record.address < 4096) {
    return {Status::crashed, fmt::format("{} {} through a null pointer.", function, verb), ""};
  }
  return {Status::crashed,
          fmt::format("{} {} memory that it does not own (address {:#x}).", function, verb,
                      record.address),
          look_closer(stage)};
}

// A system without memory kills what uses most of it.
bool killed_without_need(const Ending& ending, const StageLimits& limits) {
  return ending.peak_memory_bytes > 0 && ending.peak_memory_bytes < limits.resident_bytes / 4;
}

Verdict signalled(const Answer& answer, const Stage& stage, const std::string& function,
                  int64_t elements) {
  const protocol::FlightRecord& record = answer.record;
  switch (answer.ending.signal) {
    case SIGSEGV:
    case SIGBUS:
      return memory_fault(record, stage, function, elements);
    case SIGSYS: {
      if (record.signal == 0) {  // in a thread that the runner's signal handler does not reach
        return {Status::policy,
                fmt::format("{} made a system call that submissions may not make.", function), ""};
      }
      const std::string call = system_call_name(record.system_call);
      return {Status::policy,
              fmt::format("{} made the system call {}, which submissions may not make.", function,
                          call),
              ""};
    }
    case SIGFPE:
      return {Status::crashed, fmt::format("{} divided an integer by zero.", function), ""};
    case SIGABRT:
      return {
          Status::crashed, fmt::format("{} called abort().", function),
          "The cause is a failed assert, an exception in a destructor, or a damaged heap, as by "
          "what is freed or destroyed twice: a copy, or an object that was moved from, must "
          "not own what another one does. " +
              look_closer(stage)};
    case SIGILL:
      return {Status::crashed, fmt::format("{} ran an illegal instruction.", function),
              "A function with a return type that ends without `return` does this."};
    case SIGKILL:
      if (killed_without_need(answer.ending, stage.limits)) {
        return {Status::crashed,
                fmt::format("{} was ended by SIGKILL, and not for its memory: it used {} MiB at "
                            "most and may use {} MiB.",
                            function, (answer.ending.peak_memory_bytes >> 20) + 1,
                            stage.limits.resident_bytes >> 20),
                "A program that sends itself the signal ends like this."};
      }
      return {Status::limit,
              fmt::format("{} was killed, most likely for using too much memory.", function), ""};
    case SIGXFSZ:
      return {Status::limit, fmt::format("{} wrote a file that is too large.", function), ""};
    default:
      break;
  }
  return {Status::crashed,
          fmt::format("{} was ended by signal {}.", function, answer.ending.signal), ""};
}

}  // namespace

Verdict verdict_of(const Answer& answer, const Stage& stage, const std::string& called,
                   int64_t elements) {
  const std::string function = called.empty() ? "A static initialiser" : called;
  switch (answer.kind) {
    case Answer::Kind::missing_entry:
      return {Status::wrong, fmt::format("The submission does not define {}().", answer.text),
              fmt::format("Its declaration is in {}.", stage.api)};
    case Answer::Kind::exception:
      if (answer.text.find("bad_alloc") != std::string::npos) {
        return {Status::limit,
                fmt::format("{} asked for more memory than the limit of {} MiB allows.", function,
                            stage.limits.memory_bytes >> 20),
                ""};
      }
      return {Status::crashed, fmt::format("{} threw an exception: {}", function, answer.text), ""};
    case Answer::Kind::cuda_failure:
      return {Status::crashed, fmt::format("{} {}", function, answer.text), ""};
    case Answer::Kind::left_behind:
      return {Status::crashed, fmt::format("{} {}", function, answer.text),
              "Destroy what a function creates on every way out of it, also after an error; a "
              "destructor does this."};
    case Answer::Kind::load_failed:
      // As ld.so says it: /x.so: version `GLIBCXX_3.4.32' not found. Nobody writes that into code.
      return {Status::crashed, fmt::format("The submission cannot be loaded: {}", answer.text),
              answer.text.find("version `GLIBC") == std::string::npos
                  ? ""
                  : "The compiler has a newer C or C++ library than this machine runs programs "
                    "with: choose the system's own compiler with CXX, as in CXX=/usr/bin/g++."};
    case Answer::Kind::timed_out:
      return {
          Status::timed_out,
          fmt::format("{} did not return within {} s.", function, stage.limits.one_case.count()),
          "Look for a loop whose variable does not advance."};
    case Answer::Kind::starved:
      return {Status::pending,
              fmt::format("Pending: {} did not return within {} s, but other programs had the "
                          "processors for most of them. The machine is too busy: grade it again.",
                          function, kBusyPatience * stage.limits.one_case.count()),
              ""};
    case Answer::Kind::output_limit:
      return {
          Status::limit,
          fmt::format("{} printed more than {} KiB.", function, stage.limits.output_bytes >> 10),
          "Remove the debug output from the inner loops."};
    case Answer::Kind::memory_limit:
      return {Status::limit,
              fmt::format("{} used {} MiB of memory, more than the limit of {} MiB.", function,
                          answer.ending.memory_in_use >> 20, stage.limits.resident_bytes >> 20),
              ""};
    case Answer::Kind::tampered:
      return {Status::policy,
              fmt::format("{} wrote to the grader's channel (file descriptor {}).", function,
                          protocol::kSocketFd),
              ""};
    case Answer::Kind::interrupted:
      return {Status::pending, "Interrupted before it was judged.", ""};
    case Answer::Kind::case_error:
      return {Status::crashed,
              fmt::format("In two processes the runner could not finish its part of a call of {}, "
                          "which it can without the submission: {}.",
                          function, answer.text),
              "Code that leaks descriptors or memory, throws an exception of the kit or writes to "
              "the runner's channel does this."};
    case Answer::Kind::kit_fault:
    case Answer::Kind::ok:
      return {Status::grader_error, answer.text, ""};
    case Answer::Kind::ended:
      break;
  }
  if (answer.ending.kind == Ending::Kind::signalled) {
    Verdict verdict = signalled(answer, stage, function, elements);
    if (!answer.crash_line.empty() && verdict.message.ends_with('.')) {
      verdict.message.pop_back();
      verdict.message += fmt::format(", at {}.", answer.crash_line);
      if (verdict.hint == look_closer(stage)) verdict.hint.clear();
    }
    return verdict;
  }
  if (answer.record.cannot_reply != 0 && !called.empty()) {
    return {Status::crashed,
            fmt::format("{} closed a file that it had not opened: the grader's channel (file "
                        "descriptor {}).",
                        function, protocol::kSocketFd),
            "Close what you have opened, once."};
  }
  return {Status::crashed,
          fmt::format("The process ended (exit code {}) {}.", answer.ending.code,
                      called.empty() ? "while the submission was loaded"
                                     : fmt::format("before {} returned", called)),
          "Functions return to their caller; they do not call exit()."};
}

namespace {

namespace fs = std::filesystem;

// No std::regex here: what was printed is the submission's, and may be one line of 16 KiB.

struct Place {
  fs::path file;
  std::string line;
};

// "conv2d.cpp:14:7" or "/folder/conv2d.cpp:14".
std::optional<Place> place_of(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ':');) parts.push_back(part);
  const auto is_number = [](const std::string& part) {
    return !part.empty() && part.size() < 10 &&
           std::all_of(part.begin(), part.end(), [](unsigned char ch) { return std::isdigit(ch); });
  };
  if (parts.size() < 2 || parts[0].empty() || !is_number(parts[1])) return std::nullopt;
  return Place{parts[0], parts[1]};
}

// The text before the addresses: "heap-buffer-overflow", "attempting double-free".
std::string kind_in(const std::string& text) {
  size_t end = text.size();
  for (const char* stop : {" on ", ":", " ("}) end = std::min(end, text.find(stop));
  return text.substr(0, end);
}

struct ReportedFrame {
  std::string function;
  Place place;
};

// "    #1 0x55d in conv2d_forward /folder/conv2d.cpp:14:7"
std::optional<ReportedFrame> frame_in(const std::string& line) {
  const size_t in = line.find(" in ");
  const size_t space = line.rfind(' ');
  if (line.find('#') == std::string::npos || in == std::string::npos || space < in + 4) {
    return std::nullopt;
  }
  auto place = place_of(line.substr(space + 1));
  if (!place) return std::nullopt;
  const std::string function = line.substr(in + 4, space - in - 4);
  return ReportedFrame{function.substr(0, function.find('(')), std::move(*place)};
}

bool is_in(const fs::path& folder, const fs::path& file) {
  std::error_code error;
  return fs::exists(folder / file.filename(), error) || fs::exists(folder / file, error);
}

}  // namespace

void use_sanitizers(SessionOptions& options, const std::filesystem::path& runner) {
  options.runner = runner;
  options.confined = false;
  options.environment.insert(options.environment.end(),
                             {"ASAN_OPTIONS=detect_leaks=0:color=never:strip_path_prefix=./",
                              "UBSAN_OPTIONS=print_stacktrace=1:color=never"});
  options.limits.memory_bytes = 0;  // the shadow memory alone is terabytes of address space
  options.limits.resident_bytes = 0;
  options.limits.stack_bytes = 0;
  options.limits.wall *= 10;
  options.limits.output_bytes = 1 << 20;
}

void explain_sanitizer(CaseResult& result, const std::filesystem::path& folder) {
  std::istringstream lines(result.printed);
  std::string line, kind;
  while (std::getline(lines, line)) {
    constexpr std::string_view kUndefined = ": runtime error: ";
    constexpr std::string_view kAddress = "ERROR: AddressSanitizer: ";
    if (const size_t at = line.find(kUndefined); at != std::string::npos && kind.empty()) {
      if (const auto place = place_of(line.substr(0, at))) {
        result.status = Status::crashed;
        result.message = fmt::format("{} at {}:{}.", line.substr(at + kUndefined.size()),
                                     place->file.filename().string(), place->line);
        result.hint.clear();
        return;
      }
    }
    if (const size_t at = line.find(kAddress); at != std::string::npos && kind.empty()) {
      kind = kind_in(line.substr(at + kAddress.size()));
      result.status = Status::crashed;
      result.message = kind + ".";
      result.hint.clear();
      continue;
    }
    if (kind.empty()) continue;
    // The first frame that lies in the student's own folder is where to look.
    const auto frame = frame_in(line);
    if (!frame || !is_in(folder, frame->place.file)) continue;
    result.message =
        fmt::format("{} at {}:{} in {}().", kind, frame->place.file.filename().string(),
                    frame->place.line, frame->function);
    return;
  }
}

}  // namespace convkit

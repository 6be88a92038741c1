// SPDX-License-Identifier: MIT
#include "grade/verdict.h"

#include <signal.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstring>

#include "catch.h"
#include "grade/speed/stage_speed.h"
#include "grade/stage_grader.h"

namespace convkit {
namespace {

Answer answered(Answer::Kind kind, const std::string& text = "") {
  Answer answer;
  answer.kind = kind;
  answer.text = text;
  return answer;
}

Answer signalled(int signal, protocol::Region region = protocol::kNowhere,
                 protocol::Access access = protocol::kRead) {
  Answer answer = answered(Answer::Kind::ended);
  answer.ending.kind = Ending::Kind::signalled;
  answer.ending.signal = signal;
  answer.record.signal = signal;
  answer.record.region = region;
  answer.record.access = access;
  answer.record.element = 12;
  answer.record.address = 0x7000;
  std::strcpy(answer.record.tensor, "y");
  return answer;
}

std::string said(const Answer& answer, Status status) {
  Stage stage;
  stage.api = "test.h";
  stage.limits.one_case = std::chrono::seconds(10);
  stage.limits.memory_bytes = 64ull << 20;
  stage.limits.resident_bytes = 32ull << 20;
  stage.limits.output_bytes = 4 << 10;
  const Verdict verdict = verdict_of(answer, stage, "f", 9);
  CHECK(verdict.status == status);
  return verdict.message;
}

CaseResult explained(const std::string& printed) {
  CaseResult result;
  result.status = Status::crashed;
  result.message = "as it was";
  result.printed = printed;
  explain_sanitizer(result, CONVKIT_SOURCE_DIR "/solutions/01_cpu_conv");
  return result;
}

}  // namespace

TEST_CASE("every way to fail has its status and its sentence") {
  using Kind = Answer::Kind;
  using S = Status;
  CHECK(said(answered(Kind::missing_entry, "f"), S::wrong) ==
        "The submission does not define f().");
  CHECK(said(answered(Kind::exception, "no layer"), S::crashed) ==
        "f threw an exception: no layer");
  CHECK(said(answered(Kind::exception, "std::bad_alloc"), S::limit) ==
        "f asked for more memory than the limit of 64 MiB allows.");
  CHECK(said(answered(Kind::load_failed, "undefined symbol"), S::crashed) ==
        "The submission cannot be loaded: undefined symbol");
  CHECK(said(answered(Kind::timed_out), S::timed_out) == "f did not return within 10 s.");
  CHECK(said(answered(Kind::starved), S::pending) ==
        "Pending: f did not return within 50 s, but other programs had the processors for most of "
        "them. The machine is too busy: grade it again.");
  CHECK(said(answered(Kind::output_limit), S::limit) == "f printed more than 4 KiB.");
  Answer much = answered(Kind::memory_limit);
  much.ending.memory_in_use = 70ull << 20;
  CHECK(said(much, S::limit) == "f used 70 MiB of memory, more than the limit of 32 MiB.");
  CHECK(said(answered(Kind::tampered), S::policy) ==
        "f wrote to the grader's channel (file descriptor 3).");
  CHECK(said(answered(Kind::kit_fault, "the case has no input w."), S::grader_error) ==
        "the case has no input w.");
  CHECK(said(answered(Kind::case_error, "a tensor cannot be mapped"), S::crashed) ==
        "In two processes the runner could not finish its part of a call of f, which it can "
        "without the submission: a tensor cannot be mapped.");
  // Whoever presses Ctrl-C costs nobody a point.
  CHECK(said(answered(Kind::interrupted), S::pending) == "Interrupted before it was judged.");
  CHECK(said(answered(Kind::ended), S::crashed) ==
        "The process ended (exit code 0) before f returned.");
  Answer silent = answered(Kind::ended);
  silent.record.cannot_reply = 1;
  CHECK(said(silent, S::crashed) ==
        "f closed a file that it had not opened: the grader's channel (file descriptor 3).");
}

TEST_CASE("every signal has its status and its sentence") {
  using S = Status;
  CHECK(said(signalled(SIGSEGV, protocol::kAfterTensor, protocol::kWrite), S::crashed) ==
        "f wrote past the end of `y` (at element 12 of 9).");
  CHECK(said(signalled(SIGSEGV, protocol::kBeforeTensor), S::crashed) ==
        "f read before the beginning of `y` (at element 12).");
  CHECK(said(signalled(SIGSEGV, protocol::kInsideTensor, protocol::kWrite), S::crashed) ==
        "f wrote to its input `y` (at element 12), which is read-only.");
  CHECK(said(signalled(SIGSEGV), S::crashed) ==
        "f read memory that it does not own (address 0x7000).");
  CHECK(said(signalled(SIGSEGV, protocol::kNowhere, protocol::kUnknownAccess), S::crashed) ==
        "f accessed memory that it does not own (address 0x7000).");
  Answer placed = signalled(SIGSEGV);
  placed.crash_line = "sum.cu:12";
  CHECK(said(placed, S::crashed) ==
        "f read memory that it does not own (address 0x7000), at sum.cu:12.");
  Answer null = signalled(SIGSEGV);
  null.record.address = 8;
  CHECK(said(null, S::crashed) == "f read through a null pointer.");
  Answer deep = signalled(SIGSEGV);
  deep.record.stack_overflow = 1;
  CHECK(said(deep, S::crashed) == "f overflowed its stack (8 MiB).");
  Answer unrecorded = signalled(SIGSEGV);
  unrecorded.record = {};
  CHECK(said(unrecorded, S::crashed) == "f damaged the memory of its own process.");
  CHECK(said(signalled(SIGFPE), S::crashed) == "f divided an integer by zero.");
  CHECK(said(signalled(SIGABRT), S::crashed) == "f called abort().");
  CHECK(said(signalled(SIGILL), S::crashed) == "f ran an illegal instruction.");
  CHECK(said(signalled(SIGKILL), S::limit) ==
        "f was killed, most likely for using too much memory.");
  Answer small = signalled(SIGKILL);
  small.ending.peak_memory_bytes = 5 << 20;
  CHECK(said(small, S::crashed) ==
        "f was ended by SIGKILL, and not for its memory: it used 6 MiB at most and may use 32 "
        "MiB.");
  small.ending.peak_memory_bytes = 31 << 20;
  CHECK(said(small, S::limit) == "f was killed, most likely for using too much memory.");
  CHECK(said(signalled(SIGXFSZ), S::limit) == "f wrote a file that is too large.");
  CHECK(said(signalled(SIGPIPE), S::crashed) == "f was ended by signal 13.");
  Answer call = signalled(SIGSYS);
  call.record.system_call = SYS_socket;
  CHECK_THAT(said(call, S::policy), Catch::EndsWith(", which submissions may not make."));
  call.record.system_call = -12345;  // the record is the submission's to write
  CHECK(said(call, S::policy) ==
        "f made the system call number -12345, which submissions may not make.");
  call.record = {};
  CHECK(said(call, S::policy) == "f made a system call that submissions may not make.");
}

TEST_CASE("a crash report names the option that shows the line on the stage's device") {
  Stage stage;
  stage.device = "cpu";
  CHECK(verdict_of(signalled(SIGSEGV), stage, "f", 9).hint ==
        "Run `convkit check --sanitize` to see the line.");
  stage.device = "gpu";
  CHECK(verdict_of(signalled(SIGSEGV), stage, "f", 9).hint ==
        "Run `convkit check --device cpu` to see the line.");
  CHECK_THAT(verdict_of(signalled(SIGABRT), stage, "f", 9).hint,
             Catch::EndsWith("Run `convkit check --device cpu` to see the line."));
}

TEST_CASE("a compiler with a newer library than the machine's is said in one sentence") {
  Answer answer = answered(Answer::Kind::load_failed);
  answer.text = "/lib/libstdc++.so.6: version `GLIBCXX_3.4.32' not found (required by a.so)";
  const std::string hint = verdict_of(answer, Stage{}, "", -1).hint;
  CHECK_THAT(hint, Catch::Contains("newer C or C++ library") && Catch::Contains("CXX"));
  CHECK(std::ranges::count(hint, '.') == 1);
  answer.text = "a.so: undefined symbol: helper";
  CHECK(verdict_of(answer, Stage{}, "", -1).hint.empty());
}

TEST_CASE("a failure while the submission is loaded blames no function") {
  const Verdict exits = verdict_of(answered(Answer::Kind::ended), Stage{}, "", -1);
  CHECK_THAT(exits.message, Catch::Contains("loaded"));
  const Verdict hangs = verdict_of(answered(Answer::Kind::timed_out), Stage{}, "", -1);
  CHECK_THAT(hangs.message, Catch::Contains("static initialiser"));
}

TEST_CASE("speed points rise with the logarithm of the ratio, from none to full") {
  SpeedCase speed;
  speed.points = 12;
  speed.none = 2;
  speed.full = 8;
  CHECK(speed_points(speed, 1) == 0);
  CHECK(speed_points(speed, 2) == 0);
  CHECK(speed_points(speed, 4) == Approx(6));
  CHECK(speed_points(speed, 8) == Approx(12));
  CHECK(speed_points(speed, 800) == 12);
  CHECK(speed_points(speed, std::numeric_limits<double>::infinity()) == 12);
  CHECK(speed_points(speed, std::numeric_limits<double>::quiet_NaN()) == 0);
  CHECK(speed_points(speed, -1) == 0);
}

TEST_CASE("an op is timed when its cases pass, and one without cases when all of the stage do") {
  StageResult stage;
  for (const char* op : {"forward", "backward"}) {
    CaseResult& result = stage.cases.emplace_back();
    result.name = std::string("one_") + op;
    result.op = op;
    result.status = Status::pass;
  }
  const auto message = [&](const char* op) {
    SpeedCase speed;
    speed.op = op;
    SpeedResult out;
    return held_back(speed, stage, out) ? out.message : "timed";
  };
  CHECK(message("forward") == "timed");
  CHECK(message("step") == "timed");
  stage.cases[1].status = Status::not_started;
  CHECK(message("forward") == "timed");
  CHECK(message("backward") == "Not timed: case one_backward of backward is NOT_STARTED.");
  CHECK(message("step") == "Not timed: case one_backward of backward is NOT_STARTED.");
}

TEST_CASE("an AddressSanitizer report becomes the student's line") {
  // g++ 12
  CHECK(explained("=================================================================\n"
                  "==8341==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x604000000034 "
                  "at pc 0x1 bp 0x2 sp 0x3\n"
                  "WRITE of size 4 at 0x604000000034 thread T0\n"
                  "    #0 0x7fa0446ba038 in memcpy ../../../src/libsanitizer/asan/asan.cpp:155\n"
                  "    #1 0x5581596c52da in conv2d_forward conv2d.cpp:7\n"
                  "    #2 0x7fa044445249 in main runner_main.cpp:58\n")
            .message == "heap-buffer-overflow at conv2d.cpp:7 in conv2d_forward().");
  // clang 14
  CHECK(explained("==8360==ERROR: AddressSanitizer: attempting double-free on 0x604000000010 in "
                  "thread T0:\n"
                  "    #0 0x55f14a41487d in operator delete[](void*) (/tmp/san+0xdf87d) "
                  "(BuildId: 85745b60)\n"
                  "    #1 0x55f14a4165f9 in dense_forward(float const*, int) "
                  "/tmp/work/dense.cpp:7:57\n")
            .message == "attempting double-free at dense.cpp:7 in dense_forward().");
  CHECK(explained("AddressSanitizer:DEADLYSIGNAL\n"
                  "==8344==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000e10 (pc 0x1 "
                  "T0)\n"
                  "    #0 0x55a1c66862f0 in main elsewhere.cpp:3\n")
            .message == "SEGV.");
}

TEST_CASE("an UndefinedBehaviorSanitizer report becomes the student's line") {
  const CaseResult result = explained(
      "debug output\nconv2d.cpp:6:53: runtime error: signed integer overflow: 2 + "
      "2147483647 cannot be represented in type 'int'\n"
      "    #0 0x55f54bb502b8 in main conv2d.cpp:6\n");
  CHECK(result.status == Status::crashed);
  CHECK(result.message ==
        "signed integer overflow: 2 + 2147483647 cannot be "
        "represented in type 'int' at conv2d.cpp:6.");
}

TEST_CASE("what is no sanitizer's report leaves a result as it was, of any shape and length") {
  for (const std::string& text :
       {std::string(), std::string("hello\n"), std::string("x: runtime error: nothing"),
        std::string(": runtime error: "), std::string("a:b:c: runtime error: d"),
        std::string(1 << 20, '#'), std::string(1 << 20, ':')}) {
    CHECK(explained(text).message == "as it was");
  }
  CHECK(explained("ERROR: AddressSanitizer: " + std::string(1 << 20, 'x')).status ==
        Status::crashed);
}

}  // namespace convkit

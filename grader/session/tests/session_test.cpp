// SPDX-License-Identifier: MIT
#include "session/session.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "catch.h"
#include "convkit/sentinel.h"

namespace convkit {
namespace {

constexpr int64_t kElements = 5;

SessionOptions options_for(const char* submission = CONVKIT_TEST_SUBMISSION) {
  SessionOptions options;
  options.runner = CONVKIT_TEST_RUNNER;
  options.confine = CONVKIT_CONFINE_PROGRAM;
  options.submission = submission;
  options.environment = {"LC_ALL=C.UTF-8"};
  options.limits.wall = std::chrono::seconds(20);
  options.limits.memory_bytes = 512ull << 20;
  options.limits.stack_bytes = 8 << 20;
  options.limits.output_bytes = 64 << 10;
  return options;
}

// A session with the tensors of one case: x = 1, 2, 3, 4, 5, and y.
struct Scene {
  explicit Scene(const SessionOptions& options = options_for())
      : x({{"x", DType::float32, {kElements}}}),
        y({{"y", DType::float32, {kElements}}}),
        session(options) {
    for (int i = 0; i < kElements; ++i) input()[i] = static_cast<float>(i + 1);
    y.poison();
  }

  Answer prepare(const std::string& op) {
    return session.prepare(op, {{"n", {kElements, true}}}, x, y);
  }
  Answer call(const std::string& op) {
    y.poison();
    Answer answer = prepare(op);
    return answer.kind == Answer::Kind::ok ? session.run() : answer;
  }
  float* input() { return reinterpret_cast<float*>(x.bytes(0).data()); }
  std::vector<float> output() const {
    const auto* values = reinterpret_cast<const float*>(y.bytes(0).data());
    return {values, values + kElements};
  }
  int64_t unwritten() const {
    int64_t count = 0;
    for (int64_t i = 0; i < kElements; ++i) {
      uint32_t bits = 0;
      std::memcpy(&bits, y.bytes(0).data() + i * 4, sizeof bits);
      count += bits == kSentinelBits;
    }
    return count;
  }

  SharedArena x, y;
  Session session;
};

const std::vector<float> kDoubled = {2, 4, 6, 8, 10};

size_t open_descriptors() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("a prepared case can be run many times, on inputs that change") {
  Scene scene;
  REQUIRE(scene.session.start().kind == Answer::Kind::ok);
  const Answer first = scene.call("doubles");
  REQUIRE(first.kind == Answer::Kind::ok);
  CHECK(first.seconds > 0);
  CHECK(scene.output() == kDoubled);

  scene.input()[0] = 50;
  scene.y.poison();
  REQUIRE(scene.session.run().kind == Answer::Kind::ok);
  CHECK(scene.output()[0] == 100);
  CHECK_FALSE(scene.y.margin_before_touched(0));
  CHECK_FALSE(scene.y.margin_after_touched(0));
}

TEST_CASE("a process that uses more memory than it may is ended, at its reply at the latest") {
  SessionOptions options = options_for();
  options.limits.resident_bytes = 50 << 20;
  Scene scene(options);
  REQUIRE(scene.call("doubles").kind == Answer::Kind::ok);
  const Answer answer = scene.call("uses_much_memory");
  CHECK(answer.kind == Answer::Kind::memory_limit);
  CHECK(answer.ending.memory_in_use > 50 << 20);
  CHECK_FALSE(scene.session.alive());
}

TEST_CASE("what a submission does not write keeps the sentinel") {
  Scene scene;
  REQUIRE(scene.call("writes_nothing").kind == Answer::Kind::ok);
  CHECK(scene.unwritten() == kElements);
}

TEST_CASE("a fault at a tensor is reported with the tensor, the place and the access") {
  struct Fault {
    const char* op;
    const char* tensor;
    protocol::Region region;
    protocol::Access access;
    int64_t element;
  };
  for (const Fault& fault : {
           Fault{"reads_past_the_end", "x", protocol::kAfterTensor, protocol::kRead, 16},
           Fault{"reads_before_the_beginning", "x", protocol::kBeforeTensor, protocol::kRead,
                 -1009},
           Fault{"writes_past_the_end", "y", protocol::kAfterTensor, protocol::kWrite, 16},
           Fault{"writes_before_the_beginning", "y", protocol::kBeforeTensor, protocol::kWrite,
                 -1009},
           Fault{"writes_to_its_input", "x", protocol::kInsideTensor, protocol::kWrite, 3},
       }) {
    INFO(fault.op);
    Scene scene;
    const Answer answer = scene.call(fault.op);
    REQUIRE(answer.kind == Answer::Kind::ended);
    CHECK(answer.ending.kind == Ending::Kind::signalled);
    CHECK(answer.ending.signal == SIGSEGV);
    CHECK(answer.record.tensor == std::string(fault.tensor));
    CHECK(answer.record.region == fault.region);
    CHECK(answer.record.element == fault.element);
#if defined(__x86_64__)
    CHECK(answer.record.access == fault.access);
#endif
    CHECK_FALSE(scene.session.alive());
  }
}

TEST_CASE("a null pointer and an endless recursion are told from a fault at a tensor") {
  Scene null;
  const Answer nowhere = null.call("follows_null");
  REQUIRE(nowhere.kind == Answer::Kind::ended);
  CHECK(nowhere.record.region == protocol::kNowhere);
  CHECK(nowhere.record.address < 4096);
  CHECK(nowhere.record.stack_overflow == 0);

  Scene deep;
  const Answer overflow = deep.call("recurses");
  REQUIRE(overflow.kind == Answer::Kind::ended);
  CHECK(overflow.record.stack_overflow != 0);

  Scene large;
  const Answer array = large.call("has_a_large_array");
  REQUIRE(array.kind == Answer::Kind::ended);
  CHECK(array.record.stack_overflow != 0);
}

TEST_CASE("what lands between a tensor and its guard page shows in the margins") {
  Scene after;
  REQUIRE(after.call("writes_just_past_the_end").kind == Answer::Kind::ok);
  CHECK(after.y.margin_after_touched(0));
  CHECK_FALSE(after.y.margin_before_touched(0));

  Scene before;
  REQUIRE(before.call("writes_just_before_the_beginning").kind == Answer::Kind::ok);
  CHECK(before.y.margin_before_touched(0));
  CHECK_FALSE(before.y.margin_after_touched(0));
}

TEST_CASE("a function that the submission does not define is named, and the session goes on") {
  Scene scene;
  const Answer answer = scene.call("nobody_defines_this");
  CHECK(answer.kind == Answer::Kind::missing_entry);
  CHECK(answer.text == "nobody_defines_this");
  CHECK(scene.call("doubles").kind == Answer::Kind::ok);
}

TEST_CASE("an op that the stage does not have is the kit's fault") {
  Scene scene;
  const Answer answer = scene.call("no_such_op");
  CHECK(answer.kind == Answer::Kind::case_error);
  CHECK(answer.text == "this stage has no op no_such_op");
}

TEST_CASE("an exception's text comes without its control characters, and the session goes on") {
  Scene scene;
  const Answer text = scene.call("throws_text");
  CHECK(text.kind == Answer::Kind::exception);
  CHECK(text.text == "no such  [31mlayer ");
  CHECK(scene.call("throws_a_number").text == "an exception that is no std::exception");
  REQUIRE(scene.call("doubles").kind == Answer::Kind::ok);
  CHECK(scene.output() == kDoubled);
}

TEST_CASE(
    "how a function is called comes with its answer where the harness says so, until the next") {
  Scene scene;
  const auto with_three = [&](const char* op) {
    const Answer prepared = scene.session.prepare(op, {{"n", {3, true}}}, scene.x, scene.y);
    return prepared.kind == Answer::Kind::ok ? scene.session.run() : prepared;
  };
  const Answer thrown = with_three("throws_text");
  CHECK(thrown.kind == Answer::Kind::exception);
  CHECK(thrown.call == "throws_text was called with 3 elements.");
  CHECK(scene.call("throws_text").call == "");  // of a case without a note
  const Answer crashed = with_three("follows_null");
  CHECK(crashed.kind == Answer::Kind::ended);
  CHECK(crashed.call == "follows_null was called with 3 elements.");
}

TEST_CASE("an exit with success is an end, not an answer") {
  Scene scene;
  const Answer answer = scene.call("exits");
  CHECK(answer.kind == Answer::Kind::ended);
  CHECK(answer.ending.kind == Ending::Kind::exited);
  CHECK(answer.ending.code == 0);
  CHECK(scene.call("doubles").kind == Answer::Kind::ended);
}

TEST_CASE("a request that takes too long ends the process") {
  SessionOptions options = options_for();
  options.limits.wall = std::chrono::milliseconds(400);
  Scene scene(options);
  REQUIRE(scene.session.start().kind == Answer::Kind::ok);
  CHECK(scene.call("loops").kind == Answer::Kind::timed_out);
  CHECK_FALSE(scene.session.alive());
}

TEST_CASE("what other programs take of a processor is not the submission's time") {
  SessionOptions options = options_for();
  options.limits.wall = std::chrono::milliseconds(1000);
  options.cpu = 0;
  Scene scene(options);
  REQUIRE(scene.prepare("computes_for_a_while").kind == Answer::Kind::ok);
  Command busy;
  busy.argv = {"/bin/sh", "-c", "while :; do :; done"};
  busy.cpu = 0;
  std::vector<std::unique_ptr<Process>> others;
  for (int i = 0; i < 4; ++i) others.push_back(std::make_unique<Process>(busy, Limits{}));
  const Answer answer = scene.session.run();
  // On a machine that others use as well.
  CHECK((answer.kind == Answer::Kind::ok || answer.kind == Answer::Kind::starved));
  // Nobody but a sleeper has used a second by then.
  options.limits.wall = std::chrono::milliseconds(400);
  Scene asleep(options);
  if (asleep.session.start().kind == Answer::Kind::ok) {
    CHECK(asleep.call("sleeps").kind == Answer::Kind::timed_out);
    CHECK(asleep.session.own_time_s() > 0.2);  // it slept through its limit
  }
}

TEST_CASE("the time limit holds for each request by itself") {
  SessionOptions options = options_for();
  options.limits.wall = std::chrono::milliseconds(400);
  Scene scene(options);
  REQUIRE(scene.call("doubles").kind == Answer::Kind::ok);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  CHECK(scene.session.run().kind == Answer::Kind::ok);
}

TEST_CASE("a submission that hangs or is missing while it is loaded is told apart") {
  SessionOptions hangs = options_for(CONVKIT_TEST_HANGS);
  hangs.limits.wall = std::chrono::milliseconds(400);
  Answer::Kind kind = Session(hangs).start().kind;
  // On a machine that others use as well, the grader asks again, too.
  for (int i = 0; i < 5 && kind == Answer::Kind::starved; ++i) kind = Session(hangs).start().kind;
  CHECK(kind == Answer::Kind::timed_out);

  const Session unloadable(options_for(CONVKIT_SOURCE_DIR "/README.md"));
  CHECK(unloadable.start().kind == Answer::Kind::load_failed);
  // Where it lies says nothing to a student: it is a file of the cache.
  CHECK(unloadable.start().text == "invalid ELF header");
}

TEST_CASE("a tensor that does not fit is named with its size and the limit") {
  SharedArena x({{"x", DType::float32, {int64_t{256} << 20}}});
  SharedArena y({{"y", DType::float32, {kElements}}});
  for (const char* submission : {CONVKIT_TEST_SUBMISSION, ""}) {
    Session session(options_for(submission));
    const Answer answer = session.prepare("doubles", {{"n", {kElements, true}}}, x, y);
    CHECK(answer.kind == Answer::Kind::case_error);
    CHECK(answer.text ==
          "the tensor `x` of 1024 MiB does not fit into the 512 MiB of address space that the "
          "process may have (memory_mib in stage.toml)");
  }
}

TEST_CASE("what a case prints is there when its answer is") {
  Scene scene;
  REQUIRE(scene.call("prints").kind == Answer::Kind::ok);
  CHECK(scene.session.output() == "5 elements\n");
  REQUIRE(scene.call("prints").kind == Answer::Kind::ok);
  CHECK(scene.session.output() == "5 elements\n5 elements\n");
}

TEST_CASE("a flood of output ends the process, and the first bytes are kept") {
  Scene scene;
  CHECK(scene.call("floods").kind == Answer::Kind::output_limit);
  CHECK(scene.session.output().size() == 64 << 10);
}

TEST_CASE("a runner whose channel was closed ends when it has to answer") {
  Scene scene;
  const Answer answer = scene.call("closes_the_channel");
  CHECK(answer.kind == Answer::Kind::ended);
  CHECK(answer.ending.code == 0);
  CHECK(answer.record.cannot_reply != 0);
}

TEST_CASE("a message that is not a reply is tampering, whatever it begins with") {
  for (const char* op : {"writes_garbage_to_the_channel", "writes_a_long_message_to_the_channel"}) {
    INFO(op);
    Scene scene;
    CHECK(scene.call(op).kind == Answer::Kind::tampered);
    CHECK_FALSE(scene.session.alive());
  }
}

TEST_CASE("what a handler of SIGCONT does is on the clock") {
  Scene scene;
  REQUIRE(scene.call("works_when_continued").kind == Answer::Kind::ok);
  const Answer answer = scene.session.run_timed(1);
  CHECK(answer.kind == Answer::Kind::ok);
  CHECK(answer.seconds >= 0.03);
}

TEST_CASE("the clock runs from before the inputs are revealed until the snapshot is taken") {
  Scene scene;
  REQUIRE(scene.call("doubles").kind == Answer::Kind::ok);
  scene.y.poison();
  const auto nap = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  int64_t before = -1, after = -1;
  const Shutter shutter{[&] { nap(), before = scene.unwritten(); },
                        [&] { nap(), after = scene.unwritten(); }};
  const Answer answer = scene.session.run_timed(1, shutter);
  CHECK(answer.kind == Answer::Kind::ok);
  CHECK(before == kElements);
  CHECK(after == 0);
  CHECK(answer.seconds >= 0.04);
}

TEST_CASE("an empty run calls no function") {
  Scene scene;
  REQUIRE(scene.call("doubles").kind == Answer::Kind::ok);
  scene.y.poison();
  CHECK(scene.session.run_empty().kind == Answer::Kind::ok);
  CHECK(scene.unwritten() == kElements);
}

TEST_CASE("after a reply a submission stands still: it cannot work on its output") {
  for (const char* op : {"replies_before_the_work", "works_on_after_returning"}) {
    INFO(op);
    for (int i = 0; i < 20; ++i) {
      Scene scene;
      REQUIRE(scene.call(op).kind == Answer::Kind::ok);
      const std::vector<std::byte> then(scene.y.bytes(0).begin(), scene.y.bytes(0).end());
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      CHECK(std::ranges::equal(then, scene.y.bytes(0)));
    }
  }
}

TEST_CASE("a runner without a submission prepares what the kit has, and is the kit's own word") {
  Scene scene(options_for(""));
  REQUIRE(scene.session.start().kind == Answer::Kind::ok);
  CHECK(scene.session.rehearse("nobody_defines_this", {{"n", {kElements, true}}}, scene.x, scene.y)
            .kind == Answer::Kind::ok);
  const Answer missing = scene.session.rehearse("doubles", {}, scene.x, scene.y);
  CHECK(missing.kind == Answer::Kind::kit_fault);
  CHECK(missing.text == "the case has no parameter n.");
}

TEST_CASE("a runner that fails before it loads the submission is the kit's fault") {
  SessionOptions options = options_for();
  options.limits.memory_bytes = 1 << 20;
  const Session session(options);
  CHECK(session.start().kind == Answer::Kind::kit_fault);
  CHECK_THAT(session.start().text, Catch::StartsWith("The runner "));
}

TEST_CASE("what a submission holds shows in the footprint of its process") {
  Scene scene;
  REQUIRE(scene.call("doubles").kind == Answer::Kind::ok);
  const Footprint clean = *scene.session.footprint();
  CHECK(clean.threads == 1);
  REQUIRE(scene.call("joins_a_thread").kind == Answer::Kind::ok);
  CHECK(scene.session.footprint()->threads == 1);
  REQUIRE(scene.call("leaks_a_descriptor").kind == Answer::Kind::ok);
  CHECK(scene.session.footprint()->descriptors == clean.descriptors + 1);
  REQUIRE(scene.call("leaves_a_thread_with_a_lock").kind == Answer::Kind::ok);
  CHECK(scene.session.footprint()->threads == 2);
  REQUIRE(scene.call("leaks_memory").kind == Answer::Kind::ok);
  CHECK(scene.session.footprint()->memory >= clean.memory + (100 << 20));
}

TEST_CASE("the files that tensors cross in cannot change their size") {
  const SharedArena arena({{"x", DType::float32, {1000}}});
  CHECK(ftruncate(arena.fd(), 0) == -1);
  CHECK(errno == EPERM);
  CHECK(ftruncate(arena.fd(), 1 << 20) == -1);
  CHECK(fcntl(arena.fd(), F_ADD_SEALS, F_SEAL_WRITE) == -1);
}

TEST_CASE("tensors lie against the end of their pages, aligned, and know their margins") {
  SharedArena arena({{"a", DType::float32, {3, 5}},
                     {"empty", DType::float32, {0}},
                     {"bytes", DType::uint8, {7}},
                     {"page", DType::float64, {512}}});
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  arena.poison();
  for (size_t i = 0; i < arena.tensors().size(); ++i) {
    INFO(arena.tensors()[i].name);
    CHECK(arena.offset(i) % protocol::kTensorAlignment == 0);
    const uint64_t left = arena.offset(i) + arena.tensors()[i].bytes();
    CHECK((page - left % page) % page < protocol::kTensorAlignment);
    CHECK_FALSE(arena.margin_before_touched(i));
    CHECK_FALSE(arena.margin_after_touched(i));
    const auto bytes = arena.bytes(i);
    std::fill(bytes.begin(), bytes.end(), std::byte{0});
  }
  for (size_t i = 0; i < arena.tensors().size(); ++i) {
    CHECK_FALSE(arena.margin_before_touched(i));
    CHECK_FALSE(arena.margin_after_touched(i));
  }
}

TEST_CASE("a flight record that was damaged costs its words, not the verdict") {
  Scene empty;
  const Answer crashed = empty.call("empties_the_flight_record_and_crashes");
  CHECK(crashed.kind == Answer::Kind::ended);
  CHECK(crashed.ending.kind == Ending::Kind::signalled);

  Scene full;
  const Answer exited = full.call("fills_the_flight_record_and_exits");
  CHECK(exited.kind == Answer::Kind::ended);
  CHECK(exited.ending.code == 3);
  CHECK(exited.text == std::string(sizeof exited.record.text, ' '));
  CHECK(exited.record.tensor == std::string(sizeof exited.record.tensor - 1, ' '));
  CHECK(exited.call.empty());  // it tells of no call
}

TEST_CASE("after a crash a new session works as if nothing had happened") {
  {
    Scene broken;
    REQUIRE(broken.call("follows_null").kind == Answer::Kind::ended);
  }
  Scene next;
  REQUIRE(next.call("doubles").kind == Answer::Kind::ok);
  CHECK(next.output() == kDoubled);
}

TEST_CASE("sessions leave no descriptor behind, whether they start or not") {
  { Scene first; }  // what is made once and kept
  const size_t before = open_descriptors();
  for (int i = 0; i < 3; ++i) {
    Scene scene;
    CHECK(scene.call("doubles").kind == Answer::Kind::ok);
  }
  SessionOptions broken = options_for();
  broken.runner = "/nonexistent/runner";
  for (int i = 0; i < 3; ++i) CHECK_THROWS_AS(Session(broken), std::system_error);
  CHECK(open_descriptors() == before);
}

}  // namespace convkit

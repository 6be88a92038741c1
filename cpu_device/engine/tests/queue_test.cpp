// SPDX-License-Identifier: MIT
// The order of streams and events. Nothing runs before it must, so what ran is what had to.
#include "cpu_device/engine/queue.h"

#include <string>

#include "catch.h"

namespace convkit::simt {
namespace {

// Work writes its letter.
struct Scene {
  Queue queue;
  std::string ran;
  CUstream_st* legacy = queue.resolve(nullptr);
  CUstream_st* a = queue.create(true, 0);
  CUstream_st* b = queue.create(true, 0);
  CUstream_st* apart = queue.create(false, 0);  // non-blocking

  void push(CUstream_st* stream, char letter) {
    queue.push(stream, [this, letter] { ran += letter; });
  }
  std::shared_ptr<Event> recorded(CUstream_st* stream) {
    auto event = std::make_shared<Event>();
    queue.record(stream, event);
    return event;
  }
};

}  // namespace

TEST_CASE("work waits until somebody waits for it, and runs in its stream's order") {
  Scene s;
  s.push(s.a, '1');
  s.push(s.a, '2');
  s.push(s.a, '3');
  CHECK(s.ran.empty());
  s.queue.drain(s.a);
  CHECK(s.ran == "123");
  s.queue.drain(s.a);
  CHECK(s.ran == "123");
}

TEST_CASE("streams do not wait for one another") {
  Scene s;
  s.push(s.a, 'a');
  s.push(s.b, 'b');
  s.push(s.apart, 'n');
  s.queue.drain(s.b);
  CHECK(s.ran == "b");
  s.queue.drain(s.apart);
  CHECK(s.ran == "bn");
}

TEST_CASE("the legacy stream waits for what was queued before it in blocking streams") {
  Scene s;
  s.push(s.a, 'a');
  s.push(s.apart, 'n');
  s.push(s.legacy, 'L');
  s.push(s.b, 'b');
  s.queue.drain(s.legacy);
  CHECK(s.ran == "aL");
}

TEST_CASE("a blocking stream waits for what was queued before it in the legacy stream") {
  Scene s;
  s.push(s.b, 'b');
  s.push(s.legacy, 'L');
  s.push(s.a, 'a');
  s.push(s.legacy, 'M');
  s.queue.drain(s.a);
  CHECK(s.ran == "bLa");  // and not for M, which came later
}

TEST_CASE("a blocking stream does not wait for legacy work that came later") {
  Scene s;
  s.push(s.a, 'a');
  s.push(s.legacy, 'L');
  s.queue.drain(s.a);
  CHECK(s.ran == "a");
}

TEST_CASE("a non-blocking stream is ordered with the legacy stream by events only") {
  Scene s;
  s.push(s.legacy, 'L');
  s.push(s.apart, 'n');
  SECTION("neither waits for the other") {
    s.queue.drain(s.apart);
    CHECK(s.ran == "n");
  }
  SECTION("unless there is an event") {
    s.queue.push_wait(s.apart, s.recorded(s.legacy));
    s.push(s.apart, 'm');
    s.queue.drain(s.apart);
    CHECK(s.ran == "nLm");
  }
}

TEST_CASE("the handles of the default streams mean the legacy stream") {
  Scene s;
  CHECK(s.queue.resolve(cudaStreamLegacy) == s.legacy);
  CHECK(s.queue.resolve(s.a) == s.a);
  int no_stream = 0;
  CHECK(s.queue.resolve(reinterpret_cast<cudaStream_t>(&no_stream)) == nullptr);
}

TEST_CASE("a wait holds back what comes after it until the event's record, and no more") {
  Scene s;
  s.push(s.a, '1');
  const auto event = s.recorded(s.a);
  s.push(s.a, '2');
  s.push(s.b, 'x');
  s.queue.push_wait(s.b, event);
  s.push(s.b, 'y');
  s.queue.drain(s.b);
  CHECK(s.ran == "x1y");
  CHECK(event->done);
}

TEST_CASE("a wait means the record that was the last one when it was queued") {
  Scene s;
  s.push(s.a, '1');
  const auto event = s.recorded(s.a);
  s.queue.push_wait(s.b, event);
  s.push(s.b, 'x');
  s.push(s.a, '2');
  s.queue.record(s.a, event);
  s.queue.drain(s.b);
  CHECK(s.ran == "1x");
  CHECK_FALSE(event->done);  // it was recorded anew
  s.queue.drain_event(*event);
  CHECK(s.ran == "1x2");
  CHECK(event->done);
}

TEST_CASE("an event that was never recorded holds nothing back") {
  Scene s;
  const auto event = std::make_shared<Event>();
  s.queue.push_wait(s.a, event);
  s.push(s.a, 'a');
  s.queue.drain_event(*event);
  CHECK(s.ran.empty());
  s.queue.drain(s.a);
  CHECK(s.ran == "a");
  CHECK(event->done);
}

TEST_CASE("waiting for an event runs its stream as far as its record, and stamps the time") {
  Scene s;
  const auto begin = s.recorded(s.a);
  s.push(s.a, '1');
  const auto end = s.recorded(s.a);
  s.push(s.a, '2');
  CHECK_FALSE(end->done);
  s.queue.drain_event(*end);
  CHECK(s.ran == "1");
  CHECK((begin->done && end->done));
  CHECK(end->at >= begin->at);
}

TEST_CASE("events chain streams") {
  Scene s;
  CUstream_st* c = s.queue.create(false, 0);
  s.push(s.apart, '1');
  s.queue.push_wait(s.a, s.recorded(s.apart));
  s.push(s.a, '2');
  s.queue.push_wait(c, s.recorded(s.a));
  s.push(c, '3');
  s.queue.drain(c);
  CHECK(s.ran == "123");
}

TEST_CASE("a stream that two wait for runs its work once") {
  Scene s;
  s.push(s.a, '1');
  const auto event = s.recorded(s.a);
  s.queue.push_wait(s.b, event);
  s.queue.push_wait(s.apart, event);
  s.push(s.b, 'b');
  s.push(s.apart, 'n');
  s.queue.drain_all();
  CHECK(s.ran == "1bn");
}

TEST_CASE("waiting for everything runs it in the order it was queued in") {
  Scene s;
  s.push(s.b, '1');
  s.push(s.apart, '2');
  s.push(s.a, '3');
  s.push(s.legacy, '4');
  s.push(s.b, '5');
  s.queue.drain_all();
  CHECK(s.ran == "12345");
}

TEST_CASE("a program that polls gets on by one operation each time") {
  Scene s;
  s.push(s.a, '1');
  s.push(s.a, '2');
  CHECK_FALSE(s.queue.poll(s.a));
  CHECK(s.ran == "1");
  CHECK_FALSE(s.queue.poll(s.a));
  CHECK(s.queue.poll(s.a));
  CHECK(s.ran == "12");
}

TEST_CASE("when 1024 operations are pending, the oldest of them run") {
  Scene s;
  for (int i = 0; i < 1024; ++i) s.push(i % 2 ? s.a : s.apart, static_cast<char>('0' + i % 10));
  CHECK(s.ran.empty());
  s.push(s.b, 'b');
  REQUIRE(s.ran.size() == 513);  // half of them stay
  for (size_t i = 0; i < s.ran.size(); ++i) REQUIRE(s.ran[i] == static_cast<char>('0' + i % 10));
  s.queue.drain_all();
  CHECK(s.ran.size() == 1025);
  CHECK(s.ran.back() == 'b');
}

TEST_CASE("a wait is a pending operation, too") {
  Scene s;
  s.push(s.a, 'a');
  const auto event = s.recorded(s.a);
  for (int i = 0; i < 5000; ++i) s.queue.push_wait(s.b, event);
  s.queue.drain_all();
  CHECK(s.ran == "a");
  CHECK((s.a->unjoined.empty() && s.b->unjoined.empty()));
}

TEST_CASE("an operation comes before those that streams, events or the host put behind it") {
  Scene s;
  const auto pushed = [&](CUstream_st* stream) {
    const auto task = std::make_shared<Task>();
    s.queue.push(
        stream, [] {}, task);
    return task;
  };
  CUstream_st* const other = s.queue.create(false, 0);
  const auto first = pushed(s.apart), second = pushed(s.apart), elsewhere = pushed(other);
  CHECK(first->comes_before(*second));
  CHECK_FALSE(second->comes_before(*first));
  CHECK_FALSE(second->comes_before(*elsewhere));
  const auto event = s.recorded(s.apart);
  s.queue.push_wait(other, event);
  const auto behind = pushed(other);
  CHECK(second->comes_before(*behind));
  const auto later = pushed(s.apart);
  CHECK_FALSE(later->comes_before(*pushed(other)));
  s.queue.drain(s.apart);
  CHECK(later->comes_before(*pushed(other)));
  // The legacy stream and blocking ones wait for each other.
  const auto blocking = pushed(s.a), legacy = pushed(s.legacy), after = pushed(s.b);
  CHECK(blocking->comes_before(*legacy));
  CHECK(blocking->comes_before(*after));
  CHECK_FALSE(legacy->comes_before(*pushed(s.apart)));
  // What was in a stream that is gone comes before all that follows, and before nothing else.
  const auto earlier = pushed(s.apart);
  const auto last = pushed(other);
  s.queue.drain(other);
  s.queue.destroy(other);
  s.queue.drain_all();
  s.queue.create(true, 0);
  CHECK(last->comes_before(*pushed(s.apart)));
  CHECK_FALSE(last->comes_before(*earlier));
}

TEST_CASE("work that nobody has waited for is listed in the order of the calls") {
  Scene s;
  const auto push = [&](CUstream_st* stream, const char* name, bool upkeep) {
    const auto task = std::make_shared<Task>();
    task->name = name;
    if (upkeep) {
      s.queue.push_upkeep(
          stream, [] {}, task);
    } else {
      s.queue.push(
          stream, [] {}, task);
    }
  };
  push(s.apart, "kernel", false);
  push(s.legacy, "cudaMemset", false);
  push(s.apart, "cudaEventRecord", true);
  const std::vector<Unjoined> work = s.queue.unjoined_tasks();
  REQUIRE(work.size() == 2);
  CHECK(work[0].task->name == "kernel");
  REQUIRE(work[0].event);
  CHECK(work[0].stream == s.apart->origin->number);
  CHECK(work[1].task->name == "cudaMemset");
  CHECK_FALSE(work[1].event);
  CHECK(work[1].stream == 0);
  CHECK(s.queue.pending_work() == 2);
  s.queue.run_unjoined();
  CHECK(s.queue.pending_work() == 0);
  CHECK(s.queue.unjoined_tasks().size() == 2);
  s.queue.drain_all();
  CHECK(s.queue.unjoined_tasks().empty());
}

TEST_CASE("records, waits and frees are pending, but are no work that is missed") {
  Scene s;
  s.push(s.a, 'a');
  const auto event = s.recorded(s.a);
  s.queue.push_wait(s.b, event);
  s.queue.push_upkeep(s.legacy, [&s] { s.ran += 'f'; });
  CHECK(s.queue.pending() == 4);
  CHECK(s.queue.unjoined_work() == 1);
  s.push(s.apart, 'n');
  CHECK(s.queue.unjoined_work() == 2);
  s.queue.drain(s.b);
  CHECK(s.ran == "a");
  CHECK(s.queue.unjoined_work() == 1);
  s.queue.drain_all();
  CHECK(s.ran.size() == 3);
  CHECK(s.queue.unjoined_work() == 0);
}

TEST_CASE("a destroyed stream goes on with its work, and its handle means nothing more") {
  Scene s;
  s.push(s.a, '1');
  const auto event = s.recorded(s.a);
  s.push(s.a, '3');
  s.queue.push_wait(s.b, event);
  s.push(s.b, '2');
  s.queue.destroy(s.a);
  CHECK(s.ran.empty());
  CHECK(s.queue.resolve(s.a) == nullptr);
  CHECK(s.queue.unjoined_work() == 3);
  SECTION("an event joins it") {
    s.queue.drain(s.b);
    CHECK(s.ran == "12");
    CHECK(event->done);
    CHECK(s.queue.unjoined_work() == 1);
  }
  SECTION("the legacy stream waits for it") {
    s.push(s.legacy, 'L');
    s.queue.drain(s.legacy);
    CHECK(s.ran.size() == 4);
    CHECK(s.ran.back() == 'L');
    CHECK(s.queue.unjoined_work() == 0);
  }
  SECTION("the device waits for it, and then it is forgotten") {
    s.queue.drain_all();
    CHECK(s.ran == "132");
    s.queue.create(true, 0);
    s.queue.drain_event(*event);
    CHECK(s.ran == "132");
  }
}

TEST_CASE("work that ran to make room is joined when somebody waits for it, and not before") {
  Scene s;
  s.push(s.legacy, '0');
  s.push(s.a, '1');  // behind the legacy work
  const auto first = s.recorded(s.a);
  s.push(s.a, '2');
  s.push(s.a, '3');
  s.queue.push_wait(s.b, first);
  const auto second = s.recorded(s.b);  // and so behind the first
  for (int i = 0; i < 1100; ++i) s.push(s.apart, '.');
  REQUIRE(s.ran.substr(0, 5) == "0123.");
  s.queue.drain(s.apart);
  CHECK(s.ran.size() == 1104);
  CHECK(s.queue.unjoined_work() == 4);
  SECTION("waiting for an event joins what was before its record, and what that waited for") {
    CHECK(first->done);
    s.queue.drain_event(*second);
    CHECK(s.queue.unjoined_work() == 2);
  }
  SECTION("a wait in another stream joins it when that stream is waited for") {
    s.queue.push_wait(s.apart, second);
    CHECK(s.queue.unjoined_work() == 4);
    s.queue.drain(s.apart);
    CHECK(s.queue.unjoined_work() == 2);
  }
  SECTION("a poll joins it when it says that nothing is left") {
    s.push(s.a, '4');
    CHECK_FALSE(s.queue.poll(s.a));
    CHECK(s.queue.unjoined_work() == 5);
    CHECK(s.queue.poll(s.a));
    CHECK(s.queue.unjoined_work() == 0);
  }
  SECTION("the legacy stream joins blocking streams") {
    s.push(s.legacy, 'L');
    s.queue.drain(s.legacy);
    CHECK(s.queue.unjoined_work() == 0);
  }
  SECTION("a destroyed stream's work is not forgotten") {
    s.queue.destroy(s.a);
    s.queue.create(true, 0);
    CHECK(s.queue.unjoined_work() == 4);
    s.queue.drain(s.b);
    CHECK(s.queue.unjoined_work() == 2);
    s.queue.drain_all();
    CHECK(s.queue.unjoined_work() == 0);
  }
  SECTION("waiting for the device joins everything, and nothing runs twice") {
    s.queue.drain_all();
    CHECK(s.queue.unjoined_work() == 0);
    CHECK(s.ran.size() == 1104);
  }
}

TEST_CASE("a long loop of launches keeps no list of what has run") {
  Scene s;
  for (int i = 0; i < 5000; ++i) s.push(i % 2 ? s.a : s.apart, '.');
  CHECK(s.queue.unjoined_work() == 5000);
  CHECK(s.a->unjoined.size() + s.apart->unjoined.size() <= 1026);
  s.queue.drain(s.a);
  CHECK(s.queue.unjoined_work() == 2500);
  s.queue.drain_all();
  CHECK(s.ran.size() == 5000);
  CHECK(s.queue.unjoined_work() == 0);
}

TEST_CASE("work may queue more work") {
  Scene s;
  s.queue.push(s.a, [&s] {
    s.ran += '1';
    s.push(s.a, '3');
    s.push(s.b, 'x');
  });
  s.push(s.a, '2');
  s.queue.drain_all();
  CHECK(s.ran == "123x");
}

}  // namespace convkit::simt

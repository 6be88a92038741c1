// SPDX-License-Identifier: MIT
// What a runner sends and leaves behind, up to the words that a student and a terminal see. An
// input is: phase, how the process ended, its signal, the length of a message; the message; the
// record.
#include "session/replies.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "fuzz.h"
#include "grade/verdict.h"
#include "report/plain_text.h"

namespace convkit {
namespace {

// Takes the next bytes of the input; zeros where it has ended.
class Input {
 public:
  explicit Input(std::span<const uint8_t> bytes) : rest_(bytes) {}
  template <class T>
  T take() {
    T value{};
    const size_t count = std::min(sizeof value, rest_.size());
    std::memcpy(&value, rest_.data(), count);
    rest_ = rest_.subspan(count);
    return value;
  }

 private:
  std::span<const uint8_t> rest_;
};

void check_words(const Answer& answer) {
  static const Stage stage = [] {
    Stage gpu;
    gpu.device = "gpu";
    return gpu;
  }();
  for (const char* called : {"conv2d", ""}) {
    const Verdict verdict = verdict_of(answer, stage, called, 4);
    fuzz::require(verdict.status != Status::pass, "no words of a runner make a case pass");
    fuzz::require(answer.kind == Answer::Kind::ok || verdict.status != Status::grader_error,
                  "a runner with a submission in it does not speak for the kit");
    fuzz::require(verdict.message.size() < 2000, "a message is bounded");
    for (const char ch : verdict.message) {
      fuzz::require(static_cast<unsigned char>(ch) >= 0x20 && ch != 0x7f,
                    "a message has no control characters");
    }
    plain_text(verdict.message);
  }
}

}  // namespace
}  // namespace convkit

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace convkit;
  Input input({data, size});
  const auto phase = RunnerPhase{input.take<uint8_t>() % 3};
  const bool killed = input.take<uint8_t>() % 2 != 0;
  const int signal = input.take<uint8_t>() % 65;
  const size_t length = input.take<uint8_t>();
  const auto reply = input.take<protocol::Reply>();
  const auto record = input.take<protocol::FlightRecord>();

  Answer answer;
  keep_record(record, answer);
  fuzz::require(answer.text.size() <= sizeof record.text, "the text is bounded");
  fuzz::require(strnlen(answer.record.tensor, sizeof record.tensor) < sizeof record.tensor,
                "the name of a tensor ends");
  answer.kind = Answer::Kind::ended;
  answer.ending.kind = killed ? Ending::Kind::signalled : Ending::Kind::exited;
  answer.ending.signal = signal;
  check_words(answer);

  if (is_reply(reply, length, phase, 7)) {
    fuzz::require(length == sizeof reply && reply.request == 7, "a reply answers its request");
    answer.kind = kind_of(reply.kind);
    fuzz::require(answer.kind != Answer::Kind::kit_fault, "no reply speaks for the kit");
    if (answer.kind != Answer::Kind::ok) check_words(answer);
  }
  return 0;
}

// SPDX-License-Identifier: MIT
// A runner process with one submission loaded, and the conversation with it.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "convkit/temporary_folder.h"
#include "process/file_descriptor.h"
#include "process/footprint.h"
#include "process/process.h"
#include "session/replies.h"
#include "session/shared_tensors.h"
#include "stage/stage.h"

namespace convkit {

struct SessionOptions {
  std::filesystem::path runner;                  // the stage's runner executable
  std::filesystem::path confine;                 // convkit-confine
  std::filesystem::path submission;              // its shared object; empty: none is loaded
  std::vector<std::filesystem::path> libraries;  // of the kit, that the runner itself loads
  std::filesystem::path kit;                     // the kit's folder, which stays hidden
  std::vector<std::string> environment;
  Limits limits;                // wall: of one request, the start included, as own_time.h counts it
  bool open_libraries = false;  // the kit's own peers load vendor libraries
  std::vector<std::filesystem::path> writable;  // what it may write in addition to its outputs
  std::vector<std::filesystem::path> devices;   // files of a GPU's driver that it may use
  bool check = false;             // the runner's CPU device is in check mode: its reports count
  std::filesystem::path sources;  // in check mode: the folder whose lines its reports quote
  bool device = false;            // tensors are in device memory: a GPU stage
  std::filesystem::path memory_owner;  // convkit-gpu-memory, which owns it while time is measured
  bool confined = true;           // false: sanitizer runs of `check` on the student's own machine
  int cpu = -1;                   // pin to this CPU
  bool watched = false;           // by a tool: the runner keeps its rights, and is not stopped
  std::vector<std::string> tool;  // words before the runner's own

  // For `tool`, which starts the runner itself, in the user's own environment. Unconfined: for the
  // student's own machine only.
  void watch(std::vector<std::string> tool_words);
};

// Tensors of device memory that another process owns.
struct DeviceSlots {
  struct Tensor {
    TensorSpec spec;
    uint64_t offset = 0;  // bytes from the beginning of a slot
  };
  int fd = -1;
  uint64_t bytes = 0;  // of the memory
  unsigned slots = 1;
  uint64_t slot_bytes = 0;
  std::vector<Tensor> inputs, outputs;
};

// What happens when a clock starts, and before it stops.
struct Shutter {
  std::function<void()> reveal, snapshot;
};

// Between a reply and the next request the process is stopped. What it left running can neither
// write to an output that is being judged nor slow down what is timed in turn with it. What it does
// between its reply and its stop, or in a handler of SIGCONT, is on the clock: a reply that was
// forged before the work was done gains nothing.
class Session {
 public:
  // Starts the runner and waits until the submission is loaded; start() says how that went.
  explicit Session(const SessionOptions& options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Answer& start() const { return start_; }
  bool alive() const;

  // Gives the runner a case. `inputs` and `outputs` must outlive its runs.
  Answer prepare(const std::string& op, const Params& params, const SharedArena& inputs,
                 const SharedArena& outputs);
  // The same for a GPU stage, where the tensors lie in device memory of another process, once for
  // each call of a request. Its outputs are nowhere else.
  Answer prepare(const std::string& op, const Params& params, const DeviceSlots& slots);
  // Calls the prepared case once. For a GPU stage: after queueing the copies of the inputs on the
  // stream, which are still on their way when the function is called.
  Answer run();
  // To be timed: `seconds` counts no copies. The function is called `times` times in a row; the
  // inputs of a GPU stage are on the device before.
  Answer run_timed(unsigned times);
  // The same where the tensors lie in device memory: each call in the next slot. The clock starts
  // before `reveal`, while the process still stands, and stops after `snapshot`, when it stands
  // again and the answer is ok.
  Answer run_timed(unsigned times, const Shutter& shutter);
  // What such a request itself takes: the function is not called. Outputs keep what they hold.
  Answer run_empty();
  Answer run_empty(const Shutter& shutter) { return run_timed(0, shutter); }

  // Prepares a case for a runner without a submission, and copies its tensors to the device and
  // back. What fails here is the kit's own fault.
  Answer rehearse(const std::string& op, const Params& params, const SharedArena& inputs,
                  const SharedArena& outputs);

  // Of the requests that follow, in the place of the options' limits.wall.
  void limit(std::chrono::milliseconds wall) { options_.limits.wall = wall; }

  // What the process holds: after an answer, it stands still. Nothing where it has ended.
  std::optional<Footprint> footprint() const { return footprint_of(program_); }

  // Lets the runner end by itself, so that a tool that watches it can print its report.
  Ending finish();
  // Seconds that all threads of the runner together have run so far, or ran until it ended, and
  // those in which a request waited and all of them slept: time of the submission's own.
  double own_time_s() const;

  // Ends it at once, and with it what it left running on a device.
  void end() { process_->kill(); }

  // What the submission printed so far (at most the limit's first bytes).
  const std::string& output() const;

 private:
  void bring_within_reach();
  void forget_path(std::string& text) const;
  Answer run_between(const std::string& load, const std::string& run);
  Answer exchange(const std::string& request, std::array<int, 2> fds,
                  const Shutter* shutter = nullptr);
  // `before_s`: processor time of the program when the request was sent.
  Answer await_reply(std::chrono::steady_clock::time_point sent, double before_s,
                     const Shutter* shutter = nullptr);
  void await_standstill() const;
  Answer answer_of(const protocol::Reply& reply) const;
  Answer ended() const;
  void read_record(Answer& answer) const;  // what the runner has left in its flight record
  Answer ended_by_us(Answer::Kind why);

  RunnerPhase phase_ = RunnerPhase::starting;
  uint32_t requests_ = 0;  // sent so far; a reply names the one it answers
  SessionOptions options_;
  FileDescriptor socket_;
  FileDescriptor record_;
  std::unique_ptr<TemporaryFolder> copy_;  // of the submission
  std::unique_ptr<Process> process_;
  pid_t program_ = -1;        // the runner itself, inside its sandbox
  double before_kill_s_ = 0;  // processor time of a runner that was killed
  double slept_s_ = 0;        // in requests, as far as was looked at
  Answer start_;
};

}  // namespace convkit

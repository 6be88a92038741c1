// SPDX-License-Identifier: MIT
#include "session/session.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "process/channels.h"
#include "process/descriptor_message.h"
#include "process/own_time.h"
#include "process/sandbox.h"
#include "process/sandbox_user.h"

namespace convkit {
namespace {

using Clock = std::chrono::steady_clock;

// A process that is stuck in a device stops when the device lets it.
constexpr auto kStandstillPatience = std::chrono::seconds(2);
constexpr auto kNap = std::chrono::microseconds(50);

// What the system's loader says where the C or C++ library of this machine is older than that of
// the machine where a program was built: "GLIBC_2.38"; "" where it says something else.
std::string library_version_missed(const std::string& printed) {
  constexpr std::string_view kBefore = ": version `", kAfter = "' not found";
  const size_t before = printed.find(kBefore);
  if (before == printed.npos) return "";
  const size_t begin = before + kBefore.size(), end = printed.find(kAfter, begin);
  const std::string version = printed.substr(begin, end == printed.npos ? 0 : end - begin);
  return version.starts_with("GLIBC") || version.starts_with("CXXABI") ? version : "";
}

// Of a runner that has loaded no submission: what it printed is its own, or the system loader's.
Answer kit_fault_of(Answer answer, const std::string& printed) {
  const bool told = answer.kind == Answer::Kind::case_error && !answer.text.empty();
  answer.kind = Answer::Kind::kit_fault;
  if (told) {
    answer.text += ".";
  } else if (answer.ending.kind == Ending::Kind::signalled) {
    answer.text = fmt::format("The runner was ended by signal {} before it had loaded anything.",
                              answer.ending.signal);
  } else {
    const std::string version = library_version_missed(printed);
    if (!version.empty()) {
      answer.text = fmt::format(
          "The kit's runner does not start here: it was built for {}, and the {} library of this "
          "machine is older. Build the kit on this machine.",
          version, version.starts_with("GLIBC_") ? "C" : "C++");
      return answer;
    }
    const std::string said = printed.substr(0, printed.find('\n'));
    answer.text = said.empty() ? std::string("The runner did not start.")
                               : fmt::format("The runner did not start: {}.", said);
  }
  return answer;
}

Answer::Kind kind_of(const Ending& ending) {
  switch (ending.kind) {
    case Ending::Kind::wall_timeout:
    case Ending::Kind::cpu_timeout:
      return Answer::Kind::timed_out;
    case Ending::Kind::output_limit:
      return Answer::Kind::output_limit;
    case Ending::Kind::memory_limit:
      return Answer::Kind::memory_limit;
    case Ending::Kind::interrupted:
      return Answer::Kind::interrupted;
    default:
      return Answer::Kind::ended;
  }
}

std::string request_head(const std::string& op, const Params& params) {
  std::string request = fmt::format("case {}\n", op);
  for (const auto& [name, param] : params) {
    request += param.integer ? fmt::format("int {} {}\n", name, static_cast<int64_t>(param.value))
                             : fmt::format("real {} {:a}\n", name, param.value);
  }
  return request;
}

std::string tensor_line(const char* kind, const TensorSpec& tensor, uint64_t offset) {
  return fmt::format("{} {} {} {} {}\n", kind, tensor.name, name_of(tensor.dtype), offset,
                     fmt::join(tensor.dims, " "));
}

std::string case_request(const std::string& op, const Params& params, const SharedArena& inputs,
                         const SharedArena& outputs) {
  std::string request = request_head(op, params);
  const auto add = [&](const char* kind, const SharedArena& arena) {
    for (size_t i = 0; i < arena.tensors().size(); ++i) {
      request += tensor_line(kind, arena.tensors()[i], arena.offset(i));
    }
  };
  add("in", inputs);
  add("out", outputs);
  return request;
}

}  // namespace

void SessionOptions::watch(std::vector<std::string> tool_words) {
  tool = std::move(tool_words);
  watched = true;
  confined = false;
  for (std::string& variable :
       handed_on({"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"})) {
    std::erase_if(environment, [&](const std::string& other) {
      return other.starts_with(variable.substr(0, variable.find('=') + 1));
    });
    environment.push_back(std::move(variable));
  }
  limits = {};  // a tool needs more of everything than a program
}

Session::Session(const SessionOptions& options) : options_(options) {
  ChannelEnds channel = make_message_channel();
  socket_ = std::move(channel.ours);
  record_ = FileDescriptor(memfd_create("convkit-flight-record", MFD_CLOEXEC));
  if (!record_ || ftruncate(record_.get(), sizeof(protocol::FlightRecord)) != 0) {
    throw std::system_error(errno, std::generic_category(), "memfd_create");
  }

  if (options.confined) bring_within_reach();
  Command command;
  command.argv = options.tool;
  command.argv.insert(command.argv.end(), {options.runner.string(), options_.submission.string()});
  if (options.open_libraries) command.argv.push_back("--open-libraries");
  if (options.watched) command.argv.push_back("--watched");
  command.environment = options.environment;
  command.fds = {{channel.theirs.get(), protocol::kSocketFd},
                 {record_.get(), protocol::kFlightRecordFd}};
  command.cpu = options.cpu;
  Limits limits = options.limits;
  limits.wall = {};  // per request, below
  if (options.confined) {
    Confinement confinement;
    confinement.profile = Confinement::Profile::runner;
    confinement.executable = options.runner;
    confinement.read_only = options.libraries;
    if (!options.submission.empty()) confinement.read_only.push_back(options_.submission);
    confinement.read_write = options.writable;
    confinement.devices = options.devices;
    confinement.hidden = options.kit;
    command.directory = "/";
    command = confined(command, confinement, limits, options.confine);
  }
  const auto sent = Clock::now();
  process_ = std::make_unique<Process>(command, limits);
  channel.theirs.reset();  // so that the end of the runner is the end of the conversation
  start_ = await_reply(sent, 0);
  if (start_.kind != Answer::Kind::ok) {
    if (start_.kind != Answer::Kind::interrupted) start_ = kit_fault_of(start_, output());
    return;
  }
  program_ = innermost_child(process_->pid());
  phase_ = RunnerPhase::loading;
  start_ = await_reply(sent, 0);
  if (start_.kind == Answer::Kind::load_failed) forget_path(start_.text);
  phase_ = RunnerPhase::serving;
}

// Where the submission's library lies says nothing to a student. The loader begins with it:
// "/x.so: invalid ELF header", or ends so: "/lib/libc.so.6: version ... (required by /x.so)".
void Session::forget_path(std::string& text) const {
  const std::string path = options_.submission.string(), by = " (required by " + path + ")";
  if (text.starts_with(path + ": ")) text.erase(0, path.size() + 2);
  if (text.ends_with(by)) text.resize(text.size() - by.size());
}

// The runner opens the submission when it has no right to pass root's private folders any more.
void Session::bring_within_reach() {
  const SandboxProbe& sandbox = probe_sandbox(options_.confine);
  const std::filesystem::path& given = options_.submission;
  if (!sandbox.user || given.empty() || sandbox_may_read(given, !sandbox.bubblewrap)) return;
  copy_ =
      std::make_unique<TemporaryFolder>("run", temporary_place_for_sandbox(!sandbox.bubblewrap));
  const auto copy = copy_->path() / given.filename();
  std::filesystem::copy_file(given, copy);
  open_to_sandbox(copy_->path(), false);
  options_.submission = copy;
}

bool Session::alive() const {
  return process_->poll(std::chrono::milliseconds(0));
}

Ending Session::finish() {
  process_->resume();
  socket_.reset();
  return process_->wait();
}

const std::string& Session::output() const {
  return process_->output();
}

double Session::own_time_s() const {
  const bool running = process_->poll(std::chrono::milliseconds(0));
  return slept_s_ +
         (running ? processor_time_s(program_) : std::max(before_kill_s_, process_->wait().cpu_s));
}

Answer Session::prepare(const std::string& op, const Params& params, const SharedArena& inputs,
                        const SharedArena& outputs) {
  return exchange(case_request(op, params, inputs, outputs), {inputs.fd(), outputs.fd()});
}

Answer Session::prepare(const std::string& op, const Params& params, const DeviceSlots& slots) {
  std::string request = request_head(op, params);
  request += fmt::format("device {} {} {}\n", slots.bytes, slots.slots, slots.slot_bytes);
  for (const auto& [spec, offset] : slots.inputs) request += tensor_line("in", spec, offset);
  for (const auto& [spec, offset] : slots.outputs) request += tensor_line("out", spec, offset);
  return exchange(request, {slots.fd, slots.fd});
}

Answer Session::rehearse(const std::string& op, const Params& params, const SharedArena& inputs,
                         const SharedArena& outputs) {
  constexpr std::array<int, 2> kNone = {-1, -1};
  Answer answer = start_.kind == Answer::Kind::ok ? prepare(op, params, inputs, outputs) : start_;
  for (const char* request : {"load", "fetch"}) {
    if (options_.device && answer.kind == Answer::Kind::ok) answer = exchange(request, kNone);
  }
  return answer.kind == Answer::Kind::ok || answer.kind == Answer::Kind::interrupted
             ? answer
             : kit_fault_of(std::move(answer), output());
}

Answer Session::run() {
  return run_between("load late", "run");
}

Answer Session::run_timed(unsigned times) {
  return run_between("load", fmt::format("run {}", times));
}

Answer Session::run_timed(unsigned times, const Shutter& shutter) {
  return exchange(fmt::format("run {}", times), {-1, -1}, &shutter);
}

Answer Session::run_empty() {
  return exchange("run 0", {-1, -1});
}

Answer Session::run_between(const std::string& load, const std::string& run) {
  constexpr std::array<int, 2> kNone = {-1, -1};
  if (!options_.device) return exchange(run, kNone);
  const Answer loaded = exchange(load, kNone);
  if (loaded.kind != Answer::Kind::ok) return loaded;
  const Answer answer = exchange(run, kNone);
  if (answer.kind != Answer::Kind::ok) return answer;
  Answer fetched = exchange("fetch", kNone);
  fetched.seconds = answer.seconds;
  if (fetched.kind == Answer::Kind::ok) read_record(fetched);  // of another kind it was read
  fetched.todo_reached = answer.todo_reached;
  fetched.todo = answer.todo;
  return fetched;
}

Answer Session::exchange(const std::string& request, std::array<int, 2> fds,
                         const Shutter* shutter) {
  // A reply without a request was forged; it must not be taken for the next reply.
  char forged = 0;
  if (recv(socket_.get(), &forged, sizeof forged, MSG_DONTWAIT) > 0) {
    return ended_by_us(Answer::Kind::tampered);
  }
  ++requests_;
  const double before_s = processor_time_s(program_);
  const auto sent = Clock::now();
  if (shutter) shutter->reveal();
  process_->resume();
  const ssize_t written =
      fds[0] < 0 ? send(socket_.get(), request.data(), request.size(), MSG_NOSIGNAL)
                 : send_with_descriptors(socket_.get(), request.data(), request.size(), fds);
  if (written < 0) {
    // The process no longer reads. Usually it has ended by itself, and the report should say how.
    process_->poll(std::chrono::milliseconds(100));
    process_->kill();
    return ended();
  }
  return await_reply(sent, before_s, shutter);
}

Answer Session::await_reply(Clock::time_point sent, double before_s, const Shutter* shutter) {
  OwnTime time(options_.limits.wall, sent, before_s);
  for (;;) {
    protocol::Reply reply{};
    const ssize_t length = recv(socket_.get(), &reply, sizeof reply, MSG_DONTWAIT | MSG_TRUNC);
    // A reply to another request was forged, or is the true one that a forged one had overtaken.
    if (length > 0 && is_reply(reply, static_cast<size_t>(length), phase_, requests_)) {
      const std::chrono::duration<double> replied = Clock::now() - sent;
      const double used = processor_time_s(program_);
      if (!options_.watched && phase_ != RunnerPhase::starting) {
        process_->stop();
        await_standstill();
      }
      // What was printed before the reply, and the memory that is in use now.
      const bool running = process_->poll(std::chrono::milliseconds(0));
      const bool too_much = !running && process_->wait().kind == Ending::Kind::memory_limit;
      Answer answer = too_much ? ended() : answer_of(reply);
      answer.seconds = replied.count() + processor_time_s(program_) - used;
      if (shutter && answer.kind == Answer::Kind::ok) {
        // What runs on a device goes on while the process stands: all of it is on the clock.
        shutter->snapshot();
        answer.seconds = std::chrono::duration<double>(Clock::now() - sent).count();
      }
      return answer;
    }
    // A message that is not a reply can only come from student code.
    if (length > 0) return ended_by_us(Answer::Kind::tampered);
    const auto now = Clock::now();
    if (time.until_look(now).count() <= 0) {
      const auto before = time.slept();
      time.look(program_, now);
      slept_s_ += std::chrono::duration<double>(time.slept() - before).count();
    }
    if (time.used_up() || time.starved()) {
      return ended_by_us(interrupted()    ? Answer::Kind::interrupted
                         : time.used_up() ? Answer::Kind::timed_out
                                          : Answer::Kind::starved);
    }
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(time.until_look(now));
    const bool running = process_->poll(std::min(wait, std::chrono::milliseconds(200)),
                                        length == 0 ? -1 : socket_.get());
    if (!running) {
      // The reply may have been sent just before the end; anything else is the end itself.
      if (recv(socket_.get(), &reply, sizeof reply, MSG_DONTWAIT | MSG_PEEK) > 0) continue;
      Answer answer = ended();
      answer.seconds = std::chrono::duration<double>(Clock::now() - sent).count();
      return answer;
    }
  }
}

// A signal reaches a process when it next runs, and its other threads after that: on a busy machine
// they would go on for a while.
void Session::await_standstill() const {
  const auto deadline = Clock::now() + kStandstillPatience;
  while (!stands_still(program_) && Clock::now() < deadline) std::this_thread::sleep_for(kNap);
}

Answer Session::answer_of(const protocol::Reply& reply) const {
  Answer answer;
  answer.todo_reached = reply.todo_reached;
  answer.kind = kind_of(reply.kind);
  if (answer.kind != Answer::Kind::ok || answer.todo_reached > 0) read_record(answer);
  return answer;
}

Answer Session::ended_by_us(Answer::Kind why) {
  before_kill_s_ = processor_time_s(program_);
  process_->kill();
  Answer answer = ended();
  answer.kind = why;
  return answer;
}

Answer Session::ended() const {
  Answer answer;
  if (!process_->poll(std::chrono::milliseconds(0))) {
    answer.ending = process_->wait();
    answer.kind = kind_of(answer.ending);
  }
  read_record(answer);
  return answer;
}

void Session::read_record(Answer& answer) const {
  // Copied once: the page is the runner's to write.
  protocol::FlightRecord record;
  if (pread(record_.get(), &record, sizeof record, 0) == sizeof record) keep_record(record, answer);
}

}  // namespace convkit

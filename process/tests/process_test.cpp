// SPDX-License-Identifier: MIT
// Process without a sandbox: starting, watching, ending.
#include <sys/mman.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <memory>
#include <system_error>
#include <thread>

#include "arena.h"
#include "catch.h"

using namespace convkit;
using namespace convkit::testing;

namespace {

Completed run(std::vector<std::string> deed, const Limits& limits = {}) {
  return run_process(hostile(std::move(deed)), limits);
}

std::string message_of_start(const Command& command) {
  try {
    Process process(command, {});
  } catch (const std::system_error& error) {
    return error.what();
  }
  return "started";
}

}  // namespace

TEST_CASE("an exit code and a signal are told apart") {
  const auto exited = run({"exit", "137"}).ending;
  CHECK(exited.kind == Ending::Kind::exited);
  CHECK(exited.code == 137);
  const auto killed = run({"raise", "9"}).ending;
  CHECK(killed.kind == Ending::Kind::signalled);
  CHECK(killed.signal == SIGKILL);
  CHECK(run({"abort"}).ending.signal == SIGABRT);
  CHECK(run({"overflow"}).ending.signal == SIGSEGV);
}

TEST_CASE("a program that does not exist is named") {
  Command command;
  command.argv = {"/no/such/program"};
  CHECK(message_of_start(command) == "cannot start /no/such/program: No such file or directory");
  command.argv = {"no-such-program-on-the-path"};
  CHECK(message_of_start(command) ==
        "cannot start 'no-such-program-on-the-path': No such file or directory");
}

TEST_CASE("a file that cannot be executed is named") {
  const TemporaryFolder folder;
  Command command;
  command.argv = {folder.file("data")};
  CHECK(message_of_start(command) == "cannot start " + command.argv[0] + ": Permission denied");
}

TEST_CASE("a working directory that does not exist is named") {
  Command command = hostile({"exit", "0"});
  command.directory = "/no/such/folder";
  CHECK(message_of_start(command) == "cannot start " + kHostile +
                                         " in the folder /no/such/folder: "
                                         "No such file or directory");
}

TEST_CASE("a name without a slash is looked up on PATH") {
  Command command;
  command.argv = {"true"};
  CHECK(run_process(command, {}).ending.code == 0);
}

TEST_CASE("the child inherits nothing but what the command says") {
  setenv("CONVKIT_TEST_SECRET", "1", 1);
  const int leaked = open("/dev/null", O_RDONLY);  // without the close-on-exec flag
  CHECK(run({"environment"}).output.empty());
  CHECK(run({"descriptors"}).output == "0 1 2 ");
  close(leaked);
  Command command = hostile({"environment"});
  command.environment = {"ONE=1", "TWO=a b"};
  CHECK(run_process(command, {}).output == "ONE=1\nTWO=a b\n");
}

TEST_CASE("signals, CPUs and folder of the child are as the command says") {
  sigset_t usr1, before;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr1, &before);
  const auto handler = std::signal(SIGPIPE, SIG_IGN);
  Command command = hostile({"state"});
  command.directory = "/usr";
  cpu_set_t cpus;
  sched_getaffinity(0, sizeof cpus, &cpus);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<size_t>(cpu), &cpus)) command.cpu = cpu;
  }
  CHECK(run_process(command, {}).output == "blocked 0, ignored 0, cpus 1, core 0, folder /usr\n");
  std::signal(SIGPIPE, handler);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE("passed descriptors arrive under their numbers, even when the numbers cross") {
  int first[2], second[2];
  REQUIRE(pipe(first) == 0);
  REQUIRE(pipe(second) == 0);
  REQUIRE(write(first[1], "one", 3) == 3);
  REQUIRE(write(second[1], "two", 3) == 3);
  close(first[1]);
  close(second[1]);
  Command command = hostile({"passed"});
  command.fds = {{first[0], second[0]}, {second[0], 3}};
  if (first[0] != 3) command.fds = {{first[0], 4}, {second[0], 3}};
  CHECK(run_process(command, {}).output == "stdin 0, fd 3 3 two");
  close(first[0]);
  close(second[0]);
}

TEST_CASE("a wall-clock limit ends a program that sleeps, loops or ignores signals") {
  const std::string deed = GENERATE("sleep", "loop", "loop-on");
  Limits limits;
  limits.wall = std::chrono::milliseconds(100);
  const auto ending = run({deed}, limits).ending;
  CHECK(ending.kind == Ending::Kind::wall_timeout);
  CHECK(ending.wall_s >= 0.1);
}

namespace {

// So many programs that never sleep, on the same CPU: what else runs there gets little of it.
std::vector<std::unique_ptr<Process>> crowd_on(int cpu, int count) {
  std::vector<std::unique_ptr<Process>> crowd;
  Command looping = hostile({"loop-on"});
  looping.cpu = cpu;
  while (count-- > 0) crowd.push_back(std::make_unique<Process>(looping, Limits{}));
  return crowd;
}

// A parent that sleeps until its child ends, as a compiler's driver does.
Command with_sleeping_parent(const std::string& deed) {
  Command command;
  command.argv = {"/bin/sh", "-c", "\"$0\" " + deed + " & wait", kHostile};
  return command;
}

}  // namespace

TEST_CASE("a limit on a family's own time ends it where one of it runs, and where all sleep") {
  const std::string deed = GENERATE("sleep", "loop");
  Limits limits;
  limits.own = std::chrono::milliseconds(200);
  limits.wall = std::chrono::seconds(60);
  const auto ending = run_process(with_sleeping_parent(deed), limits).ending;
  CAPTURE(deed);
  // On a machine with as many other programs as in the next test, the loop would be starved.
  CHECK((ending.kind == Ending::Kind::own_timeout ||
         (deed == "loop" && ending.kind == Ending::Kind::starved)));
  CHECK(ending.wall_s >= 0.2);
}

TEST_CASE("a family that others keep from running does not use up its own time") {
  cpu_set_t cpus;
  sched_getaffinity(0, sizeof cpus, &cpus);
  int cpu = 0;
  while (!CPU_ISSET(static_cast<size_t>(cpu), &cpus)) ++cpu;
  const auto crowd = crowd_on(cpu, 20);
  Command command = with_sleeping_parent("loop");
  command.cpu = cpu;
  Limits limits;
  limits.own = std::chrono::milliseconds(1000);
  const auto ending = run_process(command, limits).ending;
  CHECK(ending.kind == Ending::Kind::starved);
  CHECK(ending.wall_s >= 5);
  CHECK(ending.own_s < 1);
}

TEST_CASE("the own time of a program that ended is what it ran, however short that was") {
  Limits limits;
  limits.own = std::chrono::seconds(1000);
  const auto ending = run({"touch", "50000000"}, limits).ending;
  CHECK(ending.kind == Ending::Kind::exited);
  CHECK(ending.own_s > 0);
  CHECK(ending.own_s <= std::min(ending.cpu_s, ending.wall_s) + 1e-6);
}

TEST_CASE("a CPU limit ends a program that loops, whatever it ignores") {
  const std::string deed = GENERATE("loop", "loop-on");
  Limits limits;
  limits.cpu = std::chrono::seconds(1);
  const auto ending = run({deed}, limits).ending;
  CHECK(ending.kind == Ending::Kind::cpu_timeout);
  // The limit counts ticks, charged to whoever runs when one comes, so the precise cpu_s may be far
  // below it on a busy machine; but no program is charged for more ticks than have passed.
  CHECK(ending.wall_s >= 0.98);
  CHECK(ending.cpu_s <= ending.wall_s + 0.02);
}

TEST_CASE("too much output ends the program and the first part is kept") {
  Limits limits;
  limits.output_bytes = 100'000;
  Process process(hostile({"print"}), limits);
  CHECK(process.wait().kind == Ending::Kind::output_limit);
  CHECK(process.output_truncated());
  CHECK(process.output().size() == 100'000);
  CHECK(process.output().substr(0, 22) == "and on and on and on\na");
}

TEST_CASE("memory, file size and stack limits are in force") {
  const TemporaryFolder folder;
  Limits limits;
  limits.memory_bytes = 1ull << 30;
  limits.file_bytes = 1 << 20;
  CHECK(run({"allocate", "10000000000"}, limits).ending.code == ENOMEM);
  CHECK(run({"allocate", "1000000"}, limits).ending.code == 0);
  const std::string file = (folder.path() / "big").string();
  CHECK(run({"grow", file, "10000000000"}, limits).ending.code == EFBIG);
  CHECK(run({"grow", file, "1000"}, limits).ending.code == 0);
}

TEST_CASE("the number of processes is limited for a normal user") {
  if (geteuid() == 0) {
    WARN("skipped: the kernel does not limit root's processes");
    return;
  }
  Limits limits;
  limits.processes = 20;
  const int count = std::stoi(run({"fork-bomb", "60"}, limits).output);
  CHECK(count >= 1);
  CHECK(count <= 30);  // other programs of this user may end meanwhile
}

TEST_CASE("a program that closes its descriptors still ends with its code") {
  const auto ending = run({"close"}).ending;
  CHECK(ending.kind == Ending::Kind::exited);
  CHECK(ending.code == 3);
}

TEST_CASE("an orphan or a daemon left behind is ended with the program") {
  const std::string deed = GENERATE("orphan", "daemon");
  SignOfLife life;
  Command command = hostile({deed});
  command.fds = {life.passed()};
  CHECK(run_process(command, {}).ending.code == 0);
  CHECK(life.all_gone());
}

TEST_CASE("the destructor ends the group") {
  SignOfLife life;
  Command command = hostile({"loop-on"});
  command.fds = {life.passed()};
  { Process process(command, {}); }
  CHECK(life.all_gone());
}

TEST_CASE("children of other parts of this program are left alone") {
  const pid_t other = fork();
  if (other == 0) {
    pause();
    _exit(0);
  }
  CHECK(run({"exit", "0"}).ending.code == 0);
  CHECK(waitpid(other, nullptr, WNOHANG) == 0);
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
}

TEST_CASE("a child outlives the thread that started it") {
  std::unique_ptr<Process> process;
  std::thread([&] { process = std::make_unique<Process>(hostile({"sleep"}), Limits{}); }).join();
  CHECK(process->poll(std::chrono::milliseconds(50)));
  process->kill();
  CHECK_FALSE(process->poll({}));
  CHECK(process->wait().kind == Ending::Kind::signalled);
}

TEST_CASE("many threads may run processes at once") {
  std::vector<std::thread> threads;
  std::vector<int> good(8, 0);
  for (size_t t = 0; t < good.size(); ++t) {
    threads.emplace_back([&good, t] {
      for (int i = 0; i < 10; ++i) {
        good[t] += run({"exit", std::to_string(t)}).ending.code == static_cast<int>(t);
        good[t] += run({"daemon"}).ending.code == 0;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(good == std::vector<int>(8, 20));
}

TEST_CASE("a child dies with its parent") {
  SignOfLife life;
  CHECK(signal_of_parent(life, "die") == SIGKILL);
  CHECK(life.all_gone());
}

TEST_CASE("an interrupt that another thread receives ends the child") {
  SignOfLife life;
  Command command;
  command.argv = {CONVKIT_PARENT_PROGRAM, "interrupt", kHostile};
  command.fds = {life.passed()};
  CHECK(run_process(command, {}).output == "interrupted");
  CHECK(life.all_gone());
}

TEST_CASE("poll returns when another descriptor is readable") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "x", 1) == 1);
  Process process(hostile({"sleep"}), {});
  CHECK(process.poll(std::chrono::hours(1), ends[0]));
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("a stopped program stands still until it is resumed") {
  Process process(hostile({"loop"}), {});
  const auto state = [&] {
    std::ifstream stat("/proc/" + std::to_string(process.pid()) + "/stat");
    std::string pid, name, letter;
    stat >> pid >> name >> letter;
    return letter;
  };
  const auto becomes = [&](const std::string& wanted) {
    for (int i = 0; i < 1000 && state() != wanted; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return state() == wanted;
  };
  process.stop();
  CHECK(becomes("T"));
  process.resume();
  CHECK(becomes("R"));
  process.stop();
  process.kill();
  CHECK(process.wait().signal == SIGKILL);
}

// SPDX-License-Identifier: MIT
// A parent for tests that cannot be one themselves: it dies, or is interrupted, while a child runs.
//   parent_program die|stop_and_die|interrupt PROGRAM [CONFINE]
//   parent_program die_after_MICROSECONDS PROGRAM CONFINE    while bubblewrap may still be starting
// The child sleeps, holding descriptor 3.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <thread>

#include "process/layers.h"
#include "process/process.h"
#include "process/sandbox.h"

int main(int argc, char** argv) {
  using namespace convkit;
  const std::string deed = argc > 2 ? argv[1] : "";
  Command command;
  command.argv = {argv[2], "sleep"};
  command.fds = {{3, 3}};
  Limits limits;
  limits.wall = std::chrono::seconds(60);
  const std::string early = "die_after_";
  if (deed.starts_with(early)) {
    // Without the probe, which would start, and wait for, five programs in each trial.
    command = confined_by({false, false, false, true}, command, {}, limits, argv[3]);
    const std::chrono::microseconds delay(std::stoi(deed.substr(early.size())));
    std::thread([delay] {
      std::this_thread::sleep_for(delay);
      raise(SIGKILL);
    }).detach();
  } else if (argc > 3) {
    command = confined(command, {}, limits, argv[3]);
  }
  if (deed == "interrupt") install_interrupt_handler();
  Process process(command, limits);
  if (deed == "stop_and_die") process.stop();
  if (deed.ends_with("die")) raise(SIGKILL);
  // Another thread than the one that waits receives the signal.
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    pthread_kill(pthread_self(), SIGINT);
  }).join();
  std::printf("%s", process.wait().kind == Ending::Kind::interrupted ? "interrupted" : "not");
}

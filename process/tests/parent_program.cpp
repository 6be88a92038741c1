// SPDX-License-Identifier: MIT
// A parent for tests that cannot be one themselves: it dies, or is interrupted, while a child runs.
//   parent_program die|interrupt PROGRAM [CONFINE]
// The child sleeps, holding descriptor 3.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <thread>

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
  if (argc > 3) command = confined(command, {}, limits, argv[3]);
  if (deed == "interrupt") install_interrupt_handler();
  Process process(command, limits);
  if (deed == "die") raise(SIGKILL);
  // Another thread than the one that waits receives the signal.
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    pthread_kill(pthread_self(), SIGINT);
  }).join();
  std::printf("%s", process.wait().kind == Ending::Kind::interrupted ? "interrupted" : "not");
}

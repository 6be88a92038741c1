// SPDX-License-Identifier: MIT
#include "process/channels.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>

namespace convkit {
namespace {

std::system_error failure(const std::string& what) {
  return {errno, std::generic_category(), what};
}

// Never 0, 1 or 2, even where this process was started with those closed.
FileDescriptor above_standard(int fd) {
  FileDescriptor result(fcntl(fd, F_DUPFD_CLOEXEC, 3));
  close(fd);
  if (!result) throw failure("cannot duplicate a file descriptor");
  return result;
}

}  // namespace

ChannelEnds make_output_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw failure("cannot create a pipe");
  ChannelEnds result{above_standard(ends[0]), above_standard(ends[1])};
  fcntl(result.ours.get(), F_SETFL, O_NONBLOCK);
  return result;
}

ChannelEnds make_message_channel() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    throw failure("cannot create a socket pair");
  }
  return {above_standard(ends[0]), above_standard(ends[1])};
}

bool receive_report(int channel, ConfineReport& report,
                    std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    pollfd fd{channel, POLLIN, 0};
    const int ready = poll(&fd, 1, poll_timeout(deadline - std::chrono::steady_clock::now()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t size = recv(channel, &report, sizeof report, MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    report.what[sizeof report.what - 1] = '\0';
    return size == sizeof report;
  }
}

int poll_timeout(std::chrono::steady_clock::duration left) {
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::clamp<int64_t>(ms, 0, 1 << 30));
}

}  // namespace convkit

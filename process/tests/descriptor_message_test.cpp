// SPDX-License-Identifier: MIT
#include "process/descriptor_message.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <string>

#include "catch.h"
#include "process/channels.h"

namespace convkit {
namespace {

ino_t file_of(int fd) {
  struct stat status {};
  REQUIRE(fstat(fd, &status) == 0);
  return status.st_ino;
}

// What the other end of a new channel has received.
template <size_t N>
struct Received {
  explicit Received(int socket) {
    const ssize_t length = receive_with_descriptors(socket, bytes, sizeof bytes, fds);
    REQUIRE(length >= 0);
    text.assign(bytes, static_cast<size_t>(length));
  }
  ~Received() {
    for (const int fd : fds) FileDescriptor(fd).reset();
  }

  char bytes[16];
  std::string text;
  std::array<int, N> fds;
};

TEST_CASE("a message carries open files, which a program that is started does not get") {
  const ChannelEnds channel = make_message_channel();
  const FileDescriptor one(memfd_create("one", 0)), other(memfd_create("other", 0));
  REQUIRE(send_with_descriptors(channel.ours.get(), "two", 3, std::array{one.get(), other.get()}) ==
          3);
  REQUIRE(send_with_descriptors(channel.ours.get(), "one", 3, std::array{other.get()}) == 3);
  const Received<2> both(channel.theirs.get());
  CHECK(both.text == "two");
  CHECK(file_of(both.fds[0]) == file_of(one.get()));
  CHECK(file_of(both.fds[1]) == file_of(other.get()));
  CHECK((fcntl(both.fds[0], F_GETFD) & FD_CLOEXEC) != 0);
  const Received<1> single(channel.theirs.get());
  CHECK(single.text == "one");
  CHECK(file_of(single.fds[0]) == file_of(other.get()));
}

TEST_CASE("a message without files, or with another number of them, has none") {
  const ChannelEnds channel = make_message_channel();
  const FileDescriptor file(memfd_create("file", 0));
  REQUIRE(send(channel.ours.get(), "none", 4, 0) == 4);
  REQUIRE(send_with_descriptors(channel.ours.get(), "one", 3, std::array{file.get()}) == 3);
  for (const std::string text : {"none", "one"}) {
    const Received<2> received(channel.theirs.get());
    CHECK(received.text == text);
    CHECK(received.fds == std::array{-1, -1});
  }
}

TEST_CASE("to send to a process that has gone is an error, not the end") {
  ChannelEnds channel = make_message_channel();
  channel.theirs.reset();
  CHECK(send_with_descriptors(channel.ours.get(), "gone", 4, std::array{0}) == -1);
  std::array<int, 1> fds{};
  char byte = 0;
  CHECK(receive_with_descriptors(channel.ours.get(), &byte, 1, fds) == 0);
  CHECK(fds[0] == -1);
}

}  // namespace
}  // namespace convkit

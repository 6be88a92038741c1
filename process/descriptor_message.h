// SPDX-License-Identifier: MIT
// Messages that carry open files to another process (SCM_RIGHTS). A header alone: runners, too,
// use it.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace convkit {

// A message of bytes and room for N descriptors. It points into itself, so it stays where it is.
template <size_t N>
class DescriptorMessage {
 public:
  DescriptorMessage(void* bytes, size_t size) : part_{bytes, size} {
    header.msg_iov = &part_;
    header.msg_iovlen = 1;
    header.msg_control = control_.data();
    header.msg_controllen = control_.size();
  }
  DescriptorMessage(const DescriptorMessage&) = delete;
  DescriptorMessage& operator=(const DescriptorMessage&) = delete;

  msghdr header{};

 private:
  iovec part_;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(std::array<int, N>))> control_{};
};

// As send(), but never with SIGPIPE.
template <size_t N>
ssize_t send_with_descriptors(int socket, const void* bytes, size_t size,
                              const std::array<int, N>& fds) {
  DescriptorMessage<N> message(const_cast<void*>(bytes), size);
  cmsghdr* head = CMSG_FIRSTHDR(&message.header);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof fds);
  std::memcpy(CMSG_DATA(head), fds.data(), sizeof fds);
  return sendmsg(socket, &message.header, MSG_NOSIGNAL);
}

// As recv(). `fds`: new descriptors, closed on exec, which the caller owns; all -1 where the
// message does not carry just as many.
template <size_t N>
ssize_t receive_with_descriptors(int socket, void* bytes, size_t size, std::array<int, N>& fds) {
  fds.fill(-1);
  DescriptorMessage<N> message(bytes, size);
  const ssize_t length = recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC);
  if (length < 0) return length;
  const cmsghdr* head = CMSG_FIRSTHDR(&message.header);
  if (head && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof fds)) {
    std::memcpy(fds.data(), CMSG_DATA(head), sizeof fds);
  }
  return length;
}

}  // namespace convkit

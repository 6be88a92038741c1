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

// As send(), but never with SIGPIPE.
template <size_t N>
ssize_t send_with_descriptors(int socket, const void* bytes, size_t size,
                              const std::array<int, N>& fds) {
  iovec part{const_cast<void*>(bytes), size};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof fds)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof fds);
  std::memcpy(CMSG_DATA(head), fds.data(), sizeof fds);
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

// As recv(). `fds`: new descriptors, closed on exec, which the caller owns; all -1 where the
// message does not carry just as many.
template <size_t N>
ssize_t receive_with_descriptors(int socket, void* bytes, size_t size, std::array<int, N>& fds) {
  fds.fill(-1);
  iovec part{bytes, size};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof fds)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (length < 0) return length;
  const cmsghdr* head = CMSG_FIRSTHDR(&message);
  if (head && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof fds)) {
    std::memcpy(fds.data(), CMSG_DATA(head), sizeof fds);
  }
  return length;
}

}  // namespace convkit

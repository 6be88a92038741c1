// SPDX-License-Identifier: MIT
#include "grade/speed/kernel_random.h"

#include <sys/random.h>

#include <cerrno>
#include <span>

#include "convkit/kit_error.h"

namespace convkit {

KernelRandom::result_type KernelRandom::operator()() {
  if (used_ == words_.size()) {
    const auto bytes = std::as_writable_bytes(std::span(words_));
    for (size_t got = 0; got < bytes.size();) {
      const ssize_t more = getrandom(bytes.data() + got, bytes.size() - got, 0);
      if (more < 0 && errno != EINTR) throw KitError("The kernel gave no random numbers.");
      if (more > 0) got += static_cast<size_t>(more);
    }
    used_ = 0;
  }
  return words_[used_++];
}

}  // namespace convkit

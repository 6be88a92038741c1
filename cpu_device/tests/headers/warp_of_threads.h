// SPDX-License-Identifier: MIT
// A stand-in for the engine: one block of at most 64 threads, each a thread of the operating
// system, with the plainest waiting there is. It lets tests call what lanes do together.
#pragma once

#include <functional>

namespace convkit::test {

// Calls `body(thread)` on `threads` threads at once and waits for all of them.
void run_block(int threads, const std::function<void(int)>& body);

// The last site (file:line) that a waiting call gave.
struct LastSite {
  const char* file;
  int line;
};
LastSite last_site();

}  // namespace convkit::test

// SPDX-License-Identifier: MIT
// Theory of operation: no process is left behind.
//
// Each child leads a session and process group of its own; ending a child kills its group. A
// process that left the group survives that, and when its parent dies it is orphaned. So this
// program declares itself subreaper: orphans become its own children. A child of ours that is
// neither in our session (as the children of system() and popen() are) nor in the session of a
// living leader is an escapee, and killed. Nobody can enter another session, so nobody hides.
#pragma once

#include <sys/types.h>

#include <functional>
#include <mutex>
#include <set>

namespace convkit {

class ProcessFamily {
 public:
  static ProcessFamily& instance();

  // Calls `fork` (which returns the new pid, or -1) on the thread that starts all children, and
  // remembers the leader. One long-lived thread does it because PR_SET_PDEATHSIG fires when the
  // *thread* that forked ends, and threads of a pool come and go.
  pid_t start(const std::function<pid_t()>& fork);

  // After the leader has been killed or has ended and before it is reaped: kills its group.
  static void kill_group(pid_t leader);
  // After the leader has been reaped: reaps the rest of its group and ends escapees.
  void forget(pid_t leader);

 private:
  ProcessFamily();
  bool end_escapees();

  std::mutex mutex_;
  std::set<pid_t> leaders_;
};

}  // namespace convkit

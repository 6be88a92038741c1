// SPDX-License-Identifier: MIT
#include "cpu_device/engine/work.h"

#include "cpu_device/engine/context.h"

namespace convkit::simt {

Work host_work(const char* call, cudaHostFn_t function, void* user_data) {
  Work work{cudaGraphNodeTypeHost, call};
  work.run = [=] {
    if (sticky_error() == cudaSuccess) call_host_function([=] { function(user_data); });
  };
  work.task = task_of_call(call);
  return work;
}

Work event_work(const char* call, cudaGraphNodeType type, const std::shared_ptr<Event>& event) {
  Work work{type, call};
  work.task = task_of_call(call);
  work.event = event;
  return work;
}

}  // namespace convkit::simt

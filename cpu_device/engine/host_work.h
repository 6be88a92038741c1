// SPDX-License-Identifier: MIT
// Work that touches no data of the device: host functions and events.
#pragma once

#include <memory>

#include "cpu_device/engine/work.h"

namespace convkit::simt {

Work host_work(const char* call, cudaHostFn_t function, void* user_data);
// type: cudaGraphNodeTypeEventRecord or cudaGraphNodeTypeWaitEvent.
Work event_work(const char* call, cudaGraphNodeType type, const std::shared_ptr<Event>& event);

}  // namespace convkit::simt

// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/alive.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

namespace convkit::simt::dnn {
namespace {

struct Object {
  const void* address;
  const char* kind;
  LibraryCall call;
};

std::mutex g_mutex;
// Never destroyed: it is asked when the program ends.
std::vector<Object>& objects() {
  static auto* const all = new std::vector<Object>;
  return *all;
}

}  // namespace

void note_created(const void* object, const char* kind, LibraryCall call) {
  const std::lock_guard lock(g_mutex);
  objects().push_back({object, kind, std::move(call)});
}

void note_destroyed(const void* object) {
  const std::lock_guard lock(g_mutex);
  auto& all = objects();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [=](const Object& each) { return each.address == object; });
  if (found != all.end()) all.erase(found);
}

}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

void convkit_simt_dnn_each_alive(void (*tell)(const char* kind, const char* created_by,
                                              const void* call_site)) {
  const std::lock_guard lock(g_mutex);
  for (const Object& each : objects()) tell(each.kind, each.call.name, each.call.site.get());
}

size_t convkit_simt_dnn_descriptors_alive() {
  const std::lock_guard lock(g_mutex);
  return static_cast<size_t>(
      std::count_if(objects().begin(), objects().end(),
                    [](const Object& each) { return std::strcmp(each.kind, "handle") != 0; }));
}

}  // extern "C"

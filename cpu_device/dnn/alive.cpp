// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/alive.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cpu_device/engine/hooks.h"

namespace convkit::simt::dnn {
namespace {

struct Object {
  const void* address;
  const char* kind;
  LibraryCall call;
  const void* variable;          // that was given it
  bool lost = false;             // the variable was given another one, which was destroyed
  std::string given_again = "";  // where
};

std::mutex g_mutex;
// Never destroyed: it is asked when the program ends.
std::vector<Object>& objects() {
  static auto* const all = new std::vector<Object>;
  return *all;
}

struct Buried {
  std::shared_ptr<const void> object;
  LibraryCall call;
};
std::deque<Buried>& buried() {
  static auto* const all = new std::deque<Buried>;
  return *all;
}

bool is_descriptor(const Object& object) {
  return std::strcmp(object.kind, "handle") != 0;
}

// "tile.cu:12" in check mode, else "".
std::string line_of(const LibraryCall& call) {
  return check_hooks && call.site ? check_hooks->line_of_call(call.site.get()) : "";
}

// "3 tensor descriptors", "a filter descriptor"
std::string counted(const char* kind, size_t count) {
  const bool vowel = std::strchr("aeiou", kind[0]) != nullptr;
  const std::string some = count > 1 ? std::to_string(count) + " " : vowel ? "an " : "a ";
  return some + kind + (count > 1 ? "s" : "");
}

std::string made(const Object& object) {
  const std::string line = line_of(object.call);
  return std::string("made with ") + object.call.name + (line.empty() ? "" : " at " + line);
}

// Its variable holds another one now. A variable of a function that has returned may have had this
// address, too.
std::string given_again(const Object& object) {
  return " Its variable, or another one at that address, was then given a second one" +
         (object.given_again.empty() ? "" : " at " + object.given_again) +
         ", and only that was destroyed: is the call made twice, perhaps by a macro that evaluates "
         "its argument twice?";
}

}  // namespace

void note_created(const void* variable, const void* object, const char* kind, LibraryCall call) {
  const std::lock_guard lock(g_mutex);
  objects().push_back({object, kind, std::move(call), variable});
}

void note_destroyed(const void* object) {
  const std::lock_guard lock(g_mutex);
  auto& all = objects();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [=](const Object& each) { return each.address == object; });
  if (found == all.end()) return;
  for (auto before = all.begin(); before != found; ++before) {
    if (before->variable != found->variable || before->lost) continue;
    before->lost = true;
    before->given_again = line_of(found->call);
  }
  all.erase(found);
}

std::string destruction_of(const void* object) {
  const std::lock_guard lock(g_mutex);
  const auto& all = buried();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [=](const Buried& each) { return each.object.get() == object; });
  if (found == all.end()) return "";
  const std::string line = line_of(found->call);
  return std::string(", by ") + found->call.name + (line.empty() ? "" : " at " + line);
}

void bury(std::shared_ptr<const void> object, LibraryCall call) {
  constexpr size_t kMost = 64;
  const std::lock_guard lock(g_mutex);
  buried().push_back({std::move(object), std::move(call)});
  if (buried().size() > kMost) buried().pop_front();
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
  return static_cast<size_t>(std::count_if(objects().begin(), objects().end(), is_descriptor));
}

const char* convkit_simt_dnn_newest_descriptors(size_t count) {
  const std::lock_guard lock(g_mutex);
  std::vector<const Object*> newest;
  for (auto each = objects().rbegin(); each != objects().rend() && newest.size() < count; ++each) {
    if (is_descriptor(*each)) newest.insert(newest.begin(), &*each);
  }
  std::vector<std::pair<const char*, size_t>> kinds;
  for (const Object* each : newest) {
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const auto& known) {
      return std::strcmp(known.first, each->kind) == 0;
    });
    if (same == kinds.end()) {
      kinds.emplace_back(each->kind, 1);
    } else {
      ++same->second;
    }
  }
  static std::string text;
  text.clear();
  for (size_t i = 0; i < kinds.size(); ++i) {
    text += i == 0 ? "" : i + 1 == kinds.size() ? " and " : ", ";
    text += counted(kinds[i].first, kinds[i].second);
  }
  if (newest.empty()) return text.c_str();
  const auto lost =
      std::find_if(newest.begin(), newest.end(), [](const Object* each) { return each->lost; });
  const Object& told = lost == newest.end() ? *newest.front() : **lost;
  text += (newest.size() > 1 ? ", one of them " : ", ") + made(told) + ".";
  if (told.lost) text += given_again(told);
  return text.c_str();
}

}  // extern "C"

// SPDX-License-Identifier: MIT
// Which objects of a kind there are, and which there were, by their addresses.
#pragma once

#include <set>
#include <string>

namespace convkit::simt {

// Used with the queue locked.
class Handles {
 public:
  // `what`: "graph"
  explicit Handles(const char* what) : what_(what) {}

  void add(const void* object) {
    alive_.insert(object);
    destroyed_.erase(object);
  }
  void remove(const void* object) {
    alive_.erase(object);
    destroyed_.insert(object);
  }
  // What is wrong with the handle, or "".
  std::string fault(const char* argument, const void* object) const {
    if (alive_.count(object) != 0) return "";
    const std::string name = argument;
    if (object == nullptr) return name + " is null";
    if (destroyed_.count(object) != 0) return name + " has been destroyed";
    return name + " is no " + what_ + ": has it been created?";
  }

 private:
  const char* what_;
  std::set<const void*> alive_, destroyed_;
};

}  // namespace convkit::simt

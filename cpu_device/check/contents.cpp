// SPDX-License-Identifier: MIT
#include "cpu_device/check/contents.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <vector>

#include "cpu_device/check/address_ranges.h"

namespace convkit::simt::check {
namespace {

constexpr size_t kMostWatched = size_t{128} << 20;
constexpr uint64_t kMostCompared = uint64_t{16} << 30;
constexpr uintptr_t kWord = 4;

struct Contents {
  std::map<uintptr_t, std::vector<unsigned char>> ranges;
  AddressRanges library;  // what is there next is the library's
  uint64_t compared = 0;
};

Contents& contents() {
  static auto* const the_contents = new Contents;
  return *the_contents;
}

const unsigned char* memory_at(uintptr_t at) {
  return reinterpret_cast<const unsigned char*>(at);
}

// A program may register more host memory than there is.
bool is_readable(uintptr_t begin, size_t bytes) {
  constexpr int kNoSuchWay = -1;  // so the call reads the set and changes nothing
  constexpr size_t kSetBytes = 8;
  for (uintptr_t page = begin / kPage * kPage; page < begin + bytes; page += kPage) {
    if (syscall(SYS_rt_sigprocmask, kNoSuchWay, page, nullptr, kSetBytes) != 0 && errno == EFAULT) {
      return false;
    }
  }
  return true;
}

// Calls visit(at, copy, count) for the parts of ranges that lie between.
template <class Visit>
void for_each_part(uintptr_t begin, uintptr_t end, const Visit& visit) {
  auto& ranges = contents().ranges;
  auto range = ranges.upper_bound(begin);
  if (range != ranges.begin()) --range;
  for (; range != ranges.end() && range->first < end; ++range) {
    const uintptr_t from = std::max(begin, range->first);
    const uintptr_t to = std::min(end, range->first + range->second.size());
    if (from < to) visit(from, range->second.data() + (from - range->first), to - from);
  }
}

// Words as kernels address them, but for the ends.
template <class Visit>
void for_each_changed_run(uintptr_t begin, const unsigned char* copy, size_t bytes,
                          const Visit& visit) {
  constexpr size_t kBlock = 4096;
  uintptr_t first = 0;  // of the run; 0: there is none
  const uintptr_t end = begin + bytes;
  const auto finish = [&](uintptr_t at) {
    if (first != 0) visit(first, at);
    first = 0;
  };
  for (uintptr_t block = begin; block < end;) {
    const uintptr_t block_end = std::min(end, (block / kBlock + 1) * kBlock);
    if (std::memcmp(memory_at(block), copy + (block - begin), block_end - block) == 0) {
      finish(block);
      block = block_end;
      continue;
    }
    while (block < block_end) {
      const uintptr_t next = std::min(block_end, (block / kWord + 1) * kWord);
      if (std::memcmp(memory_at(block), copy + (block - begin), next - block) == 0) {
        finish(block);
      } else if (first == 0) {
        first = block;
      }
      block = next;
    }
  }
  finish(end);
}

}  // namespace

void watch_contents(uintptr_t begin, size_t bytes) {
  if (bytes == 0 || bytes > kMostWatched || !is_readable(begin, bytes)) return;
  unwatch_contents(begin, bytes);
  contents().ranges[begin].assign(memory_at(begin), memory_at(begin) + bytes);
}

void unwatch_contents(uintptr_t begin, size_t bytes) {
  auto& ranges = contents().ranges;
  auto range = ranges.upper_bound(begin);
  if (range != ranges.begin()) --range;
  while (range != ranges.end() && range->first < begin + bytes) {
    range = range->first + range->second.size() > begin ? ranges.erase(range) : std::next(range);
  }
  contents().library.remove(begin, bytes);
}

void for_each_change(const VisitChange& visit) {
  for (auto& [begin, copy] : contents().ranges) {
    contents().compared += copy.size();
    for_each_changed_run(begin, copy.data(), copy.size(), [&](uintptr_t first, uintptr_t last) {
      std::memcpy(copy.data() + (first - begin), memory_at(first), last - first);
      uintptr_t at = first;
      contents().library.for_each(first, last, [&](uintptr_t from, uintptr_t to) {
        if (at < from) visit(at, from, Changer::host);
        visit(from, to, Changer::library);
        at = to;
      });
      if (at < last) visit(at, last, Changer::host);
    });
  }
  contents().library = {};
  if (contents().compared > kMostCompared) contents().ranges.clear();
}

void expect_bytes(uintptr_t at, const unsigned char* bytes, size_t count) {
  for_each_part(at, at + count, [&](uintptr_t from, unsigned char* copy, size_t size) {
    std::memmove(copy, bytes + (from - at), size);
    contents().library.remove(from, size);
  });
}

void expect_value(uintptr_t at, unsigned char value, size_t count) {
  for_each_part(at, at + count, [&](uintptr_t from, unsigned char* copy, size_t size) {
    std::memset(copy, value, size);
    contents().library.remove(from, size);
  });
}

void expect_library(uintptr_t at, size_t count) {
  for_each_part(at, at + count, [&](uintptr_t from, unsigned char*, size_t size) {
    contents().library.add(from, size);
  });
}

void for_each_content(uintptr_t begin, uintptr_t end,
                      const std::function<void(uintptr_t, const unsigned char*, size_t)>& visit) {
  for_each_part(begin, end, visit);
}

void renew_budget() {
  contents().compared = 0;
}

}  // namespace convkit::simt::check

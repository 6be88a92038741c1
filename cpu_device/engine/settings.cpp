// SPDX-License-Identifier: MIT
#include "cpu_device/engine/settings.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "cpu_device/engine/hooks.h"

namespace convkit::simt {
namespace {

double number_from(const char* name, double fallback, double low, double high) {
  const char* text = std::getenv(name);
  if (!text || !*text) return fallback;
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (*end == '\0' && value >= low && value <= high) return value;
  std::fprintf(stderr, "convkit: %s=%s: must be a number from %g to %g.\n", name, text, low, high);
  std::exit(2);
}

double whole_number_from(const char* name, double fallback, double low, double high) {
  const double value = number_from(name, fallback, low, high);
  if (value == std::floor(value)) return value;
  std::fprintf(stderr, "convkit: %s=%s: must be a whole number from %.0f to %.0f.\n", name,
               std::getenv(name), low, high);
  std::exit(2);
}

unsigned usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

// Half of the machine's memory, and no more than a limit on addresses leaves room for.
double default_memory_mib() {
  const double physical = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                          static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
  double memory = physical / 2;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    memory = std::min(memory, static_cast<double>(limit.rlim_cur >> 20) / 4);
  }
  return std::max(memory, 64.0);
}

Settings read() {
  Settings result{};
  result.cores = usable_cores();
  result.threads =
      static_cast<unsigned>(whole_number_from("CONVKIT_SIMT_THREADS", result.cores, 1, 256));
  result.seed = static_cast<uint64_t>(whole_number_from("CONVKIT_SIMT_SEED", 0, 0, 9e15));
  result.timeout_s = number_from("CONVKIT_SIMT_TIMEOUT", 60, 0.1, 1e6);
  result.memory_bytes =
      static_cast<size_t>(number_from("CONVKIT_SIMT_MEMORY_MIB", default_memory_mib(), 16, 1e6))
      << 20;
  result.poison =
      static_cast<unsigned char>(whole_number_from("CONVKIT_SIMT_POISON", kPoison, 0, 255));
  result.global_poison = static_cast<unsigned char>(
      whole_number_from("CONVKIT_SIMT_GLOBAL_POISON", check_hooks ? kPoison : 0, 0, 255));
  result.devices = static_cast<unsigned>(whole_number_from("CONVKIT_SIMT_DEVICES", 1, 1, 16));
  result.count_accesses = whole_number_from("CONVKIT_SIMT_COUNT", 0, 0, 1) != 0;
  return result;
}

}  // namespace

const Settings& settings() {
  static const Settings result = read();
  return result;
}

}  // namespace convkit::simt

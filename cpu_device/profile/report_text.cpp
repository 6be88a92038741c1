// SPDX-License-Identifier: MIT
// The two views of a report: a table for the terminal, and JSON.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include "cpu_device/profile/program_profile.h"

namespace convkit::simt::profile {
namespace {

struct KindWords {
  const char* text;
  const char* json;
};
constexpr std::array<KindWords, kKinds> kWords{{{"global load", "global_load"},
                                                {"global store", "global_store"},
                                                {"constant load", "constant_load"},
                                                {"variable load", "variable_load"},
                                                {"shared load", "shared_load"},
                                                {"shared store", "shared_store"},
                                                {"global atomic", "global_atomic"},
                                                {"shared atomic", "shared_atomic"}}};
const KindWords& words(Kind kind) {
  return kWords[static_cast<unsigned>(kind)];
}

template <class... Values>
std::string format(const char* how, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, how, values...);
  return text;
}

std::string number(uint64_t value) {
  return std::to_string(value);
}

// What the kind of access is measured in.
std::string measure(const Line& line) {
  const Sums& s = line.sums;
  switch (line.kind) {
    case Kind::shared_load:
    case Kind::shared_store:
      return number(s.wavefronts) + " wavefronts (" +
             format("%.1f", per(s.wavefronts, s.requests)) + " a request), " + number(s.conflicts) +
             " bank conflicts";
    case Kind::global_atomic:
    case Kind::shared_atomic:
      return format("%.1f", per(s.addresses, s.requests)) + " addresses a request, " +
             format("%.1f", per(s.passes, s.requests)) + " lanes on one, " + number(s.hottest) +
             " of " + number(s.lanes) + " on the most used";
    case Kind::constant_load:
      return number(s.words) + (s.words == 1 ? " word (" : " words (") +
             format("%.1f", per(s.words, s.requests)) + " a request)";
    default:
      return number(s.sectors) + " sectors (" + format("%.1f", per(s.sectors, s.requests)) +
             " a request), " + number(s.used_bytes) + " of " + number(32 * s.sectors) +
             " bytes used";
  }
}

std::string escaped(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20) {
      result += format("\\u%04x", byte);
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string barrier_place(const std::pair<std::string, int>& place) {
  if (place.first.empty()) return "an unknown line";
  return std::filesystem::path(place.first).filename().string() + ":" +
         std::to_string(place.second);
}

std::string field(const char* name, uint64_t value) {
  return std::string(", \"") + name + "\": " + number(value);
}

constexpr std::array<KindWords, kOperations> kOperationWords{{{"float fma", "float_fma"},
                                                              {"float mul", "float_mul"},
                                                              {"float add", "float_add"},
                                                              {"double fma", "double_fma"},
                                                              {"double mul", "double_mul"},
                                                              {"double add", "double_add"},
                                                              {"special", "special"}}};

// "4096 float fma, 12 special"
std::string words_of(const Arithmetic& executed) {
  std::string text;
  for (unsigned i = 0; i < kOperations; ++i) {
    if (executed[i] == 0) continue;
    text += (text.empty() ? "" : ", ") + number(executed[i]) + " " + kOperationWords[i].text;
  }
  return text;
}

std::string json_of(const ArithmeticLine& line) {
  std::string text =
      "{\"file\": " + escaped(line.file) + field("line", static_cast<uint64_t>(line.number));
  for (unsigned i = 0; i < kOperations; ++i) {
    if (line.executed[i] != 0) text += field(kOperationWords[i].json, line.executed[i]);
  }
  return text + "}";
}

std::string json_of(const Line& line) {
  const Sums& s = line.sums;
  std::string text = "{\"file\": " + escaped(line.file) +
                     field("line", static_cast<uint64_t>(line.number)) + ", \"kind\": \"" +
                     words(line.kind).json + "\"" + field("requests", s.requests) +
                     field("lanes", s.lanes) + field("possible_lanes", s.possible_lanes);
  switch (line.kind) {
    case Kind::shared_load:
    case Kind::shared_store:
      text += field("wavefronts", s.wavefronts) + field("bank_conflicts", s.conflicts);
      break;
    case Kind::global_atomic:
    case Kind::shared_atomic:
      text += field("addresses", s.addresses) + field("passes", s.passes) +
              field("most_on_one_address", s.hottest);
      break;
    case Kind::constant_load:
      text += field("words", s.words);
      break;
    default:
      text += field("sectors", s.sectors) + field("bytes_used", s.used_bytes) +
              field("bytes_moved", 32 * s.sectors);
  }
  return text + "}";
}

std::string json_of(const TracedStep& step) {
  std::string text =
      "{\"file\": " + escaped(step.file) + field("line", static_cast<uint64_t>(step.line));
  if (step.is_barrier) return text + ", \"kind\": \"barrier\"}";
  text += std::string(", \"kind\": \"") + words(step.kind).json +
          "\", \"place\": " + escaped(step.place) + field("bytes", step.bytes) +
          field("cost", step.cost) + ", \"dims\": [";
  const char* before = "";
  for (const int64_t size : step.dims) {
    text += before + std::to_string(size);
    before = ", ";
  }
  text += "], \"elements\": [";
  before = "";
  for (const int64_t element : step.elements) {
    text += before + std::to_string(element);
    before = ", ";
  }
  return text + "]}";
}

std::string json_of(const KernelTrace& trace) {
  std::string text = ",\n     \"trace\": {\"block\": " + number(trace.block) +
                     field("warp", trace.warp) + field("lanes", trace.lanes) +
                     field("left_out", trace.left_out) + ", \"steps\": [";
  const char* before = "\n       ";
  for (const TracedStep& step : trace.steps) {
    text += before + json_of(step);
    before = ",\n       ";
  }
  return text + "]}";
}

}  // namespace

std::string text_of(const KernelReport& report) {
  const KernelProfile& kernel = *report.kernel;
  std::string text = "convkit profile: " + kernel.name + ", " + number(kernel.launches) +
                     (kernel.launches == 1 ? " launch, " : " launches, ") + number(kernel.blocks) +
                     (kernel.blocks == 1 ? " block" : " blocks") + " of " +
                     (kernel.launches == 1 ? "" : "at most ") + number(kernel.threads) +
                     (kernel.threads == 1 ? " thread\n" : " threads\n");
  size_t width = 0;
  for (const Line& line : report.lines) width = std::max(width, line.text.size());
  for (const ArithmeticLine& line : report.arithmetic) width = std::max(width, line.text.size());
  for (const auto& [place, count] : kernel.barriers) {
    width = std::max(width, barrier_place(place).size());
  }
  const auto pad = [width](std::string place) {
    place.resize(std::max(width, place.size()), ' ');
    return "  " + place + "  ";
  };
  for (const Line& line : report.lines) {
    const Sums& s = line.sums;
    text += pad(line.text) + format("%-13s  ", words(line.kind).text) + number(s.requests) +
            (s.requests == 1 ? " request" : " requests") + " of " +
            format("%.1f", per(s.lanes, s.requests)) + " lanes, " + measure(line) + "\n";
  }
  for (const ArithmeticLine& line : report.arithmetic) {
    text += pad(line.text) + "arithmetic     " + words_of(line.executed) + "\n";
  }
  for (const auto& [place, count] : kernel.barriers) {
    text += pad(barrier_place(place)) + "barrier        " + number(count) +
            (count == 1 ? " time, by a block\n" : " times, by a block\n");
  }
  if (kernel.left_out != 0) {
    text += "  Not counted: " + number(kernel.left_out) +
            " accesses that came after so many others without a barrier.\n";
  }
  if (!report.arithmetic_unknown.empty()) {
    text += "  Its arithmetic is not known: " + report.arithmetic_unknown + "\n";
  }
  return text + "  " + report.verdict + "\n";
}

std::string json_of(const std::vector<KernelReport>& reports) {
  std::string text = "{\n  \"format\": \"convkit-profile\",\n  \"version\": 1,\n  \"kernels\": [";
  const char* before = "\n";
  for (const KernelReport& report : reports) {
    const KernelProfile& kernel = *report.kernel;
    text += before + ("    {\"name\": " + escaped(kernel.name)) +
            field("launches", kernel.launches) + field("blocks", kernel.blocks) +
            field("threads_per_block", kernel.threads) + field("not_counted", kernel.left_out) +
            field("dynamic_shared_bytes", kernel.dynamic_shared_bytes) +
            field("different_sectors_loaded", kernel.sectors.loaded) +
            field("different_sectors_stored", kernel.sectors.stored) +
            ",\n     \"arithmetic_unknown\": " + escaped(report.arithmetic_unknown) +
            ",\n     \"limiter\": \"" + report.limiter +
            "\", \"sentence\": " + escaped(report.verdict) + ",\n     \"lines\": [";
    before = ",\n";
    const char* inner = "\n       ";
    for (const Line& line : report.lines) {
      text += inner + json_of(line);
      inner = ",\n       ";
    }
    text += "],\n     \"arithmetic\": [";
    inner = "\n       ";
    for (const ArithmeticLine& line : report.arithmetic) {
      text += inner + json_of(line);
      inner = ",\n       ";
    }
    text += "],\n     \"barriers\": [";
    inner = "\n       ";
    for (const auto& [place, count] : kernel.barriers) {
      text += inner + ("{\"file\": " + escaped(place.first)) +
              field("line", static_cast<uint64_t>(place.second)) + field("times", count) + "}";
      inner = ",\n       ";
    }
    text += "]";
    if (!kernel.trace.steps.empty()) text += json_of(kernel.trace);
    text += "}";
  }
  return text + "\n  ]\n}\n";
}

}  // namespace convkit::simt::profile

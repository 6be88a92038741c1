// SPDX-License-Identifier: MIT
#include "cpu_device/check/unjoined.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cpu_device/check/reports.h"
#include "cpu_device/check/stream_order.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {
namespace {

constexpr size_t kMostNamed = 3;

// "cudaMemset, called at tiled.cu:38, and 2 more operations", one name for each line.
std::string others_text(const std::vector<Unjoined>& work) {
  std::vector<std::string> names;
  size_t more = 0;
  const std::string first = task_text(*work.front().task);
  for (const Unjoined& one : work) {
    const std::string name = task_text(*one.task);
    if (name == first || std::find(names.begin(), names.end(), name) != names.end()) continue;
    if (names.size() == kMostNamed) {
      ++more;
    } else {
      names.push_back(name);
    }
  }
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() && more == 0 ? "; and " : "; ") + names[i];
  }
  if (more != 0) text += "; and " + std::to_string(more) + " more";
  return text;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool begins_with(const std::string& text, const std::string& begin) {
  return text.compare(0, begin.size(), begin) == 0;
}

// What to write so that the work goes to the function's stream.
std::string on_given_stream(const Task& task) {
  const std::string& name = task.name;
  if (task.is_launch) return "Write " + name + "<<<grid, block, shared_bytes, stream>>>(...)";
  if (begins_with(name, "cublas")) return "Call cublasSetStream(handle, stream) before " + name;
  if (begins_with(name, "cudnn")) return "Call cudnnSetStream(handle, stream) before " + name;
  if (begins_with(name, "curand")) return "Call curandSetStream(generator, stream) before " + name;
  if (name == "cudaLaunchHostFunc" || name == "cudaStreamAddCallback") {
    return "Write " + name + "(stream, ...)";
  }
  return "Write " + name + (ends_with(name, "Async") ? "" : "Async") + "(..., stream)";
}

std::string advice_for(const Task& task) {
  if (task.graph) {
    return "Launch the graph on the stream that the function was given: cudaGraphLaunch(graph, "
           "stream).";
  }
  std::string advice;
  if (task.stream->number == 0 && task.is_launch) {
    advice = "A launch without a fourth argument goes to the default stream. ";
  } else if (task.stream->number == 0 && begins_with(task.name, "cuda") &&
             !ends_with(task.name, "Async")) {
    advice = task.name + " always uses the default stream. ";
  }
  advice += on_given_stream(task) + ", with the stream that the function was given.";
  if (task.stream->number != 0) {
    advice +=
        " Or let that stream wait: cudaEventRecord(event, other) behind the work, then "
        "cudaStreamWaitEvent(stream, event, 0).";
  }
  return advice;
}

}  // namespace

void report_unjoined(std::optional<uint64_t> given) {
  std::vector<Unjoined> work = unjoined_tasks();
  std::erase_if(work, [&](const Unjoined& one) { return !one.task || one.stream == given; });
  if (work.empty()) return;
  const Unjoined& first = work.front();
  const Task& task = *first.task;
  Report report;
  report.kind = "unjoined_stream";
  if (const SourceLine line = task_line(task); !line.file.empty()) report.lines = {line};
  report.sentence = task_text(task) + ", went to " +
                    stream_text(task.graph ? *task.graph->stream : *task.stream) +
                    (task.graph ? " with the launch of a graph" : "") +
                    ". The function was given another stream, and nothing makes that one wait for "
                    "it: the caller does not know when " +
                    task.name + " has ended.";
  if (first.event) {
    report.sentence += " An event is recorded behind it (" + task_text(*first.event) +
                       "), and no later cudaStreamWaitEvent lets the given stream wait for that "
                       "event.";
  }
  const std::string others = others_text(work);
  if (!others.empty()) report.sentence += " The same holds for " + others + ".";
  report.advice = advice_for(task);
  tell(report);
}

void report_unwaited() {
  std::vector<Unjoined> work = unjoined_tasks();
  std::erase_if(work, [](const Unjoined& one) { return !one.task; });
  if (work.empty()) return;
  const Task& task = *work.front().task;
  Report report;
  report.kind = "unwaited_work";
  if (const SourceLine line = task_line(task); !line.file.empty()) report.lines = {line};
  const std::string others = others_text(work);
  report.sentence = "the program ended, and nothing had waited for " + task_text(task) +
                    (others.empty() ? "" : "; for " + others) + ".";
  report.advice =
      "A launch returns before the kernel has run, and what has not run at the end never does. "
      "Call "
      "cudaDeviceSynchronize() and look at its error before the program ends.";
  tell(report);
}

}  // namespace convkit::simt::check

// SPDX-License-Identifier: MIT
// Operations whose outputs are facts about what a submission said: 1 where it agrees with the
// library, 0 where it does not. Only in the harness.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cudnn_port.h"
#include "library_convolution.h"
#include "runner/device.h"

// Of cpu_device/dnn/compute.cpp; null with NVIDIA's library.
extern "C" __attribute__((weak)) double convkit_simt_dnn_shortest_forward_ms();
// Of cpu_device/dnn/algorithm_lists.cpp.
extern "C" __attribute__((weak)) int convkit_simt_dnn_entries_requested();

namespace convkit::harness {

// Only the category of a status is compared: 0 for a success, 2 for BAD_PARAM, 3 for NOT_SUPPORTED.
inline int32_t category(cudnnStatus_t status) {
  return int32_t(status) / 1000;
}

// A negative padding, a stride of 0, an image without channels.
inline Launch dims_statuses(const Call& call) {
  return [function = call.entry<decltype(conv2d_output_dims)>("conv2d_output_dims"),
          stubs = Stubs(call), status = call.output<int32_t>("status")] {
    Conv2dShape good;
    good.n = 2, good.c = 3, good.h = 8, good.w = 9, good.m = 4, good.kh = 3, good.kw = 2;
    Conv2dShape padding = good, stride = good, channels = good;
    padding.pad_w = -1;
    stride.stride_h = 0;
    channels.c = 0;
    const std::pair<const Conv2dShape*, const char*> bad[] = {
        {&padding, "a padding of -1"}, {&stride, "a stride of 0"}, {&channels, "0 channels"}};
    std::vector<cudnnStatus_t> returned;
    for (const auto& [shape, words] : bad) {
      note_call(std::string("conv2d_output_dims was called with ") + words +
                ": it must return cuDNN's status, CUDNN_STATUS_BAD_PARAM, and not touch `dims`.");
      int dims[4] = {-1, -1, -1, -1};
      {
        const DescriptorWatch watch;
        returned.push_back(function(shape, dims));
      }
      const bool failed = returned.back() != CUDNN_STATUS_SUCCESS;
      const bool touched = failed && std::any_of(dims, dims + 4, [](int dim) { return dim != -1; });
      if (!touched || stubs.any_reached()) continue;
      throw CudaFailure(
          "changed `dims` although it returned an error. Write to it only when all calls "
          "have succeeded.");
    }
    note_call("");
    if (stubs.any_reached()) return;
    std::transform(returned.begin(), returned.end(), status, category);
  };
}

// An algorithm that computes no convolution (CUDNN_CONVOLUTION_FWD_ALGO_DIRECT): asked for its
// workspace, and to compute.
inline Launch forward_statuses(const Call& call) {
  Conv2dShape shape;
  shape.n = 2, shape.c = 3, shape.h = 8, shape.w = 9, shape.m = 4, shape.kh = 3, shape.kw = 2;
  const auto room = [&](const char* name, int64_t floats) {
    return static_cast<float*>(call.device_scratch(name, size_t(floats) * sizeof(float)));
  };
  return [query = call.entry<decltype(conv2d_workspace)>("conv2d_workspace"),
          function = call.entry<decltype(conv2d_forward)>("conv2d_forward"), shape,
          x = room("x", shape.x_size()), w = room("w", shape.w_size()),
          y = room("y", shape.y_size()), stubs = Stubs(call),
          status = call.output<int32_t>("status"), stream = call.stream()] {
    constexpr auto kDirect = CUDNN_CONVOLUTION_FWD_ALGO_DIRECT;
    const DescriptorWatch watch;
    const std::string how =
        " was called with CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, which the library does not have: it "
        "must return the library's status, CUDNN_STATUS_NOT_SUPPORTED.";
    size_t bytes = kBytesBefore;
    note_call("conv2d_workspace" + how);
    const cudnnStatus_t of_query = query(cudnn_handle(), &shape, kDirect, &bytes);
    note_call("conv2d_forward" + how);
    const cudnnStatus_t of_call =
        function(cudnn_handle(), &shape, kDirect, 1.0f, x, w, nullptr, 0.0f, y, nullptr, 0, stream);
    note_call("");
    if (stubs.any_reached()) return;
    status[0] = category(of_query);
    status[1] = category(of_call);
  };
}

// By the last call that lists algorithms; 0 where only NVIDIA's library knows.
inline int entries_requested() {
  return convkit_simt_dnn_entries_requested ? convkit_simt_dnn_entries_requested() : 0;
}

// " The limit is 0 bytes, and algorithm 0 fits: ...", or "" if there is none.
// `requested` entries of the library's list were asked for, or 0 where that is not known.
inline std::string that_fits(const Conv2dShape& shape, size_t limit, int requested) {
  const LibraryConvolution library(shape);
  const Algorithm algo = library.first_within(limit);
  size_t needed = 0;
  if (requested > 0 && requested < kAlgorithms) {
    return " Only " + std::to_string(requested) + " of the " + std::to_string(kAlgorithms) +
           " entries of the library's list " + (requested == 1 ? "was" : "were") +
           " requested. The limit is " + std::to_string(limit) + " bytes, and algorithm " +
           std::to_string(int(algo)) +
           " fits, but it is not seen behind them: request as many entries as "
           "cudnnGetConvolutionForwardAlgorithmMaxCount says.";
  }
  if (algo == CUDNN_CONVOLUTION_FWD_ALGO_COUNT ||
      library.workspace(algo, &needed) != CUDNN_STATUS_SUCCESS) {
    return "";
  }
  return " The limit is " + std::to_string(limit) + " bytes, and algorithm " +
         std::to_string(int(algo)) + " fits: it needs " +
         (needed == limit ? "exactly as many, so `memory` must be compared with > and not with >= "
                            "where an entry is passed over. It may also be passed over"
                          : std::to_string(needed) + ". An entry is passed over") +
         " for its status, for its math type (is CUDNN_FMA_MATH set in the convolution's "
         "descriptor?)" +
         (needed == limit ? "" : ", or for memory above the limit") +
         (requested > 0 ? "."
                        : "; and what is not requested, because fewer entries are than there are "
                          "algorithms, is not seen.");
}

struct QueryAnswer {
  cudnnStatus_t status;
  size_t bytes;

  bool is(const QueryAnswer& other) const {
    return category(status) == category(other.status) &&
           (status != CUDNN_STATUS_SUCCESS || bytes == other.bytes);
  }
};

// What a submission says of an algorithm: 1 is what the library says. Else what is wrong, which
// mistakes/fact_mistakes.cpp has sentences for.
enum Said : int32_t {
  kOther = 0,
  kLibrarys = 1,
  kOfForward = 2,       // what the library says of the forward pass,
  kOfData = 3,          // of the gradient of x,
  kOfFilter = 4,        // of the gradient of w,
  kOfOneAlgorithm = 5,  // of one algorithm, whichever is asked for,
  kOfTurnedKernel = 6,  // of a kernel with kw rows and kh columns,
  kOfTurnedImage = 7,   // of an image with w rows and h columns
  kNothing = 8,         // `bytes` is not written
  kTheLimit = 11,       // `bytes` is the limit
  kAddedTo = 9,         // nor is what it held before overwritten
  kAlwaysSuccess =
      10,            // the bytes are right, and the status is a success where the library's is not
  kOfOneImage = 12,  // what the library says of a batch of one image,
  kNotPadded = 13,   // without the padding,
  kNotStrided = 14,  // with stride 1,
  kNotDilated = 15,  // with dilation 1,
  kOfOneChannel = 16,  // of one channel
  kOfOtherRow = 17,    // in a table: of the algorithm of another row
};

// One of these for everything that was said, in the order of their numbers: what explains all of
// it.
template <class AnAlgorithm>
Said what_was_said(const Conv2dShape& shape, const std::vector<QueryAnswer>& said) {
  const OwnCalls own;
  const LibraryConvolution library(shape);
  const auto of = [](const LibraryConvolution& asked, auto algo) {
    size_t bytes = 0;
    const cudnnStatus_t status = asked.workspace(algo, &bytes);
    return QueryAnswer{status, bytes};
  };
  const auto explains = [&](auto answer) {
    for (size_t i = 0; i < said.size(); ++i) {
      if (!answer(int(i), said[i])) return false;
    }
    return true;
  };
  const auto right = [&](int algo) { return of(library, AnAlgorithm(algo)); };
  const auto turned = [&](const Conv2dShape& other) {
    if (other.oh() < 1 || other.ow() < 1) return false;
    const LibraryConvolution asked(other);
    return explains(
        [&](int algo, const QueryAnswer& one) { return one.is(of(asked, AnAlgorithm(algo))); });
  };
  using Data = cudnnConvolutionBwdDataAlgo_t;
  using Filter = cudnnConvolutionBwdFilterAlgo_t;
  if (explains([&](int i, const QueryAnswer& one) { return one.is(of(library, Algorithm(i))); })) {
    return kOfForward;
  }
  if (explains([&](int i, const QueryAnswer& one) { return one.is(of(library, Data(i))); })) {
    return kOfData;
  }
  if (explains([&](int i, const QueryAnswer& one) { return one.is(of(library, Filter(i))); })) {
    return kOfFilter;
  }
  for (size_t fixed = 0; fixed < said.size(); ++fixed) {
    const QueryAnswer always = right(int(fixed));
    if (explains([&](int, const QueryAnswer& one) { return one.is(always); })) {
      return kOfOneAlgorithm;
    }
  }
  Conv2dShape kernel = shape, image = shape;
  std::swap(kernel.kh, kernel.kw);
  std::swap(image.h, image.w);
  if (turned(kernel)) return kOfTurnedKernel;
  if (turned(image)) return kOfTurnedImage;
  Conv2dShape one_image = shape, not_padded = shape, not_strided = shape, not_dilated = shape,
              one_channel = shape;
  one_image.n = 1;
  not_padded.pad_h = not_padded.pad_w = 0;
  not_strided.stride_h = not_strided.stride_w = 1;
  not_dilated.dilation_h = not_dilated.dilation_w = 1;
  one_channel.c = one_channel.groups = 1;
  const std::pair<const Conv2dShape*, Said> others[] = {{&one_image, kOfOneImage},
                                                        {&not_padded, kNotPadded},
                                                        {&not_strided, kNotStrided},
                                                        {&not_dilated, kNotDilated},
                                                        {&one_channel, kOfOneChannel}};
  for (const auto& [other, what] : others) {
    if (turned(*other)) return what;
  }
  const auto is_success = [](const QueryAnswer& one) { return one.status == CUDNN_STATUS_SUCCESS; };
  if (explains([&](int, const QueryAnswer& one) {
        return !is_success(one) || one.bytes == kBytesBefore;
      })) {
    return kNothing;
  }
  if (explains([&](int, const QueryAnswer& one) {
        return !is_success(one) || one.bytes >= kBytesBefore / 2;
      })) {
    return kAddedTo;
  }
  if (explains([&](int i, const QueryAnswer& one) {
        return is_success(one) && (!is_success(right(i)) || one.is(right(i)));
      })) {
    return kAlwaysSuccess;
  }
  return kOther;
}

// For each algorithm of a pass, by its number: whether the query `symbol` gives the library's
// status, and the library's bytes where that is a success.
template <class AnAlgorithm>
Launch workspaces(const Call& call, const char* symbol) {
  using Query = cudnnStatus_t(cudnnHandle_t, const Conv2dShape*, AnAlgorithm, size_t*);
  return
      [query = call.entry<Query>(symbol), symbol, shape = call.conv2d_shape(), stubs = Stubs(call),
       facts = call.output<int32_t>("workspaces"), count = int(call.dims("workspaces")[0])] {
        std::vector<QueryAnswer> said;
        for (int number = 0; number < count; ++number) {
          note_call(std::string(symbol) + " was asked how many bytes of workspace algorithm " +
                    std::to_string(number) + " needs.");
          QueryAnswer one = {CUDNN_STATUS_SUCCESS, kBytesBefore};
          const DescriptorWatch watch;
          one.status = query(cudnn_handle(), &shape, AnAlgorithm(number), &one.bytes);
          said.push_back(one);
        }
        note_call("");
        if (stubs.any_reached()) return;
        const Said wrong = what_was_said<AnAlgorithm>(shape, said);
        const LibraryConvolution library(shape);
        for (int number = 0; number < count; ++number) {
          QueryAnswer right = {};
          right.status = library.workspace(AnAlgorithm(number), &right.bytes);
          facts[number] = said[size_t(number)].is(right) ? kLibrarys : wrong;
        }
      };
}

// Whether the choice fits into the limit, is supported, is reported with the workspace that it
// needs, and (for the heuristic) comes first among those.
inline Launch choice(const Call& call, bool measured) {
  const Conv2dShape shape = call.conv2d_shape();
  // exact: as much as the first algorithm of the heuristic's list needs that needs any.
  const size_t limit = call.integer("exact") ? LibraryConvolution(shape).first_workspace()
                                             : size_t(call.integer("limit"));
  auto* const y =
      static_cast<float*>(call.device_scratch("y", size_t(shape.y_size()) * sizeof(float)));
  return [guard = GuardedCalls(call),
          heuristic = call.entry<decltype(conv2d_choose_heuristic)>("conv2d_choose_heuristic"),
          by_time = call.entry<decltype(conv2d_choose_measured)>("conv2d_choose_measured"),
          measured, shape, limit, x = call.device_input<float>("x"),
          w = call.device_input<float>("w"), y, memory = call.device_scratch("workspace", limit),
          facts = call.output<int32_t>("choice"), stream = call.stream()] {
    Algorithm algo = CUDNN_CONVOLUTION_FWD_ALGO_COUNT;
    size_t bytes = kBytesBefore;
    try {
      if (measured) {
        guard([&](cudnnHandle_t handle) {
          return by_time(handle, &shape, x, w, y, limit ? memory : nullptr, limit, &algo, &bytes,
                         stream);
        });
      } else {
        guard.without_stream(
            [&](cudnnHandle_t handle) { return heuristic(handle, &shape, limit, &algo, &bytes); });
      }
    } catch (const CudaFailure& failure) {
      throw CudaFailure(failure.what() + that_fits(shape, limit, entries_requested()));
    }
    if (algo == CUDNN_CONVOLUTION_FWD_ALGO_COUNT) return;  // nothing was chosen
    const LibraryConvolution library(shape);
    size_t needed = 0;
    const bool works = library.workspace(algo, &needed) == CUDNN_STATUS_SUCCESS;
    facts[0] = !works || needed <= limit;
    facts[1] = works;
    facts[2] = !works || bytes == needed ? kLibrarys
               : bytes == kBytesBefore   ? kNothing
               : bytes == limit          ? kTheLimit
               : bytes > kBytesBefore    ? kAddedTo
                                         : kOther;
    if (!measured) facts[3] = algo == library.first_within(limit);
  };
}

// The data for the functions of task 06.7.
struct TableCall {
  explicit TableCall(const Call& call)
      : guard(call),
        function(call.entry<decltype(compare_algorithms)>("compare_algorithms")),
        shape(call.conv2d_shape()),
        x(call.device_input<float>("x")),
        w(call.device_input<float>("w")),
        y(static_cast<float*>(call.device_scratch("y", size_t(shape.y_size()) * sizeof(float)))),
        library(std::make_shared<LibraryConvolution>(shape)),
        bytes(library->largest_workspace()),
        memory(call.device_scratch("workspace", bytes)),
        stream(call.stream()) {}

  // Nothing if no row was filled.
  std::vector<AlgorithmRow> rows() const {
    if (convkit_simt_dnn_shortest_forward_ms)
      convkit_simt_dnn_shortest_forward_ms();  // from now on
    const AlgorithmRow none{Algorithm(-1), CUDNN_STATUS_NOT_INITIALIZED, kBytesBefore, -1.0f};
    std::vector<AlgorithmRow> rows(kAlgorithms, none);
    try {
      guard([&](cudnnHandle_t handle) {
        return function(handle, &shape, x, w, y, memory, bytes, rows.data(), stream);
      });
    } catch (const CudaFailure& failure) {
      const std::string why = failure.what();
      if (why.find("CUDNN_STATUS_NOT_SUPPORTED") == std::string::npos) throw;
      throw CudaFailure(why +
                        " An algorithm that is not supported is no failure of compare_algorithms: "
                        "its row gets that status, and the next algorithm follows.");
    }
    // What nobody waited for has not run yet on the CPU device.
    check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    const bool filled = std::any_of(rows.begin(), rows.end(),
                                    [](const AlgorithmRow& row) { return int(row.algo) != -1; });
    expect_possible_times(rows);
    return filled ? rows : std::vector<AlgorithmRow>();
  }

  // A mean or a median of times around convolutions is at least the shortest of these convolutions,
  // which only the CPU device tells. Half of it is left to rounding.
  static void expect_possible_times(const std::vector<AlgorithmRow>& rows) {
    const double shortest =
        convkit_simt_dnn_shortest_forward_ms ? convkit_simt_dnn_shortest_forward_ms() : 0;
    for (const AlgorithmRow& row : rows) {
      if (row.status != CUDNN_STATUS_SUCCESS || !(row.ms < shortest / 2)) continue;
      char text[250];
      std::snprintf(text, sizeof text,
                    "says that algorithm %d takes %.2g ms, and no convolution took less than %.2g "
                    "ms: what was timed does not enclose the convolutions. Record both events on "
                    "their stream.",
                    int(row.algo), double(row.ms), shortest);
      throw CudaFailure(text);
    }
  }

  // The status of the query or, if that succeeds, of the convolution.
  cudnnStatus_t status_of(Algorithm algo, size_t* needed) const {
    const cudnnStatus_t status = library->workspace(algo, needed);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    return library->run(algo, x, w, y, memory, bytes, stream);
  }

  GuardedCalls guard;
  decltype(compare_algorithms)* function;
  Conv2dShape shape;
  const float *x, *w;
  float* y;
  std::shared_ptr<LibraryConvolution> library;
  size_t bytes;
  void* memory;
  cudaStream_t stream;
};

// Of a row: 1 where it belongs, with a time if the algorithm works. Else what is wrong, which
// mistakes/fact_mistakes.cpp has sentences for.
enum Place : int32_t {
  kWrongTime = 0,
  kRight = 1,
  kBehindFailure = 2,  // it works, and the row before it does not
  kBehindSlower = 3,   // both work
  kBehindLarger = 4,   // neither works, and the number of the algorithm before it is larger
};

inline Place place_of(const std::vector<AlgorithmRow>& rows, size_t at, bool works) {
  const AlgorithmRow& row = rows[at];
  if ((std::isfinite(row.ms) && row.ms > 0) != works) return kWrongTime;
  if (at == 0) return kRight;
  const AlgorithmRow& before = rows[at - 1];
  const bool said_to_work = row.status == CUDNN_STATUS_SUCCESS;
  if ((before.status == CUDNN_STATUS_SUCCESS) != said_to_work) {
    return said_to_work ? kBehindFailure : kRight;
  }
  if (said_to_work) return before.ms <= row.ms ? kRight : kBehindSlower;
  return before.algo < row.algo ? kRight : kBehindLarger;
}

// Of what shape the bytes of all rows are; kOther where that is not known.
inline Said bytes_said(const Conv2dShape& shape, const std::vector<AlgorithmRow>& rows) {
  std::vector<QueryAnswer> said(size_t(kAlgorithms), {CUDNN_STATUS_NOT_SUPPORTED, 0});
  for (const AlgorithmRow& row : rows) {
    if (int(row.algo) < 0 || row.algo >= kAlgorithms) return kOther;
    said[size_t(row.algo)] = {row.status, row.workspace_bytes};
  }
  const Said what = what_was_said<Algorithm>(shape, said);
  return what == kOfTurnedKernel || what == kOfTurnedImage || what >= kOfOneImage ? what : kOther;
}

// Whether the numbers of bytes are right, but not where they stand.
inline bool have_changed_rows(std::vector<size_t> said, std::vector<size_t> right) {
  std::sort(said.begin(), said.end());
  std::sort(right.begin(), right.end());
  return said == right && said.front() != said.back();
}

// For each algorithm: it has one row, with the library's status and workspace, and the row is where
// it belongs, with a time if there is one.
inline Launch table(const Call& call) {
  return [t = TableCall(call), facts = call.output<int32_t>("table")] {
    const std::vector<AlgorithmRow> rows = t.rows();
    if (rows.empty()) return;
    const Said wrong = bytes_said(t.shape, rows);
    std::vector<size_t> said, right;
    for (const AlgorithmRow& row : rows) said.push_back(row.workspace_bytes);
    for (int algo = 0; algo < kAlgorithms; ++algo) {
      int32_t* const fact = facts + 4 * algo;
      std::fill(fact, fact + 4, 0);
      const auto has_algo = [=](const AlgorithmRow& row) { return int(row.algo) == algo; };
      fact[0] = std::count_if(rows.begin(), rows.end(), has_algo) == 1;
      const auto row = std::find_if(rows.begin(), rows.end(), has_algo);
      if (row == rows.end()) continue;
      size_t needed = 0;
      const cudnnStatus_t status = t.status_of(Algorithm(algo), &needed);
      const bool works = status == CUDNN_STATUS_SUCCESS;
      right.push_back(works ? needed : 0);
      fact[1] = category(row->status) == category(status);
      fact[2] = row->workspace_bytes == right.back() ? kLibrarys : wrong;
      fact[3] = place_of(rows, size_t(row - rows.begin()), works);
    }
    if (wrong != kOther || !have_changed_rows(std::move(said), std::move(right))) return;
    for (int32_t* fact = facts + 2; fact < facts + 4 * kAlgorithms; fact += 4) {
      if (*fact == kOther) *fact = kOfOtherRow;
    }
  };
}

// For the chart: milliseconds and KiB of workspace of each algorithm, by its number; NaN where
// there are none.
inline Launch times(const Call& call) {
  return [t = TableCall(call), cells = call.output<float>("times")] {
    const std::vector<AlgorithmRow> rows = t.rows();
    if (rows.empty()) return;
    std::fill(cells, cells + 2 * kAlgorithms, std::numeric_limits<float>::quiet_NaN());
    for (const AlgorithmRow& row : rows) {
      if (int(row.algo) < 0 || row.algo >= kAlgorithms || row.status != CUDNN_STATUS_SUCCESS) {
        continue;
      }
      cells[2 * row.algo] = row.ms;
      cells[2 * row.algo + 1] = float(row.workspace_bytes) / 1024;
    }
  };
}

}  // namespace convkit::harness

// SPDX-License-Identifier: MIT
// Calls that list, try and measure algorithms. Find waits for the stream, as on a GPU, and computes
// in its own memory; FindEx computes in the caller's.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

#include "cpu_device/dnn/algorithms.h"
#include "simt/runtime_api.h"

namespace convkit::simt::dnn {
namespace {

// The memory that a pass works on.
struct Memory {
  const void *one = nullptr, *other = nullptr;
  void* result = nullptr;
};

float milliseconds(Pass pass, const Convolution& conv, const Memory& memory) {
  const auto once = [&] { compute(pass, conv, {}, memory.one, memory.other, memory.result); };
  once();  // what is prepared once for a shape is not part of a call's time
  const auto start = std::chrono::steady_clock::now();
  once();
  const std::chrono::duration<float, std::milli> taken = std::chrono::steady_clock::now() - start;
  return taken.count();
}

// Memory filled with zeros.
class OwnMemory {
 public:
  OwnMemory(Pass pass, const Convolution& conv, bool is_needed) {
    if (!is_needed) return;
    const auto [one, other, result] = tensors_of(pass, conv);
    const cudnnTensorStruct* tensors[] = {&one, &other, &result};
    for (int i = 0; i < 3; ++i) {
      bytes_[i].resize(static_cast<size_t>(extent(*tensors[i])) * element_bytes(tensors[i]->type));
    }
  }
  Memory memory() { return {bytes_[0].data(), bytes_[1].data(), bytes_[2].data()}; }

 private:
  std::vector<unsigned char> bytes_[3];
};

// The caller's memory for the trials; the results are overwritten.
struct Given {
  LibraryCall call;
  Memory memory;
  const char *one, *other, *result;  // the names of these arguments
  void* workspace;
  size_t workspace_bytes;
};

bool may_use(const Given& given, Pass pass, const Convolution& conv) {
  const auto [one, other, result] = tensors_of(pass, conv);
  return may_use(given.call, given.one, given.memory.one, one, Use::read) &&
         may_use(given.call, given.other, given.memory.other, other, Use::read) &&
         may_use(given.call, given.result, given.memory.result, result, Use::write) &&
         (!given.workspace || may_use_bytes(given.call, "workSpace", given.workspace,
                                            given.workspace_bytes, Use::write));
}

enum class Measure { no, yes };

// By the last call that lists algorithms; 0 before.
std::atomic<int> g_requested = 0;

template <class Perf>
std::vector<Perf> untried(Pass pass, const Convolution& conv, cudnnMathType_t math) {
  std::vector<Perf> all;
  for (const int algorithm : algorithms(pass)) {
    const Judgement judgement = judge(pass, algorithm, conv);
    Perf perf{};
    perf.algo = static_cast<decltype(perf.algo)>(algorithm);
    perf.status = judgement.status;
    perf.time = -1;
    perf.memory = judgement.workspace;
    perf.determinism = judgement.deterministic ? CUDNN_DETERMINISTIC : CUDNN_NON_DETERMINISTIC;
    perf.mathType = math;
    all.push_back(perf);
  }
  return all;
}

// As an operation of the handle's stream, which is waited for.
template <class Perf>
cudnnStatus_t measure(const char* name, cudnnHandle_t handle, Pass pass, const Convolution& conv,
                      const Given* given, std::vector<Perf>& all) {
  const LibraryCall call = given ? given->call : library_call(name);
  const cudnnStatus_t queued = enqueue_on(call, handle, [&, pass, given] {
    if (given && !may_use(*given, pass, conv)) return;
    OwnMemory own(pass, conv, given == nullptr);
    for (Perf& perf : all) {
      const size_t room = given && given->workspace ? given->workspace_bytes : 0;
      if (given && perf.status == CUDNN_STATUS_SUCCESS && perf.memory > room) {
        perf.status = CUDNN_STATUS_ALLOC_FAILED;
      }
      if (perf.status != CUDNN_STATUS_SUCCESS) continue;
      perf.time = milliseconds(pass, conv, given ? given->memory : own.memory());
    }
  });
  if (queued != CUDNN_STATUS_SUCCESS) return queued;
  Refusal refusal(name);
  const cudaError_t error = cudaStreamSynchronize(handle->stream);
  if (error != cudaSuccess) refusal.with(CUDNN_STATUS_EXECUTION_FAILED, why_not_queued(error));
  return refusal.status();
}

// Those that take the convolution come first, then the others, with their status.
template <class Perf>
cudnnStatus_t list(const char* name, Pass pass, Measure how, cudnnHandle_t handle,
                   const Described& arguments, int requested, int* returned, Perf* results,
                   const Given* given = nullptr) {
  Refusal refusal(name);
  Convolution conv;
  if (refusal.no_handle(handle) ||
      (requested < 1 &&
       refusal.wrong_number("requestedAlgoCount", requested, "it must be at least 1")) ||
      refusal.null({{"returnedAlgoCount", returned}, {"perfResults", results}}) ||
      (given && refusal.null({{given->one, given->memory.one},
                              {given->other, given->memory.other},
                              {given->result, given->memory.result}})) ||
      !describe(refusal, arguments, conv)) {
    return refusal.status();
  }
  std::vector<Perf> all = untried<Perf>(pass, conv, arguments.convolution->math_type);
  if (how == Measure::yes) {
    const cudnnStatus_t measured = measure(name, handle, pass, conv, given, all);
    if (measured != CUDNN_STATUS_SUCCESS) return measured;
  }
  std::stable_sort(all.begin(), all.end(), [&](const Perf& a, const Perf& b) {
    const bool a_works = a.status == CUDNN_STATUS_SUCCESS;
    const bool b_works = b.status == CUDNN_STATUS_SUCCESS;
    if (a_works != b_works) return a_works;
    return how == Measure::yes && a_works && a.time < b.time;
  });
  g_requested = requested;
  *returned = std::min(requested, static_cast<int>(all.size()));
  std::copy_n(all.begin(), *returned, results);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t workspace_size(const char* name, Pass pass, int algorithm, cudnnHandle_t handle,
                             const Described& arguments, size_t* bytes) {
  Refusal refusal(name);
  Convolution conv;
  if (refusal.no_handle(handle) || refusal.null({{"sizeInBytes", bytes}}) ||
      !describe(refusal, arguments, conv)) {
    return refusal.status();
  }
  const Judgement judgement = judge(pass, algorithm, conv);
  if (judgement.status == CUDNN_STATUS_SUCCESS) {
    *bytes = judgement.workspace;
  } else {
    refusal.with(judgement.status,
                 said("algo is ", algorithm_text(pass, algorithm), "; ", judgement.why));
  }
  return refusal.status();
}

cudnnStatus_t count_of(const char* name, Pass pass, cudnnHandle_t handle, int* count) {
  Refusal refusal(name);
  if (refusal.no_handle(handle) || refusal.null({{"count", count}})) return refusal.status();
  *count = static_cast<int>(algorithms(pass).size());
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace
}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

// How many entries the last call that lists algorithms was to return: what stands behind them in
// the list, its caller does not see. Programs that may run without the library look for it.
extern "C" CONVKIT_SIMT_EXPORT int convkit_simt_dnn_entries_requested();
extern "C" int convkit_simt_dnn_entries_requested() {
  return g_requested;
}

extern "C" {

cudnnStatus_t cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t handle, int* count) {
  return count_of("cudnnGetConvolutionForwardAlgorithmMaxCount", Pass::forward, handle, count);
}
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithmMaxCount(cudnnHandle_t handle, int* count) {
  return count_of("cudnnGetConvolutionBackwardDataAlgorithmMaxCount", Pass::data, handle, count);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(cudnnHandle_t handle, int* count) {
  return count_of("cudnnGetConvolutionBackwardFilterAlgorithmMaxCount", Pass::filter, handle,
                  count);
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t handle,
                                                     const cudnnTensorDescriptor_t srcDesc,
                                                     const cudnnFilterDescriptor_t filterDesc,
                                                     const cudnnConvolutionDescriptor_t convDesc,
                                                     const cudnnTensorDescriptor_t destDesc,
                                                     int requestedAlgoCount, int* returnedAlgoCount,
                                                     cudnnConvolutionFwdAlgoPerf_t* perfResults) {
  return list("cudnnGetConvolutionForwardAlgorithm_v7", Pass::forward, Measure::no, handle,
              {srcDesc, filterDesc, convDesc, destDesc, {"srcDesc", "filterDesc", "destDesc"}},
              requestedAlgoCount, returnedAlgoCount, perfResults);
}
cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const cudnnFilterDescriptor_t wDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t yDesc,
    int requestedAlgoCount, int* returnedAlgoCount, cudnnConvolutionFwdAlgoPerf_t* perfResults) {
  return list("cudnnFindConvolutionForwardAlgorithm", Pass::forward, Measure::yes, handle,
              {xDesc, wDesc, convDesc, yDesc, names_of(Pass::forward)}, requestedAlgoCount,
              returnedAlgoCount, perfResults);
}
cudnnStatus_t cudnnFindConvolutionForwardAlgorithmEx(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const void* x,
    const cudnnFilterDescriptor_t wDesc, const void* w, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnTensorDescriptor_t yDesc, void* y, const int requestedAlgoCount,
    int* returnedAlgoCount, cudnnConvolutionFwdAlgoPerf_t* perfResults, void* workSpace,
    size_t workSpaceSizeInBytes) {
  const Given given{convkit::simt::library_call("cudnnFindConvolutionForwardAlgorithmEx"),
                    {x, w, y},
                    "x",
                    "w",
                    "y",
                    workSpace,
                    workSpaceSizeInBytes};
  return list("cudnnFindConvolutionForwardAlgorithmEx", Pass::forward, Measure::yes, handle,
              {xDesc, wDesc, convDesc, yDesc, names_of(Pass::forward)}, requestedAlgoCount,
              returnedAlgoCount, perfResults, &given);
}
cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const cudnnFilterDescriptor_t wDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t yDesc,
    cudnnConvolutionFwdAlgo_t algo, size_t* sizeInBytes) {
  return workspace_size("cudnnGetConvolutionForwardWorkspaceSize", Pass::forward, algo, handle,
                        {xDesc, wDesc, convDesc, yDesc, names_of(Pass::forward)}, sizeInBytes);
}

cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t filterDesc,
    const cudnnTensorDescriptor_t diffDesc, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnTensorDescriptor_t gradDesc, int requestedAlgoCount, int* returnedAlgoCount,
    cudnnConvolutionBwdDataAlgoPerf_t* perfResults) {
  return list("cudnnGetConvolutionBackwardDataAlgorithm_v7", Pass::data, Measure::no, handle,
              {gradDesc, filterDesc, convDesc, diffDesc, {"gradDesc", "filterDesc", "diffDesc"}},
              requestedAlgoCount, returnedAlgoCount, perfResults);
}
cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithm(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc, const cudnnTensorDescriptor_t dyDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t dxDesc,
    int requestedAlgoCount, int* returnedAlgoCount,
    cudnnConvolutionBwdDataAlgoPerf_t* perfResults) {
  return list("cudnnFindConvolutionBackwardDataAlgorithm", Pass::data, Measure::yes, handle,
              {dxDesc, wDesc, convDesc, dyDesc, names_of(Pass::data)}, requestedAlgoCount,
              returnedAlgoCount, perfResults);
}
cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithmEx(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc, const void* w,
    const cudnnTensorDescriptor_t dyDesc, const void* dy,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t dxDesc, void* dx,
    const int requestedAlgoCount, int* returnedAlgoCount,
    cudnnConvolutionBwdDataAlgoPerf_t* perfResults, void* workSpace, size_t workSpaceSizeInBytes) {
  const Given given{convkit::simt::library_call("cudnnFindConvolutionBackwardDataAlgorithmEx"),
                    {w, dy, dx},
                    "w",
                    "dy",
                    "dx",
                    workSpace,
                    workSpaceSizeInBytes};
  return list("cudnnFindConvolutionBackwardDataAlgorithmEx", Pass::data, Measure::yes, handle,
              {dxDesc, wDesc, convDesc, dyDesc, names_of(Pass::data)}, requestedAlgoCount,
              returnedAlgoCount, perfResults, &given);
}
cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc, const cudnnTensorDescriptor_t dyDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t dxDesc,
    cudnnConvolutionBwdDataAlgo_t algo, size_t* sizeInBytes) {
  return workspace_size("cudnnGetConvolutionBackwardDataWorkspaceSize", Pass::data, algo, handle,
                        {dxDesc, wDesc, convDesc, dyDesc, names_of(Pass::data)}, sizeInBytes);
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t srcDesc,
    const cudnnTensorDescriptor_t diffDesc, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnFilterDescriptor_t gradDesc, int requestedAlgoCount, int* returnedAlgoCount,
    cudnnConvolutionBwdFilterAlgoPerf_t* perfResults) {
  return list("cudnnGetConvolutionBackwardFilterAlgorithm_v7", Pass::filter, Measure::no, handle,
              {srcDesc, gradDesc, convDesc, diffDesc, {"srcDesc", "gradDesc", "diffDesc"}},
              requestedAlgoCount, returnedAlgoCount, perfResults);
}
cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const cudnnTensorDescriptor_t dyDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnFilterDescriptor_t dwDesc,
    int requestedAlgoCount, int* returnedAlgoCount,
    cudnnConvolutionBwdFilterAlgoPerf_t* perfResults) {
  return list("cudnnFindConvolutionBackwardFilterAlgorithm", Pass::filter, Measure::yes, handle,
              {xDesc, dwDesc, convDesc, dyDesc, names_of(Pass::filter)}, requestedAlgoCount,
              returnedAlgoCount, perfResults);
}
cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithmEx(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const void* x,
    const cudnnTensorDescriptor_t dyDesc, const void* y,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnFilterDescriptor_t dwDesc, void* dw,
    const int requestedAlgoCount, int* returnedAlgoCount,
    cudnnConvolutionBwdFilterAlgoPerf_t* perfResults, void* workSpace,
    size_t workSpaceSizeInBytes) {
  const Given given{convkit::simt::library_call("cudnnFindConvolutionBackwardFilterAlgorithmEx"),
                    {x, y, dw},
                    "x",
                    "y",
                    "dw",
                    workSpace,
                    workSpaceSizeInBytes};
  return list("cudnnFindConvolutionBackwardFilterAlgorithmEx", Pass::filter, Measure::yes, handle,
              {xDesc, dwDesc, convDesc, dyDesc, names_of(Pass::filter)}, requestedAlgoCount,
              returnedAlgoCount, perfResults, &given);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const cudnnTensorDescriptor_t dyDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnFilterDescriptor_t gradDesc,
    cudnnConvolutionBwdFilterAlgo_t algo, size_t* sizeInBytes) {
  return workspace_size(
      "cudnnGetConvolutionBackwardFilterWorkspaceSize", Pass::filter, algo, handle,
      {xDesc, gradDesc, convDesc, dyDesc, {"xDesc", "gradDesc", "dyDesc"}}, sizeInBytes);
}

}  // extern "C"

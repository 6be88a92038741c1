// SPDX-License-Identifier: MIT
// Task 06.7: every algorithm for one convolution, with its time and its workspace.
#include <algorithm>

#include "cudnn_port.h"
#include "descriptors.cuh"

namespace {

constexpr int kRuns = 5;

class Event {
 public:
  ~Event() {
    if (event_) cudaEventDestroy(event_);
  }
  bool create() { return cudaEventCreate(&event_) == cudaSuccess; }
  bool record(cudaStream_t stream) { return cudaEventRecord(event_, stream) == cudaSuccess; }
  // Waits for both. Milliseconds since `start`.
  bool since(const Event& start, float* ms) const {
    return cudaEventSynchronize(event_) == cudaSuccess &&
           cudaEventElapsedTime(ms, start.event_, event_) == cudaSuccess;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// run() queues one convolution. The first of them pays for what is set up once.
template <class Run>
cudnnStatus_t measure(Run run, cudaStream_t stream, float* ms) {
  CUDNN_TRY(run());
  Event start, end;
  if (!start.create() || !end.create() || !start.record(stream)) {
    return CUDNN_STATUS_EXECUTION_FAILED;
  }
  for (int i = 0; i < kRuns; ++i) CUDNN_TRY(run());
  if (!end.record(stream) || !end.since(start, ms)) return CUDNN_STATUS_EXECUTION_FAILED;
  *ms = std::max(*ms / kRuns, 1e-6f);
  return CUDNN_STATUS_SUCCESS;
}

bool comes_before(const AlgorithmRow& a, const AlgorithmRow& b) {
  const bool a_works = a.status == CUDNN_STATUS_SUCCESS, b_works = b.status == CUDNN_STATUS_SUCCESS;
  if (a_works != b_works) return a_works;
  return a_works ? a.ms < b.ms : a.algo < b.algo;
}

}  // namespace

cudnnStatus_t compare_algorithms(cudnnHandle_t handle, const Conv2dShape* shape, const float* d_x,
                                 const float* d_w, float* d_y, void* d_workspace,
                                 size_t workspace_bytes, AlgorithmRow* rows, cudaStream_t stream) {
  int filled = 0;
  for (int i = 0; i < CUDNN_CONVOLUTION_FWD_ALGO_COUNT; ++i) {
    AlgorithmRow& row = rows[filled];
    row = {cudnnConvolutionFwdAlgo_t(i), CUDNN_STATUS_SUCCESS, 0, 0.0f};
    row.status = conv2d_workspace(handle, shape, row.algo, &row.workspace_bytes);
    if (row.status == CUDNN_STATUS_SUCCESS) {
      const auto run = [&] {
        return conv2d_forward(handle, shape, row.algo, 1.0f, d_x, d_w, nullptr, 0.0f, d_y,
                              d_workspace, workspace_bytes, stream);
      };
      row.status = measure(run, stream, &row.ms);
    }
    if (row.status == CUDNN_STATUS_SUCCESS) ++filled;  // "the others do not matter"
  }
  std::stable_sort(rows, rows + filled, comes_before);
  return CUDNN_STATUS_SUCCESS;
}

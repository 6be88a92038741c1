// SPDX-License-Identifier: MIT
// Task 06.7: every algorithm for one convolution, with its time and its workspace.
#include <algorithm>

#include "cudnn_port.h"
#include "descriptors.cuh"

// BEGIN SOLUTION(06.7)
//> // TODO(06.7): an event that destroys itself, the time of a few calls, an order of rows.
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

// run() queues one convolution. The first one also sets up what is set up only once.
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
// END SOLUTION

cudnnStatus_t compare_algorithms(cudnnHandle_t handle, const Conv2dShape* shape, const float* d_x,
                                 const float* d_w, float* d_y, void* d_workspace,
                                 size_t workspace_bytes, AlgorithmRow* rows, cudaStream_t stream) {
  // BEGIN SOLUTION(06.7)
  //> // TODO(06.7): for each algorithm, call conv2d_workspace; if it succeeds, run conv2d_forward a
  //> // few times between two events. Then sort.
  //> CONVKIT_TODO("06.7");
  //> (void)handle, (void)shape, (void)d_x, (void)d_w, (void)d_y, (void)d_workspace;
  //> (void)workspace_bytes, (void)rows, (void)stream;
  //> return CUDNN_STATUS_SUCCESS;
  for (int i = 0; i < CUDNN_CONVOLUTION_FWD_ALGO_COUNT; ++i) {
    AlgorithmRow& row = rows[i];
    row = {cudnnConvolutionFwdAlgo_t(i), CUDNN_STATUS_SUCCESS, 0, 0.0f};
    row.status = conv2d_workspace(handle, shape, row.algo, &row.workspace_bytes);
    if (row.status == CUDNN_STATUS_SUCCESS) {
      const auto run = [&] {
        return conv2d_forward(handle, shape, row.algo, 1.0f, d_x, d_w, nullptr, 0.0f, d_y,
                              d_workspace, workspace_bytes, stream);
      };
      row.status = measure(run, stream, &row.ms);
    }
    if (row.status != CUDNN_STATUS_SUCCESS) row.workspace_bytes = 0, row.ms = 0.0f;
  }
  std::stable_sort(rows, rows + CUDNN_CONVOLUTION_FWD_ALGO_COUNT, comes_before);
  return CUDNN_STATUS_SUCCESS;
  // END SOLUTION
}

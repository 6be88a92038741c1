// SPDX-License-Identifier: MIT
// Lists of algorithms: what was expected to be fast, what was measured, what does not take the
// case. Link with -lcudnn.
#include "../check_cudnn.h"

template <class Perf, class Get, class Find, class Bytes>
void lists(const char* name, int most, const Get& get, const Find& find, const Bytes& bytes) {
  Perf perf[16];
  int count = 0;
  CHECK(get(1, &count, perf));
  expect(name, count == 1 && perf[0].status == CUDNN_STATUS_SUCCESS);
  CHECK(get(16, &count, perf));
  expect("  no more than there are", count >= 1 && count <= most);
  bool right = true;
  for (int i = 0; i < count; ++i) {
    size_t needed = 0;
    const cudnnStatus_t status = bytes(perf[i].algo, &needed);
    if (perf[i].status == CUDNN_STATUS_SUCCESS) {
      right = right && status == CUDNN_STATUS_SUCCESS && needed == perf[i].memory;
    }
  }
  expect("  the workspace is what the size query says", right);
  CHECK(find(16, &count, perf));
  bool measured = count >= 1 && perf[0].status == CUDNN_STATUS_SUCCESS;
  for (int i = 0; i < count && perf[i].status == CUDNN_STATUS_SUCCESS; ++i) {
    measured = measured && perf[i].time > 0 && (i == 0 || perf[i - 1].time <= perf[i].time);
  }
  expect("  measured, the fastest first", measured);
}

int main() {
  const Dnn dnn;
  const Tensor x(2, 4, 16, 16), y(2, 8, 16, 16), halved(2, 8, 8, 8);
  const Filter w(8, 4, 3, 3);
  const Convolution conv(1, 1, 1, 1), strided(1, 1, 2, 2);
  int most = 0;
  CHECK(cudnnGetConvolutionForwardAlgorithmMaxCount(dnn, &most));
  lists<cudnnConvolutionFwdAlgoPerf_t>(
      "forward", most,
      [&](auto... a) { return cudnnGetConvolutionForwardAlgorithm_v7(dnn, x, w, conv, y, a...); },
      [&](auto... a) { return cudnnFindConvolutionForwardAlgorithm(dnn, x, w, conv, y, a...); },
      [&](auto... a) { return cudnnGetConvolutionForwardWorkspaceSize(dnn, x, w, conv, y, a...); });
  CHECK(cudnnGetConvolutionBackwardDataAlgorithmMaxCount(dnn, &most));
  lists<cudnnConvolutionBwdDataAlgoPerf_t>(
      "backward data", most,
      [&](auto... a) {
        return cudnnGetConvolutionBackwardDataAlgorithm_v7(dnn, w, y, conv, x, a...);
      },
      [&](auto... a) {
        return cudnnFindConvolutionBackwardDataAlgorithm(dnn, w, y, conv, x, a...);
      },
      [&](auto... a) {
        return cudnnGetConvolutionBackwardDataWorkspaceSize(dnn, w, y, conv, x, a...);
      });
  CHECK(cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(dnn, &most));
  lists<cudnnConvolutionBwdFilterAlgoPerf_t>(
      "backward filter", most,
      [&](auto... a) {
        return cudnnGetConvolutionBackwardFilterAlgorithm_v7(dnn, x, y, conv, w, a...);
      },
      [&](auto... a) {
        return cudnnFindConvolutionBackwardFilterAlgorithm(dnn, x, y, conv, w, a...);
      },
      [&](auto... a) {
        return cudnnGetConvolutionBackwardFilterWorkspaceSize(dnn, x, y, conv, w, a...);
      });

  size_t bytes = 0;
  const auto size = [&](cudnnConvolutionDescriptor_t with, cudnnTensorDescriptor_t to, int algo) {
    return cudnnGetConvolutionForwardWorkspaceSize(
        dnn, x, w, with, to, static_cast<cudnnConvolutionFwdAlgo_t>(algo), &bytes);
  };
  show_status("direct", size(conv, y, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT));
  show_status("Winograd with stride 2", size(strided, halved, CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD));
  show_status("FFT with stride 2", size(strided, halved, CUDNN_CONVOLUTION_FWD_ALGO_FFT));
  show_status("a result of another size", size(conv, halved, CUDNN_CONVOLUTION_FWD_ALGO_GEMM));
}

/* Prints:
forward: ok
  no more than there are: ok
  the workspace is what the size query says: ok
  measured, the fastest first: ok
backward data: ok
  no more than there are: ok
  the workspace is what the size query says: ok
  measured, the fastest first: ok
backward filter: ok
  no more than there are: ok
  the workspace is what the size query says: ok
  measured, the fastest first: ok
direct: NOT_SUPPORTED
Winograd with stride 2: NOT_SUPPORTED
FFT with stride 2: NOT_SUPPORTED
a result of another size: BAD_PARAM
*/

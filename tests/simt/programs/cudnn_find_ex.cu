// SPDX-License-Identifier: MIT
// Algorithms measured on the caller's memory, with the workspace that the caller gives.
// Link with -lcudnn.
#include "../check_cudnn.h"

// What works comes first, fastest first, and needs no more than was given.
template <class Perf>
void judge(const char* name, const Perf* perf, int count, std::size_t given) {
  bool right = count >= 1 && perf[0].status == CUDNN_STATUS_SUCCESS;
  for (int i = 0; i < count && perf[i].status == CUDNN_STATUS_SUCCESS; ++i) {
    right = right && perf[i].time > 0 && perf[i].memory <= given;
    right = right && (i == 0 || perf[i - 1].time <= perf[i].time);
  }
  expect(name, right);
}

int main() {
  const Dnn dnn;
  const Tensor x(2, 8, 16, 16), y(2, 8, 16, 16);
  const Filter w(8, 8, 3, 3);
  const Convolution conv(1, 1, 1, 1);
  const DeviceArray<float> d_x(4096), d_y(4096), d_w(576);
  constexpr int kMost = 16;
  constexpr std::size_t kPlenty = std::size_t{64} << 20;
  const DeviceArray<char> workspace(kPlenty);
  for (const std::size_t given : {kPlenty, std::size_t{0}}) {
    void* memory = given > 0 ? workspace.data() : nullptr;
    show("bytes", given);
    int count = 0;
    cudnnConvolutionFwdAlgoPerf_t forward[kMost];
    CHECK(cudnnFindConvolutionForwardAlgorithmEx(dnn, x, d_x.data(), w, d_w.data(), conv, y,
                                                 d_y.data(), kMost, &count, forward, memory,
                                                 given));
    judge("forward", forward, count, given);
    cudnnConvolutionBwdDataAlgoPerf_t data[kMost];
    CHECK(cudnnFindConvolutionBackwardDataAlgorithmEx(dnn, w, d_w.data(), y, d_y.data(), conv, x,
                                                      d_x.data(), kMost, &count, data, memory,
                                                      given));
    judge("backward data", data, count, given);
    cudnnConvolutionBwdFilterAlgoPerf_t filter[kMost];
    CHECK(cudnnFindConvolutionBackwardFilterAlgorithmEx(dnn, x, d_x.data(), y, d_y.data(), conv, w,
                                                        d_w.data(), kMost, &count, filter, memory,
                                                        given));
    judge("backward filter", filter, count, given);
  }
}

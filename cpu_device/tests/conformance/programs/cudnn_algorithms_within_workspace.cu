// SPDX-License-Identifier: MIT
// Find...AlgorithmEx: whatever is said to work fits into the workspace that was offered.
// Link with -lcudnn.
#include "../check_cudnn.h"

template <class Perf, class Find>
void within(const char* name, size_t bytes, const Find& find) {
  Perf perf[16];
  int count = 0;
  CHECK(find(16, &count, perf));
  bool fits = true, sorted = true, rest_is_refused = true;
  int working = 0;
  while (working < count && perf[working].status == CUDNN_STATUS_SUCCESS) {
    fits = fits && perf[working].memory <= bytes;
    sorted = sorted && perf[working].time > 0 &&
             (working == 0 || perf[working - 1].time <= perf[working].time);
    ++working;
  }
  for (int i = working; i < count; ++i) {
    rest_is_refused = rest_is_refused && perf[i].status != CUDNN_STATUS_SUCCESS;
  }
  expect(name, working >= 1 && fits);
  expect("  the fastest first", sorted);
  expect("  the others behind", rest_is_refused);
}

int main() {
  const Dnn dnn;
  const Tensor x(2, 4, 16, 16), y(2, 8, 16, 16);
  const Filter w(8, 4, 3, 3);
  const Convolution conv(1, 1, 1, 1);
  const DeviceArray<float> dx(numbers(2 * 4 * 256, 1)), dw(numbers(8 * 4 * 9, 2)),
      dy(numbers(2 * 8 * 256, 3));
  const DeviceArray<char> memory(1 << 20);
  for (const size_t bytes : {size_t(0), size_t(200), size_t(1 << 20)}) {
    void* const workspace = bytes ? memory.data() : nullptr;
    within<cudnnConvolutionFwdAlgoPerf_t>("forward", bytes, [&](auto... a) {
      return cudnnFindConvolutionForwardAlgorithmEx(dnn, x, dx.data(), w, dw.data(), conv, y,
                                                    dy.data(), a..., workspace, bytes);
    });
    within<cudnnConvolutionBwdDataAlgoPerf_t>("backward data", bytes, [&](auto... a) {
      return cudnnFindConvolutionBackwardDataAlgorithmEx(dnn, w, dw.data(), y, dy.data(), conv, x,
                                                         dx.data(), a..., workspace, bytes);
    });
    within<cudnnConvolutionBwdFilterAlgoPerf_t>("backward filter", bytes, [&](auto... a) {
      return cudnnFindConvolutionBackwardFilterAlgorithmEx(dnn, x, dx.data(), y, dy.data(), conv, w,
                                                           dw.data(), a..., workspace, bytes);
    });
  }
}

/* Prints:
forward: ok
  the fastest first: ok
  the others behind: ok
backward data: ok
  the fastest first: ok
  the others behind: ok
backward filter: ok
  the fastest first: ok
  the others behind: ok
forward: ok
  the fastest first: ok
  the others behind: ok
backward data: ok
  the fastest first: ok
  the others behind: ok
backward filter: ok
  the fastest first: ok
  the others behind: ok
forward: ok
  the fastest first: ok
  the others behind: ok
backward data: ok
  the fastest first: ok
  the others behind: ok
backward filter: ok
  the fastest first: ok
  the others behind: ok
*/

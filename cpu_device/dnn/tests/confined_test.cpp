// SPDX-License-Identifier: MIT
// In a process that has given up its rights, as the runner has, convolutions go on: oneDNN makes
// machine code, and may start no threads.
#include <sys/wait.h>
#include <unistd.h>

#include "process/lockdown.h"
#include "scene.h"

using namespace convkit::simt::dnn::test;

TEST_CASE("a confined process convolves shapes that it has not seen") {
  const pid_t child = fork();
  if (child == 0) {
    convkit::open_nothing_but("/dev/null");
    convkit::lock_down({});
    bool good = true;
    for (const int channels : {1, 3, 16, 40}) {
      const Handle dnn;
      const Sizes x_size{2, channels, 9, 9}, w_size{24, channels, 3, 3}, y_size{2, 24, 7, 7};
      Tensor x(x_size, packed(x_size)), w(w_size, packed(w_size)), y(y_size, packed(y_size));
      x.fill(1);
      w.fill(2);
      cudnnFilterDescriptor_t filter = nullptr;
      cudnnConvolutionDescriptor_t conv = nullptr;
      cudnnCreateFilterDescriptor(&filter);
      cudnnCreateConvolutionDescriptor(&conv);
      cudnnSetFilterNdDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 4, w_size.data());
      cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
                                      CUDNN_DATA_FLOAT);
      const float one = 1, zero = 0;
      good =
          good &&
          cudnnConvolutionForward(dnn, &one, x.descriptor(), x.data(), filter, w.data(), conv,
                                  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero,
                                  y.descriptor(), y.data()) == CUDNN_STATUS_SUCCESS &&
          cudnnConvolutionBackwardFilter(dnn, &one, x.descriptor(), x.data(), y.descriptor(),
                                         y.data(), conv, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0,
                                         nullptr, 0, &zero, filter,
                                         w.data()) == CUDNN_STATUS_SUCCESS &&
          cudnnConvolutionBackwardData(dnn, &one, filter, w.data(), y.descriptor(), y.data(), conv,
                                       CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, nullptr, 0, &zero,
                                       x.descriptor(), x.data()) == CUDNN_STATUS_SUCCESS &&
          cudaDeviceSynchronize() == cudaSuccess;
    }
    _exit(good ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

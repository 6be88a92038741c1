// SPDX-License-Identifier: MIT
// Libraries whose work is captured: what they queue becomes nodes of the graph. Link with -lcublas.
#include <cublas_v2.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include "../check.h"
#include "../check_cublas.h"
#include "../parts.h"

class Captured {
 public:
  Captured() { CHECK(cudaStreamCreate(&stream_)); }
  ~Captured() {
    cudaGraphExecDestroy(exec_);
    cudaGraphDestroy(graph_);
    cudaStreamDestroy(stream_);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

  cudaStream_t stream() const { return stream_; }
  void begin() const { CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal)); }
  void end() {
    CHECK(cudaStreamEndCapture(stream_, &graph_));
    CHECK(cudaGraphInstantiate(&exec_, graph_, 0));
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph_, nullptr, &nodes));
    expect("there are nodes", nodes > 0);
  }
  void launch() const {
    CHECK(cudaGraphLaunch(exec_, stream_));
    CHECK(cudaStreamSynchronize(stream_));
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

// A product by cuBLAS: its factors are read in each launch.
namespace captured_product {

PART(captured_product) {
  Captured captured;
  const DeviceArray<float> a({1, 2, 3, 4}), b({1, 0, 0, 1}), c(4);
  cublasHandle_t handle = nullptr;
  CHECK(cublasCreate(&handle));
  CHECK(cublasSetStream(handle, captured.stream()));
  const float one = 1, zero = 0;
  const auto multiply = [&] {
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.data(), 2, b.data(), 2,
                      &zero, c.data(), 2));
  };
  multiply();  // the library may allocate memory in its first call
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemset(c.data(), 0, 4 * sizeof(float)));
  CHECK(cudaDeviceSynchronize());
  captured.begin();
  multiply();
  captured.end();
  show("before", c.host());
  captured.launch();
  show("after", c.host());
  const float doubled[] = {2, 0, 0, 2};
  CHECK(cudaMemcpy(b.data(), doubled, sizeof doubled, cudaMemcpyHostToDevice));
  captured.launch();
  show("after", c.host());
  CHECK(cublasDestroy(handle));
}

}  // namespace captured_product

/* Prints:
there are nodes: ok
before: 0 0 0 0
after: 1 2 3 4
after: 2 4 6 8
*/

// An algorithm of Thrust, with the policy that does not wait.
namespace captured_algorithm {

struct AddIndex {
  int* x;
  __host__ __device__ void operator()(int i) const { x[i] += i; }
};

PART(captured_algorithm) {
  Captured captured;
  const DeviceArray<int> x(4);
  CHECK(cudaDeviceSynchronize());
  captured.begin();
  thrust::for_each(thrust::cuda::par_nosync.on(captured.stream()),
                   thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(4),
                   AddIndex{x.data()});
  captured.end();
  captured.launch();
  captured.launch();
  show("x", x.host());
}

}  // namespace captured_algorithm

/* Prints:
there are nodes: ok
x: 0 2 4 6
*/

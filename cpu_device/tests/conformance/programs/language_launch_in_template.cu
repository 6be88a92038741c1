// SPDX-License-Identifier: MIT
// Launches inside function and class templates, generic lambdas, constructors, and as a
// sub-statement.
#include <type_traits>

#include "../check.h"

template <class T>
__global__ void add_kernel(T* data, T by) {
  data[threadIdx.x] += by;
}

template <class T, int kThreads>
void add(T* data, T by) {
  add_kernel<T><<<1, kThreads>>>(data, by);
  add_kernel<<<1, kThreads>>>(data, T(1));
}

template <class T>
class Adder {
 public:
  explicit Adder(T* data) : data_(data) { add_kernel<<<1, 2>>>(data_, T(100)); }
  template <int kThreads>
  void run(T by) {
    add_kernel<T><<<dim3(1), dim3(kThreads), 0, stream_>>>(data_, by);
  }
  ~Adder() { add_kernel<<<1, 1>>>(data_, T(1000)); }

 private:
  T* data_;
  cudaStream_t stream_ = 0;
};

template <class... T>
void add_each(T*... data) {
  (add_kernel<<<1, 2>>>(data, T(7)), ...);
}

bool launched(int* data) {
  return add_kernel<<<1, 2>>>(data, 3), cudaGetLastError() == cudaSuccess;
}

int main() {
  DeviceArray<int> ints({0, 0});
  DeviceArray<float> floats({0.5f, 0.5f});
  add<int, 2>(ints.data(), 10);
  add<float, 1>(floats.data(), 10.0f);
  show("functions", ints.host());
  show("functions", floats.host());
  {
    Adder<int> adder(ints.data());
    adder.run<1>(20);
  }
  show("class", ints.host());
  add_each(ints.data(), floats.data());
  show("fold", ints.host());
  show("fold", floats.host());
  auto generic = [](auto* data, auto threads) {
    using T = std::decay_t<decltype(*data)>;
    if (threads > 1)
      add_kernel<<<1, threads>>>(data, T(2));
    else
      add_kernel<<<1, threads>>>(data, T(5));
    for (int i = 0; i < 2; ++i) add_kernel<<<1, threads>>>(data, T(10));
  };
  generic(ints.data(), 1);
  generic(floats.data(), 2);
  show("generic lambda", ints.host());
  show("generic lambda", floats.host());
  show("comma", launched(ints.data()));
  show("comma", ints.host());
}

/* Prints:
functions: 11 11
functions: 11.5 0.5
class: 1131 111
fold: 1138 118
fold: 18.5 7.5
generic lambda: 1163 118
generic lambda: 40.5 29.5
comma: 1
comma: 1166 121
*/

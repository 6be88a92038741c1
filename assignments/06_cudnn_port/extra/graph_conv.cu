// SPDX-License-Identifier: MIT
// The same convolution once more, as a graph: what replaces the functions of this stage in new
// programs. For a real GPU only:
//   nvcc -arch=native -std=c++17 graph_conv.cu -lcudnn -o graph_conv && ./graph_conv
//
// One kind of object, cudnnBackendDescriptor_t, describes everything. It is created, gets
// attributes, and is finalized; from then on it does not change.
//   tensors (known by a number) + convolution -> operation -> operation graph
//   graph -> heuristic -> engine configurations -> the first that makes an execution plan
//   plan + pointers for the numbers + workspace -> execute
#if defined(CONVKIT_SIMT)
#error "The graph API is in NVIDIA's library only: compile this with nvcc, for a GPU."
#endif
#include <cudnn.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

static void check(cudnnStatus_t status, const char* call, int line) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  std::fprintf(stderr, "line %d: %s in: %s\n", line, cudnnGetErrorString(status), call);
  std::exit(1);
}
static void check(cudaError_t error, const char* call, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "line %d: %s in: %s\n", line, cudaGetErrorString(error), call);
  std::exit(1);
}
#define CHECK(call) check((call), #call, __LINE__)

// Owns a descriptor of the graph API.
class Node {
 public:
  explicit Node(cudnnBackendDescriptorType_t type) {
    CHECK(cudnnBackendCreateDescriptor(type, &node_));
  }
  ~Node() { cudnnBackendDestroyDescriptor(node_); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  template <class T>
  Node& set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
            const std::vector<T>& values) {
    CHECK(cudnnBackendSetAttribute(node_, name, type, int64_t(values.size()), values.data()));
    return *this;
  }
  Node& set(cudnnBackendAttributeName_t name, const std::vector<int64_t>& values) {
    return set(name, CUDNN_TYPE_INT64, values);
  }
  Node& set(cudnnBackendAttributeName_t name, const Node& other) {
    return set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR,
               std::vector<cudnnBackendDescriptor_t>{other.get()});
  }
  Node& finalize() {
    CHECK(cudnnBackendFinalize(node_));
    return *this;
  }
  cudnnBackendDescriptor_t get() const { return node_; }

 private:
  cudnnBackendDescriptor_t node_ = nullptr;
};

struct Sizes {
  int64_t n = 16, c = 4, h = 32, w = 32, m = 16, k = 3, pad = 1;
};

// A tensor has no address here: it has a number, for which the caller gives one later.
static std::unique_ptr<Node> tensor(int64_t number, std::vector<int64_t> dims) {
  const std::vector<int64_t> strides = {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1};
  auto node = std::make_unique<Node>(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  node->set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE,
            std::vector<cudnnDataType_t>{CUDNN_DATA_FLOAT})
      .set(CUDNN_ATTR_TENSOR_DIMENSIONS, dims)
      .set(CUDNN_ATTR_TENSOR_STRIDES, strides)
      .set(CUDNN_ATTR_TENSOR_UNIQUE_ID, {number})
      .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, {16})
      .finalize();
  return node;
}

// The heuristic's configurations, best first.
static std::vector<std::unique_ptr<Node>> configurations(const Node& graph) {
  constexpr int64_t kMost = 16;
  Node heuristic(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristic.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph)
      .set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE,
           std::vector<cudnnBackendHeurMode_t>{CUDNN_HEUR_MODE_A})
      .finalize();
  std::vector<std::unique_ptr<Node>> found;
  std::vector<cudnnBackendDescriptor_t> room;
  for (int64_t i = 0; i < kMost; ++i) {
    found.push_back(std::make_unique<Node>(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
    room.push_back(found.back()->get());
  }
  int64_t count = 0;
  CHECK(cudnnBackendGetAttribute(heuristic.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                 CUDNN_TYPE_BACKEND_DESCRIPTOR, kMost, &count, room.data()));
  found.resize(size_t(count));
  return found;
}

// Not every configuration makes a plan on every GPU: the next one is tried then.
static std::unique_ptr<Node> first_plan(cudnnHandle_t handle,
                                        const std::vector<std::unique_ptr<Node>>& found) {
  for (size_t i = 0; i < found.size(); ++i) {
    auto plan = std::make_unique<Node>(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    plan->set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE,
              std::vector<cudnnHandle_t>{handle})
        .set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, *found[i]);
    if (cudnnBackendFinalize(plan->get()) != CUDNN_STATUS_SUCCESS) continue;
    std::printf("configuration %zu of %zu makes a plan\n", i + 1, found.size());
    return plan;
  }
  std::fprintf(stderr, "no configuration makes a plan\n");
  std::exit(1);
}

static std::vector<float> random_numbers(int64_t count, unsigned seed) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values.push_back(float(seed >> 8) / float(1 << 23) - 1.0f);
  }
  return values;
}

static float* on_device(const std::vector<float>& values) {
  float* memory = nullptr;
  CHECK(cudaMalloc(&memory, values.size() * sizeof(float)));
  CHECK(cudaMemcpy(memory, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
  return memory;
}

// Tensor cores may round factors to ten bits; so many products of numbers up to 1 are added.
static double largest_difference(const Sizes& s, const std::vector<float>& x,
                                 const std::vector<float>& w, const std::vector<float>& y) {
  double largest = 0;
  for (int64_t at = 0; at < int64_t(y.size()); ++at) {
    const int64_t j = at % s.w, i = at / s.w % s.h, m = at / s.w / s.h % s.m;
    const int64_t n = at / s.w / s.h / s.m;
    double sum = 0;
    for (int64_t c = 0; c < s.c; ++c) {
      for (int64_t p = 0; p < s.k; ++p) {
        for (int64_t q = 0; q < s.k; ++q) {
          const int64_t row = i + p - s.pad, column = j + q - s.pad;
          if (row < 0 || row >= s.h || column < 0 || column >= s.w) continue;
          sum += double(x[size_t(((n * s.c + c) * s.h + row) * s.w + column)]) *
                 double(w[size_t(((m * s.c + c) * s.k + p) * s.k + q)]);
        }
      }
    }
    largest = std::fmax(largest, std::fabs(sum - double(y[size_t(at)])));
  }
  return largest;
}

int main() {
  const Sizes s;
  cudnnHandle_t handle = nullptr;
  CHECK(cudnnCreate(&handle));
  double difference = 0;
  {
    const auto x = tensor('x', {s.n, s.c, s.h, s.w});
    const auto w = tensor('w', {s.m, s.c, s.k, s.k});
    const auto y = tensor('y', {s.n, s.m, s.h, s.w});
    Node convolution(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    convolution.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, {2})
        .set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE,
             std::vector<cudnnDataType_t>{CUDNN_DATA_FLOAT})
        .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE,
             std::vector<cudnnConvolutionMode_t>{CUDNN_CROSS_CORRELATION})
        .set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, {s.pad, s.pad})
        .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, {s.pad, s.pad})
        .set(CUDNN_ATTR_CONVOLUTION_DILATIONS, {1, 1})
        .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {1, 1})
        .finalize();
    Node operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, *x)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, *w)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, *y)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, convolution)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT,
             std::vector<float>{1.0f})
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT,
             std::vector<float>{0.0f})
        .finalize();
    // More operations would go in here, and be fused where an engine can: a bias, a ReLU.
    Node graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    graph
        .set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE,
             std::vector<cudnnHandle_t>{handle})
        .set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation)
        .finalize();
    const auto plan = first_plan(handle, configurations(graph));
    int64_t bytes = 0, count = 0;
    CHECK(cudnnBackendGetAttribute(plan->get(), CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                                   CUDNN_TYPE_INT64, 1, &count, &bytes));
    std::printf("workspace: %lld bytes\n", static_cast<long long>(bytes));

    const auto h_x = random_numbers(s.n * s.c * s.h * s.w, 1);
    const auto h_w = random_numbers(s.m * s.c * s.k * s.k, 2);
    std::vector<float> h_y(size_t(s.n * s.m * s.h * s.w));
    float *d_x = on_device(h_x), *d_w = on_device(h_w), *d_y = on_device(h_y);
    void* workspace = nullptr;
    if (bytes > 0) CHECK(cudaMalloc(&workspace, size_t(bytes)));
    Node pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, {'x', 'w', 'y'})
        .set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
             std::vector<void*>{d_x, d_w, d_y})
        .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, std::vector<void*>{workspace})
        .finalize();
    CHECK(cudnnBackendExecute(handle, plan->get(), pack.get()));
    CHECK(cudaMemcpy(h_y.data(), d_y, h_y.size() * sizeof(float), cudaMemcpyDeviceToHost));
    difference = largest_difference(s, h_x, h_w, h_y);
    for (void* each :
         {static_cast<void*>(d_x), static_cast<void*>(d_w), static_cast<void*>(d_y), workspace}) {
      CHECK(cudaFree(each));
    }
  }
  CHECK(cudnnDestroy(handle));
  std::printf("largest difference from plain loops: %.2g\n", difference);
  return difference < 0.05 ? 0 : 1;
}

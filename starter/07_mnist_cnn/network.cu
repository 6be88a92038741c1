// SPDX-License-Identifier: MIT
// Builds a network, and runs its forward and backward passes. Tasks 07.1 to 07.3.
#include "network.cuh"

#include <algorithm>

#include "training.cuh"

namespace {

std::unique_ptr<Layer> make_layer(const LayerSpec& spec, int max_batch, uint64_t seed, int index) {
  if (spec.kind == "dense") return make_dense(spec, max_batch);
  if (spec.kind == "conv") return make_conv(spec, max_batch);
  if (spec.kind == "relu") return make_relu(spec);
  if (spec.kind == "flatten") return make_flatten(spec);
  if (spec.kind == "batchnorm") return make_batch_norm(spec);
  if (spec.kind == "dropout") return make_dropout(spec, max_batch, seed, index);
  return make_pool(spec);
}

// Starts at multiples of 16 bytes, so that four elements can be loaded at once.
int64_t padded(int64_t size) {
  return (size + 3) / 4 * 4;
}

void start(const Parameter& p, uint64_t seed, uint64_t index) {
  const int size = static_cast<int>(p.size());
  if (p.start == Start::kaiming || p.start == Start::xavier || p.start == Start::lecun) {
    // LeCun's initialisation is Xavier's for a layer with as many outputs as inputs.
    const int fan_out = p.start == Start::lecun ? p.fan_in : p.fan_out;
    check(initialise(p.value, size, p.fan_in, fan_out, p.start != Start::kaiming, seed, index,
                     nullptr));
  } else if (p.start == Start::one) {
    const std::vector<float> ones(size, 1.0f);
    check(cudaMemcpy(p.value, ones.data(), sizeof(float) * size, cudaMemcpyHostToDevice));
  }
}

}  // namespace

MnistNetwork::MnistNetwork(const char* text, int batch, uint64_t seed, int backend)
    : architecture(parse_architecture(text)), max_batch(batch) {
  if (batch < 1) throw std::invalid_argument("A batch has at least one image.");
  if (backend != kMnistOwnKernels) {
    // You may add a second backend that uses libraries.
    throw CudaError(cudaErrorNotSupported, "There is no such backend.");
  }
  const int count = static_cast<int>(architecture.layers.size()) - 1;
  int64_t largest = architecture.input.size(), kept = 0;
  for (int i = 0; i < count; ++i) {
    const LayerSpec& spec = architecture.layers[i];
    layers.push_back(make_layer(spec, max_batch, seed, i));
    outputs.emplace_back(layers.back()->is_view() ? 0 : max_batch * spec.out.size());
    largest = std::max(largest, spec.out.size());
    for (Parameter* p : layers.back()->parameters()) {
      parameters.push_back(p);
      (p->trained ? trained : kept) += padded(p->size());
    }
  }
  for (DeviceArray<float>* array : {&values, &gradients, &m, &v}) {
    *array = DeviceArray<float>(trained);
  }
  running = DeviceArray<float>(kept);
  int64_t at = 0, at_running = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    Parameter& p = *parameters[i];
    if (p.trained) {
      p.value = values.data() + at, p.gradient = gradients.data() + at;
      p.m = m.data() + at, p.v = v.data() + at;
      at += padded(p.size());
    } else {
      p.value = running.data() + at_running;
      at_running += padded(p.size());
    }
    start(p, seed, i);
  }
  for (DeviceArray<float>& array : passed) array = DeviceArray<float>(max_batch * largest);
  images = DeviceArray<float>(int64_t(max_batch) * image_size());
  bytes = DeviceArray<uint8_t>(int64_t(max_batch) * image_size());
  logits = DeviceArray<float>(int64_t(max_batch) * classes());
  dlogits = DeviceArray<float>(int64_t(max_batch) * classes());
  losses = DeviceArray<float>(max_batch);
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaDeviceSynchronize());  // the weights are there, whatever stream uses them
}

MnistNetwork::~MnistNetwork() {
  feeder.reset();
  if (stream) cudaStreamDestroy(stream);
}

void MnistNetwork::forward(const Pass& pass, const float* d_x) {
  // TODO(07.1): forward() of each layer, from input_of(i, d_x) to outputs[i], unless it is
  // a view.
  (void)pass, (void)d_x;
  CONVKIT_TODO("07.1");
}

void MnistNetwork::backward(const Pass& pass, const float* d_x, const float* d_dlogits,
                            float* d_dx) {
  // TODO(07.3): from the last layer to the first. Each one's dx is the next one's dy; passed[0]
  // and passed[1] take turns to hold them. A view passes its dy on unchanged. A layer whose dx
  // is not needed gets a null pointer.
  (void)pass, (void)d_x, (void)d_dlogits, (void)d_dx;
  CONVKIT_TODO("07.3");
}

extern "C" {

cudaError_t mnist_create(const char* architecture, int max_batch, uint64_t seed, int backend,
                         MnistNetwork** network) {
  *network = nullptr;
  return guarded([&] { *network = new MnistNetwork(architecture, max_batch, seed, backend); });
}

void mnist_destroy(MnistNetwork* network) {
  delete network;
}

const char* mnist_problem() {
  return last_problem().c_str();
}

int mnist_layers(const MnistNetwork* network, MnistLayer* layers, int room) {
  const auto& specs = network->architecture.layers;
  const int count = static_cast<int>(specs.size());
  for (int i = 0; i < count && i < room; ++i) {
    const Shape3& out = specs[i].out;
    layers[i] = {specs[i].name.c_str(), {out.c, out.h, out.w}, 0};
    if (i + 1 == count) continue;  // the softmax
    for (const Parameter* p : network->layers[i]->parameters()) {
      if (p->trained) layers[i].parameters += p->size();
    }
  }
  return count;
}

int mnist_parameters(const MnistNetwork* network, MnistParameter* parameters, int room) {
  const int count = static_cast<int>(network->parameters.size());
  for (int i = 0; i < count && i < room; ++i) {
    const Parameter& p = *network->parameters[i];
    MnistParameter& entry = parameters[i];
    entry = {p.name.c_str(),
             static_cast<int>(p.dims.size()),
             {1, 1, 1, 1},
             p.size(),
             p.trained,
             p.value,
             p.gradient,
             p.m,
             p.v};
    std::copy(p.dims.begin(), p.dims.end(), entry.dims);
  }
  return count;
}

cudaError_t mnist_forward(MnistNetwork* network, const float* d_x, int n, int training,
                          int64_t step, float* d_logits, cudaStream_t stream) {
  return guarded([&] {
    if (n < 1 || n > network->max_batch) throw std::invalid_argument("The batch is too large.");
    network->forward({n, training != 0, step, stream}, d_x);
    (void)d_logits;
  });
}

cudaError_t mnist_backward(MnistNetwork* network, const float* d_x, const float* d_dlogits, int n,
                           float* d_dx, cudaStream_t stream) {
  return guarded([&] {
    if (n < 1 || n > network->max_batch) throw std::invalid_argument("The batch is too large.");
    network->backward({n, true, 0, stream}, d_x, d_dlogits, d_dx);
  });
}
}

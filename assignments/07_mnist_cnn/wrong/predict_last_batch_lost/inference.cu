// SPDX-License-Identifier: MIT
// Inference: only what it takes to answer. Task 07.5.
#include <algorithm>

#include "batch_norm.cuh"
#include "network.cuh"

cudaError_t mnist_predict(MnistNetwork* network, const uint8_t* images, int count,
                          float* probabilities) {
  return guarded([&] {
    const cudaStream_t stream = network->stream;
    const int image_size = network->image_size(), classes = network->classes();
    const auto& layers = network->layers;

    // What is left of the network. Weights may have changed since the last call.
    std::vector<Layer*> needed;
    Layer* before = nullptr;  // the layer right before, which may take over a normalisation
    for (const auto& layer : layers) {
      const auto* norm = dynamic_cast<const BatchNorm*>(layer.get());
      const bool folded = norm && before && before->fold(*norm, stream);
      before = layer.get();
      if (folded || layer->is_view() || layer->spec().kind == "dropout") continue;
      needed.push_back(layer.get());
    }

    for (int first = 0; first + network->max_batch <= count; first += network->max_batch) {
      const int n = std::min(network->max_batch, count - first);
      const int64_t size = int64_t(n) * image_size;
      const Pass pass{n, false, 0, stream};
      check(cudaMemcpyAsync(network->bytes.data(), images + int64_t(first) * image_size,
                            static_cast<size_t>(size), cudaMemcpyHostToDevice, stream));
      normalise(network->bytes.data(), network->images.data(), size, stream);
      const float* d_x = network->images.data();
      int turn = 0;
      for (Layer* layer : needed) {
        float* d_y = network->passed[turn].data();
        layer->infer(pass, d_x, d_y);
        d_x = d_y;
        turn ^= 1;
      }
      check(softmax_forward(d_x, network->logits.data(), n, classes, stream));
      check(cudaMemcpyAsync(probabilities + int64_t(first) * classes, network->logits.data(),
                            sizeof(float) * n * classes, cudaMemcpyDeviceToHost, stream));
      check(cudaStreamSynchronize(stream));
    }
  });
}

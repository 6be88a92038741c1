// SPDX-License-Identifier: MIT
// Inference: only what an answer needs. Task 07.5.
#include <algorithm>

#include "batch_norm.cuh"
#include "network.cuh"

cudaError_t mnist_predict(MnistNetwork* network, const uint8_t* images, int count,
                          float* probabilities) {
  return guarded([&] {
    // TODO(07.5): batches of up to max_batch images: copy, normalise(), infer() of the layers,
    // the softmax, copy back. passed[0] and passed[1] can take turns to hold the output of a
    // layer. Dropout is left out, and so is a batch normalisation that the layer before it has
    // taken over: fold(). First make it correct: network->forward() without training.
    (void)network, (void)images, (void)count, (void)probabilities;
    CONVKIT_TODO("07.5");
  });
}

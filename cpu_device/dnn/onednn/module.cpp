// SPDX-License-Identifier: MIT
// What libconvkit_simt_onednn.so exports. Plans are kept by shape: making one takes longer than
// most convolutions. The device runs one operation at a time, so there are no locks.
//
// oneDNN would share its work among as many OpenMP threads as there are cores. Here it has one, the
// caller's: operations run on the thread that waits for the stream, kernels have the others, and a
// confined process may start none.
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "cpu_device/dnn/onednn/plan.h"

// Weak: a build of oneDNN for another runtime than OpenMP does not have them.
extern "C" __attribute__((weak)) int omp_get_max_threads();
extern "C" __attribute__((weak)) void omp_set_num_threads(int threads);

namespace convkit::simt::dnn {
namespace {

// The program's own parallel regions keep their number.
class OneThread {
 public:
  OneThread() {
    if (!omp_get_max_threads || !omp_set_num_threads) return;
    before_ = omp_get_max_threads();
    omp_set_num_threads(1);
  }
  ~OneThread() {
    if (before_ > 0) omp_set_num_threads(before_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_ = 0;
};

// All that a plan depends on.
using Key = std::vector<int>;

Key key_of(Pass pass, const Convolution& conv) {
  Key key{static_cast<int>(pass), conv.groups, conv.space_dims};
  for (int axis = 0; axis < kSpace; ++axis) {
    key.insert(key.end(), {conv.pad[axis], conv.stride[axis], conv.dilation[axis]});
  }
  for (const cudnnTensorStruct* tensor : {&conv.x_tensor, &conv.w_tensor, &conv.y_tensor}) {
    key.insert(key.end(), tensor->size, tensor->size + tensor->dims);
    key.insert(key.end(), tensor->stride, tensor->stride + tensor->dims);
  }
  return key;
}

// Forgets the plans that were used longest ago.
class Plans {
 public:
  OneDnnPlan* find_or_make(Pass pass, const Convolution& conv) {
    const Key key = key_of(pass, conv);
    const auto known = places_.find(key);
    if (known != places_.end()) {
      kept_.splice(kept_.begin(), kept_, known->second);
    } else {
      kept_.push_front({key, make(pass, conv)});
      places_[key] = kept_.begin();
      if (kept_.front().plan) bytes_ += kept_.front().plan->bytes();
      make_room();
    }
    return kept_.front().plan.get();
  }

 private:
  static constexpr size_t kMost = 256, kMostBytes = size_t{512} << 20;

  struct Entry {
    Key key;
    std::unique_ptr<OneDnnPlan> plan;  // null: oneDNN does not compute it
  };

  static std::unique_ptr<OneDnnPlan> make(Pass pass, const Convolution& conv) {
    const OneThread one_thread;
    try {
      return std::make_unique<OneDnnPlan>(pass, conv);
    } catch (const dnnl::error&) {
      return nullptr;
    }
  }

  void make_room() {
    while (kept_.size() > 1 && (kept_.size() > kMost || bytes_ > kMostBytes)) {
      if (kept_.back().plan) bytes_ -= kept_.back().plan->bytes();
      places_.erase(kept_.back().key);
      kept_.pop_back();
    }
  }

  std::list<Entry> kept_;  // the one used last first
  std::map<Key, std::list<Entry>::iterator> places_;
  size_t bytes_ = 0;
};

OneDnnPlan* plan(Pass pass, const Convolution& conv) {
  static auto* const plans = new Plans;
  return plans->find_or_make(pass, conv);
}

bool run(OneDnnPlan* plan, const float* one, const float* other, float* result) {
  const OneThread one_thread;
  try {
    plan->run(one, other, result);
  } catch (const dnnl::error&) {
    return false;
  }
  return true;
}

// A pass of each kind opens and allocates what oneDNN needs of the system: a process that is
// confined later has it then.
void warm_up() {
  constexpr int kChannels = 16, kEdge = 8, kImage = kChannels * kEdge * kEdge;
  Convolution conv{};
  conv.images = 1;
  conv.channels = conv.filters = kChannels;
  for (int axis = 0; axis < kSpace; ++axis) {
    conv.in[axis] = conv.out[axis] = axis == 0 ? 1 : kEdge;
    conv.window[axis] = conv.stride[axis] = conv.dilation[axis] = 1;
  }
  conv.x_tensor = conv.y_tensor = {
      CUDNN_DATA_FLOAT, 4, {1, kChannels, kEdge, kEdge}, {kImage, kEdge * kEdge, kEdge, 1}};
  conv.w_tensor = {CUDNN_DATA_FLOAT, 4, {kChannels, kChannels, 1, 1}, {kChannels, 1, 1, 1}};
  std::vector<float> x(kImage), w(kChannels * kChannels), y(kImage);
  const auto once = [&](Pass pass, const float* one, const float* other, float* result) {
    if (OneDnnPlan* made = plan(pass, conv)) run(made, one, other, result);
  };
  once(Pass::forward, x.data(), w.data(), y.data());
  once(Pass::data, w.data(), y.data(), x.data());
  once(Pass::filter, x.data(), y.data(), w.data());
}

}  // namespace
}  // namespace convkit::simt::dnn

extern "C" __attribute__((visibility("default"))) void convkit_onednn(
    convkit::simt::dnn::OneDnn* result) {
  using namespace convkit::simt::dnn;
  warm_up();
  *result = {plan, run};
}

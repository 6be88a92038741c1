// SPDX-License-Identifier: MIT
// Dropout: with the probability p an element becomes 0, otherwise it is divided by 1 - p. The
// states hold a seed and how many numbers were drawn; the reserve space has a bit for each element.
#include <algorithm>
#include <bit>

#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/float_copies.h"
#include "cpu_device/dnn/refusal.h"
#include "cpu_device/dnn/rows.h"
#include "simt/cudnn_dropout.h"

// The contents of a dropout descriptor.
struct cudnnDropoutStruct {
  float probability = 0;
  void* states = nullptr;  // in device memory
  unsigned long long seed = 0;
};

namespace convkit::simt::dnn {
namespace {

struct States {
  uint64_t seed, drawn;
};

// SplitMix64 of the number's place in the sequence: 0 <= result < 1, of 24 bits.
float drawn(const States& states, uint64_t number) {
  uint64_t z = states.seed + (states.drawn + number + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<float>(z >> 40) * 0x1p-24f;
}

int64_t elements_of(const cudnnTensorStruct& tensor) {
  int64_t elements = tensor.dims > 0 ? 1 : 0;
  for (int i = 0; i < tensor.dims; ++i) elements *= tensor.size[i];
  return elements;
}

size_t reserve_bytes(const cudnnTensorStruct& tensor) {
  constexpr int64_t kBits = 8;
  return static_cast<size_t>((elements_of(tensor) + kBits - 1) / kBits);
}

// A tensor without gaps whose strides are those of its elements' numbers.
cudnnTensorStruct numbered(cudnnTensorStruct tensor) {
  int64_t stride[CUDNN_DIM_MAX];
  packed_strides(CUDNN_TENSOR_NCHW, tensor.dims, tensor.size, stride);
  for (int i = 0; i < tensor.dims; ++i) tensor.stride[i] = static_cast<int>(stride[i]);
  return tensor;
}

// The value, or 0: without a branch, which would be guessed wrong half of the time.
float kept_or_zero(float value, const unsigned char* reserve, int64_t number) {
  const auto place = static_cast<uint64_t>(number);
  const uint32_t kept = reserve[place / 8] >> (place % 8) & 1u;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) & (0u - kept));
}

// A bit for each element that stays.
void draw(const States& states, float probability, int64_t elements, unsigned char* reserve) {
  for (int64_t first = 0; first < elements; first += 8) {
    const int64_t count = std::min<int64_t>(8, elements - first);
    unsigned bits = 0;
    for (int64_t i = 0; i < count; ++i) {
      const bool stays = drawn(states, static_cast<uint64_t>(first + i)) >= probability;
      bits |= static_cast<unsigned>(stays) << i;
    }
    *reserve++ = static_cast<unsigned char>(bits);
  }
}

// to = from where the element stays, scaled; else 0.
void drop(float probability, const unsigned char* reserve, const cudnnTensorStruct& from_tensor,
          const float* from, const cudnnTensorStruct& to_tensor, float* to) {
  const float scale = probability < 1 ? 1 / (1 - probability) : 0.0f;
  blend_rows(rows_of(to_tensor, from_tensor, numbered(to_tensor)), Factors{}, to,
             [=](const auto& at) { return kept_or_zero(scale * from[at[1]], reserve, at[2]); });
}

// The names of the arguments of one direction.
struct DropoutNames {
  const char *from_desc, *from, *to_desc, *to;
};
constexpr DropoutNames kForward{"xdesc", "x", "ydesc", "y"};
constexpr DropoutNames kBackward{"dydesc", "dy", "dxdesc", "dx"};

bool is_refused(Refusal& refusal, const DropoutNames& names, cudnnHandle_t handle,
                cudnnDropoutDescriptor_t dropout, cudnnTensorDescriptor_t from, const void* data,
                cudnnTensorDescriptor_t to, const void* result, const void* reserve, size_t bytes) {
  if (refusal.no_handle(handle) ||
      refusal.null({{"dropoutDesc", dropout},
                    {names.from_desc, from},
                    {names.from, data},
                    {names.to_desc, to},
                    {names.to, result},
                    {"reserveSpace", reserve}}) ||
      refusal.never_set(names.from_desc, *from) ||
      refusal.types_differ(names.from_desc, from->type, names.to_desc, to->type)) {
    return true;
  }
  if (elements_of(*from) != elements_of(*to)) {
    return refusal.sizes_differ(names.from_desc, *from, names.to_desc, *to);
  }
  if (bytes < reserve_bytes(*from)) {
    return refusal.bad_param(said("reserveSpaceSizeInBytes is ", bytes, "; for ", names.from_desc,
                                  " of ", sizes_text(*from), " it must be at least ",
                                  reserve_bytes(*from)));
  }
  return refusal.not_computed(names.from_desc, *from) || refusal.not_computed(names.to_desc, *to) ||
         (!same_sizes(*from, *to) &&
          refusal.not_supported(said(names.to_desc, " is ", sizes_text(*to), "; it must be of the ",
                                     "sizes of ", names.from_desc, ", ", sizes_text(*from))));
}

bool take_states(Refusal& refusal, cudnnDropoutDescriptor_t dropout, cudnnHandle_t handle,
                 float probability, void* states, size_t bytes, unsigned long long seed) {
  if (refusal.null({{"dropoutDesc", dropout}}) || refusal.no_handle(handle) ||
      (!(probability >= 0 && probability <= 1) &&
       refusal.bad_param(said("dropout is ", probability, "; it must be from 0 to 1"))) ||
      // Without states nothing is dropped, as in inference.
      (states && bytes < sizeof(States) &&
       refusal.bad_param(
           said("stateSizeInBytes is ", bytes, "; the states need ", sizeof(States))))) {
    return false;
  }
  *dropout = {probability, states, seed};
  return true;
}

}  // namespace
}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t* dropoutDesc) {
  Refusal refusal("cudnnCreateDropoutDescriptor");
  if (refusal.null({{"dropoutDesc", dropoutDesc}})) return refusal.status();
  *dropoutDesc = new cudnnDropoutStruct;
  note_created(dropoutDesc, "dropout descriptor",
               convkit::simt::library_call("cudnnCreateDropoutDescriptor"));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc) {
  return destroy("cudnnDestroyDropoutDescriptor", "dropoutDesc", dropoutDesc);
}

cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t handle, size_t* sizeInBytes) {
  Refusal refusal("cudnnDropoutGetStatesSize");
  if (refusal.no_handle(handle) || refusal.null({{"sizeInBytes", sizeInBytes}})) {
    return refusal.status();
  }
  *sizeInBytes = sizeof(States);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t xdesc, size_t* sizeInBytes) {
  Refusal refusal("cudnnDropoutGetReserveSpaceSize");
  if (refusal.null({{"xdesc", xdesc}, {"sizeInBytes", sizeInBytes}})) return refusal.status();
  *sizeInBytes = reserve_bytes(*xdesc);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc, cudnnHandle_t handle,
                                        float dropout, void* states, size_t stateSizeInBytes,
                                        unsigned long long seed) {
  Refusal refusal("cudnnSetDropoutDescriptor");
  if (!take_states(refusal, dropoutDesc, handle, dropout, states, stateSizeInBytes, seed) ||
      !states) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnSetDropoutDescriptor");
  return enqueue_on(call, handle, [=] {
    if (!may_use_bytes(call, "states", states, sizeof(States), Use::write)) return;
    *static_cast<States*>(states) = {seed, 0};
  });
}

cudnnStatus_t cudnnRestoreDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc,
                                            cudnnHandle_t handle, float dropout, void* states,
                                            size_t stateSizeInBytes, unsigned long long seed) {
  Refusal refusal("cudnnRestoreDropoutDescriptor");
  take_states(refusal, dropoutDesc, handle, dropout, states, stateSizeInBytes, seed);
  return refusal.status();
}

cudnnStatus_t cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc, cudnnHandle_t handle,
                                        float* dropout, void** states, unsigned long long* seed) {
  Refusal refusal("cudnnGetDropoutDescriptor");
  if (refusal.null({{"dropoutDesc", dropoutDesc}}) || refusal.no_handle(handle) ||
      refusal.null({{"dropout", dropout}, {"states", states}, {"seed", seed}})) {
    return refusal.status();
  }
  *dropout = dropoutDesc->probability;
  *states = dropoutDesc->states;
  *seed = dropoutDesc->seed;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDropoutForward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t dropoutDesc,
                                  const cudnnTensorDescriptor_t xdesc, const void* x,
                                  const cudnnTensorDescriptor_t ydesc, void* y, void* reserveSpace,
                                  size_t reserveSpaceSizeInBytes) {
  Refusal refusal("cudnnDropoutForward");
  if (is_refused(refusal, kForward, handle, dropoutDesc, xdesc, x, ydesc, y, reserveSpace,
                 reserveSpaceSizeInBytes) ||
      (!dropoutDesc->states && refusal.bad_param("dropoutDesc was set without states"))) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnDropoutForward");
  return enqueue_on(call, handle, [=, from = *xdesc, to = *ydesc, dropout = *dropoutDesc] {
    const size_t bytes = reserve_bytes(from);
    if (!may_use(call, "x", x, from, Use::read) || !may_use(call, "y", y, to, Use::write) ||
        !may_use_bytes(call, "states", dropout.states, sizeof(States), Use::update) ||
        !may_use_bytes(call, "reserveSpace", reserveSpace, bytes, Use::write)) {
      return;
    }
    auto& states = *static_cast<States*>(dropout.states);
    auto* reserve = static_cast<unsigned char*>(reserveSpace);
    const int64_t elements = elements_of(from);
    draw(states, dropout.probability, elements, reserve);
    states.drawn += static_cast<uint64_t>(elements);
    const FloatInput input(x, from);
    FloatResult result(y, to, false);
    drop(dropout.probability, reserve, from, input.data(), to, result.data());
  });
}

cudnnStatus_t cudnnDropoutBackward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t dropoutDesc,
                                   const cudnnTensorDescriptor_t dydesc, const void* dy,
                                   const cudnnTensorDescriptor_t dxdesc, void* dx,
                                   void* reserveSpace, size_t reserveSpaceSizeInBytes) {
  Refusal refusal("cudnnDropoutBackward");
  if (is_refused(refusal, kBackward, handle, dropoutDesc, dydesc, dy, dxdesc, dx, reserveSpace,
                 reserveSpaceSizeInBytes)) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnDropoutBackward");
  return enqueue_on(
      call, handle, [=, from = *dydesc, to = *dxdesc, probability = dropoutDesc->probability] {
        if (!may_use(call, "dy", dy, from, Use::read) || !may_use(call, "dx", dx, to, Use::write) ||
            !may_use_bytes(call, "reserveSpace", reserveSpace, reserve_bytes(from), Use::read)) {
          return;
        }
        const FloatInput input(dy, from);
        FloatResult result(dx, to, false);
        drop(probability, static_cast<const unsigned char*>(reserveSpace), from, input.data(), to,
             result.data());
      });
}

}  // extern "C"

// SPDX-License-Identifier: MIT
// CUDA's header of this name: the primitives, and nvcuda::experimental::pipeline, which came before
// cuda::pipeline.
#pragma once

#include <type_traits>

#include "cuda_pipeline_primitives.h"

namespace nvcuda::experimental {

class pipeline {
 public:
  pipeline() = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  // The number of the batch.
  size_t commit() {
    convkit_simt_async_commit();
    return batches_++;
  }
  void commit_and_wait() {
    static_cast<void>(commit());
    convkit_simt_async_wait(0);
  }
  // For the batches before this one: the last of all is not waited for until it is followed.
  void wait(size_t batch) { convkit_simt_async_wait(batches_ > batch ? batches_ - batch : 0); }
  template <unsigned batches>
  void wait_prior() {
    convkit_simt_async_wait(batches);
  }

 private:
  size_t batches_ = 0;
};

// `count` neighbouring elements, to copy at once.
template <size_t count, class Element>
inline auto segment(Element* elements) -> Element (*)[count] {
  return reinterpret_cast<Element(*)[count]>(elements);
}

template <class Element>
static __forceinline__ void memcpy_async(Element& to, const Element& from, pipeline&) {
  static_assert(std::is_trivially_copyable<Element>::value, "the element is copied as bytes");
  convkit_simt_async_copy(&to, &from, sizeof to, 0, alignof(Element));
}
// What the source does not have becomes 0.
template <class Element, size_t room, size_t count>
static __forceinline__ void memcpy_async(Element (*to)[room], const Element (*from)[count],
                                         pipeline&) {
  constexpr unsigned kBytes = sizeof *from, kRoom = sizeof *to;
  static_assert(kRoom == 4 || kRoom == 8 || kRoom == 16, "Unsupported copy size.");
  static_assert(kBytes <= kRoom, "Source size must be less than or equal to destination size.");
  convkit_simt_async_copy(*to, *from, kBytes, kRoom - kBytes, kRoom);
}

}  // namespace nvcuda::experimental

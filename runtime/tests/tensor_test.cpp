// SPDX-License-Identifier: MIT
#include "convkit/tensor.h"

#include <cstdint>

#include "catch.h"

namespace convkit {
namespace {

static_assert(!std::is_copy_constructible_v<Tensor<float>>);
static_assert(std::is_nothrow_move_constructible_v<Tensor<float>>);
static_assert(std::is_convertible_v<TensorView<float>, TensorView<const float>>);
static_assert(!std::is_convertible_v<TensorView<const float>, TensorView<float>>);

TEST_CASE("strides are row-major") {
  const Dims dims{2, 3, 5, 7};
  CHECK(dims.rank() == 4);
  CHECK(dims.count() == 210);
  const auto strides = dims.strides();
  CHECK(strides[0] == 105);
  CHECK(strides[1] == 35);
  CHECK(strides[2] == 7);
  CHECK(strides[3] == 1);
  CHECK(Dims{}.count() == 1);
  CHECK(Dims{4, 0}.count() == 0);
}

TEST_CASE("dims that are negative, too many or overflow are refused") {
  CHECK_THROWS_AS((Dims{2, -1}), std::invalid_argument);
  CHECK_THROWS_AS((Dims{1, 1, 1, 1, 1, 1, 1, 1, 1}), std::invalid_argument);
  CHECK_THROWS_AS((Dims{int64_t{1} << 32, int64_t{1} << 31}), std::invalid_argument);
}

TEST_CASE("a tensor's bytes that overflow are refused") {
  CHECK_THROWS_AS(Tensor<double>(Dims{int64_t{1} << 60}), std::bad_alloc);
}

TEST_CASE("elements lie in NCHW order") {
  Tensor<int32_t> tensor(Dims{2, 3, 4, 5});
  int32_t next = 0;
  for (int32_t& value : tensor.values()) value = next++;
  CHECK(tensor.element(0, 0, 0, 1) == 1);
  CHECK(tensor.element(0, 0, 1, 0) == 5);
  CHECK(tensor.element(0, 1, 0, 0) == 20);
  CHECK(tensor.element(1, 0, 0, 0) == 60);
  CHECK(tensor.element(1, 2, 3, 4) == 119);
  tensor.element(1, 2, 3, 4) = -1;
  CHECK(tensor.values().back() == -1);
}

TEST_CASE("a new tensor is aligned and zero") {
  for (const int64_t size : {0, 1, 3, 1000}) {
    const Tensor<float> tensor(Dims{size});
    CHECK(reinterpret_cast<uintptr_t>(tensor.data()) % kTensorAlignment == 0);
    CHECK(tensor.count() == size);
    CHECK(std::all_of(tensor.values().begin(), tensor.values().end(),
                      [](float x) { return x == 0; }));
  }
}

TEST_CASE("moving a tensor moves its memory") {
  Tensor<float> from(Dims{3});
  from.element(2) = 5;
  const float* data = from.data();
  const Tensor<float> to = std::move(from);
  CHECK(to.data() == data);
  CHECK(to.element(2) == 5);
}

TEST_CASE("a view shares its tensor's elements") {
  Tensor<uint8_t> tensor(Dims{2, 2});
  const TensorView<uint8_t> view = tensor.view();
  view.element(1, 0) = 9;
  const TensorView<const uint8_t> read_only = view;
  CHECK(tensor.values()[2] == 9);
  CHECK(read_only.element(1, 0) == 9);
  CHECK(read_only.stride(0) == 2);
}

TEST_CASE("checked products notice overflow") {
  CHECK(checked_product({}) == 1);
  CHECK(checked_product({3, 5}) == 15);
  CHECK(checked_product({0, INT64_MAX}) == 0);
  CHECK(checked_product({INT64_MAX, 1}) == INT64_MAX);
  CHECK_FALSE(checked_product({INT64_MAX, 2}));
  CHECK_FALSE(checked_product({INT64_MAX, 2, 0}));
  CHECK_FALSE(checked_product({-1}));
}

}  // namespace
}  // namespace convkit

// SPDX-License-Identifier: MIT
// Thrust on the CPU device: `_1 * 2 + _2` as a function object.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace thrust {
namespace placeholders_of {

// An expression with placeholders. `f(arguments)` is its value, of a tuple of references.
template <class F>
struct Expression {
  F f;

  template <class... A>
  constexpr auto operator()(A&&... arguments) const {
    return f(std::forward_as_tuple(arguments...));
  }
};

template <class T>
struct IsExpression : std::false_type {};
template <class F>
struct IsExpression<Expression<F>> : std::true_type {};

template <class A, class Arguments>
constexpr decltype(auto) value_of(const A& operand, const Arguments& arguments) {
  if constexpr (IsExpression<A>::value) {
    return operand.f(arguments);
  } else {
    return (operand);
  }
}

template <class F>
constexpr Expression<F> expression(F f) {
  return {f};
}

template <std::size_t N>
struct Argument {
  template <class Arguments>
  constexpr decltype(auto) operator()(const Arguments& arguments) const {
    return std::get<N>(arguments);
  }
};

template <class A, class B>
using Either = std::enable_if_t<IsExpression<A>::value || IsExpression<B>::value>;

#define CONVKIT_SIMT_BINARY(op)                                \
  template <class A, class B, class = Either<A, B>>            \
  constexpr auto operator op(const A& a, const B& b) {         \
    return expression([a, b](const auto& arguments) {          \
      return value_of(a, arguments) op value_of(b, arguments); \
    });                                                        \
  }
CONVKIT_SIMT_BINARY(+)
CONVKIT_SIMT_BINARY(-)
CONVKIT_SIMT_BINARY(*)
CONVKIT_SIMT_BINARY(/)
CONVKIT_SIMT_BINARY(%)
CONVKIT_SIMT_BINARY(==)
CONVKIT_SIMT_BINARY(!=)
CONVKIT_SIMT_BINARY(<)
CONVKIT_SIMT_BINARY(>)
CONVKIT_SIMT_BINARY(<=)
CONVKIT_SIMT_BINARY(>=)
CONVKIT_SIMT_BINARY(&&)
CONVKIT_SIMT_BINARY(||)
CONVKIT_SIMT_BINARY(&)
CONVKIT_SIMT_BINARY(|)
CONVKIT_SIMT_BINARY(^)
CONVKIT_SIMT_BINARY(<<)
CONVKIT_SIMT_BINARY(>>)
#undef CONVKIT_SIMT_BINARY

#define CONVKIT_SIMT_UNARY(op)                                                           \
  template <class F>                                                                     \
  constexpr auto operator op(const Expression<F>& a) {                                   \
    return expression([a](const auto& arguments) { return op value_of(a, arguments); }); \
  }
CONVKIT_SIMT_UNARY(-)
CONVKIT_SIMT_UNARY(!)
CONVKIT_SIMT_UNARY(~)
#undef CONVKIT_SIMT_UNARY

// These change the element that a placeholder stands for.
#define CONVKIT_SIMT_ASSIGNMENT(op)                                          \
  template <std::size_t N, class B>                                          \
  constexpr auto operator op(const Expression<Argument<N>>& a, const B& b) { \
    return expression([a, b](const auto& arguments) -> decltype(auto) {      \
      return value_of(a, arguments) op value_of(b, arguments);               \
    });                                                                      \
  }
CONVKIT_SIMT_ASSIGNMENT(+=)
CONVKIT_SIMT_ASSIGNMENT(-=)
CONVKIT_SIMT_ASSIGNMENT(*=)
CONVKIT_SIMT_ASSIGNMENT(/=)
#undef CONVKIT_SIMT_ASSIGNMENT

}  // namespace placeholders_of

namespace placeholders {
inline constexpr placeholders_of::Expression<placeholders_of::Argument<0>> _1{};
inline constexpr placeholders_of::Expression<placeholders_of::Argument<1>> _2{};
inline constexpr placeholders_of::Expression<placeholders_of::Argument<2>> _3{};
inline constexpr placeholders_of::Expression<placeholders_of::Argument<3>> _4{};
inline constexpr placeholders_of::Expression<placeholders_of::Argument<4>> _5{};
}  // namespace placeholders
}  // namespace thrust

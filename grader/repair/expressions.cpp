// SPDX-License-Identifier: MIT
#include "repair/expressions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "repair/streams.h"
#include "repair/words.h"

namespace convkit::repair {

using rewrite::kNone;
using rewrite::Stream;
using rewrite::Token;

void Expressions::read(Part part) {
  const Stream& s = tokens();
  for (size_t k = part.begin; k < part.end;) {
    const Token& token = s[k];
    if (token.is("{") && s.match(k) != kNone && s.match(k) < part.end) {
      const bool is_lambda = k > part.begin && (s.is(k - 1, ")") || s.is(k - 1, "]"));
      if (is_lambda) {
        block_(k, s.match(k));
        k = s.match(k) + 1;
        continue;
      }
    }
    if (token.kind == Token::Kind::number) {
      number(k++);
    } else if (token.is("true") || token.is("false")) {
      d_.list.replace({k, k + 1}, token.is("true") ? "false" : "true", {Cause::constant, kLikely});
      ++k;
    } else if (token.is_identifier()) {
      k = name(k, part);
    } else {
      if (kOperators.contains(token.text)) operator_with_two_sides(k, part);
      ++k;
    }
  }
}

void Expressions::number(size_t k) {
  const std::string own(tokens()[k].text);
  const auto put = [&](std::string other, Reason reason) {
    if (other != own) d_.list.replace({k, k + 1}, std::move(other), reason);
  };
  if (own.find_first_of(".eEfF") != own.npos && !own.starts_with("0x")) {
    for (const char* other : {"0.0f", "1.0f"}) put(other, {Cause::number, kSeldom});
    put("-" + own, {Cause::sign, kPlain});
    put("(2 * " + own + ")", {Cause::number, kSeldom});
    put("(" + own + " / 2)", {Cause::number, kSeldom});
    if (own.find_first_not_of("0.fF") == own.npos) put("-INFINITY", {Cause::number, kSeldom});
    for (const std::string_view v : d_.variables.others_like("", number_of(true))) {
      put(std::string(v), {Cause::value, kSeldom});
    }
    return;
  }
  if (own.find_first_not_of("0123456789") != own.npos || own.size() > 9) return;
  const long value = std::stol(own);
  put(std::to_string(value + 1), {Cause::off_by_one, kSeldom});
  if (value > 0) put(std::to_string(value - 1), {Cause::off_by_one, kSeldom});
  if (value > 1) put(std::to_string(value * 2), {Cause::number, kRare});
  if (value > 3 && value % 2 == 0) put(std::to_string(value / 2), {Cause::number, kRare});
  if (value > 1 || d_.is_step) return;
  for (const std::string_view v : d_.variables.others_like("", number_of(false))) {
    put(std::string(v), {Cause::value, kLast});
  }
  for (const std::string& v : d_.variables.members_like(number_of(false)))
    put(v, {Cause::value, scales_places(v) ? kSeldom : kLast});
}

// A name, with what is behind its dots. Returns where the expression goes on.
size_t Expressions::name(size_t k, Part part) {
  const Stream& s = tokens();
  const size_t end = part.end;
  if (kCasts.contains(s[k].text) && s.is(k + 1, "<")) return d_.code.past_angles(k + 1, end);
  if (kNotEvaluated.contains(s[k].text) && s.is(k + 1, "(")) return d_.code.past(k + 1);
  if (kNoNames.contains(s[k].text)) return k + 1;
  size_t last = k;
  while (s.is(last + 1, "::") && s.is_identifier(last + 2)) last += 2;
  const bool qualified = last > k;
  if (d_.has_template_arguments(k, last, end)) return d_.code.past_angles(last + 1, end);
  while (d_.code.is_dot(last + 1) && s.is_identifier(last + 2)) last += 2;
  size_t after = last + 1;
  const bool has_member = last > k && !qualified;
  if (has_member && s.is(after, "(") && s.is(after + 1, ")")) after += 2;
  const bool calls = s.is(after, "(") || s.is(after, "<<<");
  const bool takes_address = k > part.begin && d_.code.is_address(k - 1, part.begin);
  const bool is_changed =
      kAssignments.contains(after < end ? s[after].text : "") || s.is(after, "++") ||
      s.is(after, "--") ||
      (k > part.begin && (s.is(k - 1, "++") || s.is(k - 1, "--") || takes_address));
  if (calls && !has_member && s.is(after, "(")) other_function(k, last);
  if (calls && last == k && !d_.on_device && s.is(after, "(")) put_call_on_stream(d_, k);
  if (takes_address && after == k + 1) address(k);
  if (calls || is_changed || qualified) return after;
  if (has_member) {
    member(k, last, after);
  } else {
    variable(k);
  }
  return after;
}

void Expressions::variable(size_t k) {
  const std::string_view own = tokens()[k].text;
  if (const auto* family = family_of(own)) {
    for (const std::string_view other : *family) {
      if (other != own) d_.list.replace({k, k + 1}, std::string(other), {Cause::constant, kLikely});
    }
  }
  const auto kind = d_.variables.kind_of(own);
  if (!kind || own == d_.counter) return;
  // Objects of a class may not be copied; a stream or a descriptor can.
  const bool is_object = kind->base == Kind::Base::other && kind->indices == 0;
  if (is_object && !kind->type.ends_with("_t") && kind->type != "dim3") return;
  // A function may take an array by reference, with its sizes.
  if (kind->indices > 1 && !tokens().is(k + 1, "[")) return;
  for (const std::string_view other : d_.variables.others_like(own, *kind)) {
    d_.list.replace({k, k + 1}, std::string(other), {Cause::name, d_.likeness(own, other)});
  }
  if (!kind->is_number()) return;
  member_elsewhere({k, k + 1}, *kind);
  if (!d_.is_step) d_.list.replace({k, k + 1}, "0", {Cause::value, kRare});
  if (kind->base == Kind::Base::floating) {
    const std::string value(own);
    for (const std::string& other : {"(-" + value + ")", "(1.0f - " + value + ")",
                                     "(1.0f / " + value + ")", "(" + value + " * " + value + ")"}) {
      d_.list.replace({k, k + 1}, other, {Cause::missing_term, kSeldom});
    }
    return;
  }
  one_more_or_less({k, k + 1});
}

// `s.kh` for `kh`, `s.oh()` for `s.h`.
void Expressions::member_elsewhere(Part own, const Kind& kind) {
  const std::string text = d_.code.text(own);
  for (const std::string& other : d_.variables.members_like(kind)) {
    if (other == text) continue;
    // A size of the output for one of the input, and a local copy of a member.
    const std::string last = other.substr(other.find_last_of(".>") + 1);
    const bool is_near = last == text || last.starts_with(text) || text.starts_with(last) ||
                         d_.likeness(text, other) == kLikely;
    d_.list.replace(own, other, {Cause::name, is_near ? kPlain : kLast});
  }
}

// `fminf(a, b)`, `a` or `b` for `std::fmaxf(a, b)`, whose name goes from `k` to `last`.
void Expressions::other_function(size_t k, size_t last) {
  const Stream& s = tokens();
  const std::string_view own = s[last].text;
  const size_t open = last + 1, close = s.match(open);
  const auto family = std::ranges::find_if(
      kFunctions, [&](const auto& names) { return std::ranges::count(names, own) > 0; });
  if (family == kFunctions.end() || close == kNone) return;
  const Part call = {k, close + 1};
  const std::string before = d_.code.text({k, last});
  const std::string called_with = d_.code.text({open, close + 1});
  for (const std::string_view other : *family) {
    if (other != own)
      d_.list.replace(call, before + std::string(other) + called_with, {Cause::call, kLikely});
  }
  const size_t stop = d_.code.comma(open + 1, close);
  if (stop == close) return;
  const std::string a = d_.code.text({open + 1, stop}), b = d_.code.text({stop + 1, close});
  d_.list.replace(call, a, {Cause::call, kLikely});
  d_.list.replace(call, b, {Cause::call, kLikely});
  // They drop a NaN, and a comparison keeps it.
  const char* better = own.find("max") != own.npos ? " < " : " > ";
  if (own != "fmaxf" && own != "fmax" && own != "fminf" && own != "fmin") return;
  d_.list.replace(call, a + better + b + " ? " + b + " : " + a, {Cause::call, kSeldom});
  d_.list.replace(call, b + better + a + " ? " + a + " : " + b, {Cause::call, kSeldom});
}

// `&beta` for `&alpha`
void Expressions::address(size_t k) {
  const std::string_view own = tokens()[k].text;
  const auto kind = d_.variables.kind_of(own);
  if (!kind) return;
  for (const std::string_view other : d_.variables.others_like(own, *kind)) {
    d_.list.replace({k - 1, k + 1}, "&" + std::string(other), {Cause::name, kPlain});
  }
}

namespace {

// Of `s.oh()` for `s.h`, whose `before` is "s." and whose `own` is "h".
unsigned rank_of_member(const std::string& before, const std::string& own,
                        const std::string& other) {
  if (!other.starts_with(before)) return kLast;
  const std::string its = other.substr(before.size());
  if (its == "o" + own + "()" || own == "o" + its + "()") return kPlain;
  return its.ends_with(")") ? kLast : kRare;
}

}  // namespace

void Expressions::member(size_t k, size_t last, size_t after) {
  const Stream& s = tokens();
  const std::string_view root = s[k].text;
  const std::string before = d_.code.text({k, last});
  const std::string own = d_.code.text({last, after});
  if (kPlaces.contains(root)) {
    for (const char* axis : {"x", "y", "z"}) {
      if (own != axis) d_.list.replace({k, after}, before + axis, {Cause::name, kLikely});
    }
    for (const std::string_view place : kPlaces) {
      if (place != root)
        d_.list.replace({k, after}, std::string(place) + "." + own, {Cause::name, kPlain});
    }
    return;
  }
  const auto kind = d_.kind_at(k);
  if (!kind || !kind->is_number()) return;
  const std::string whole = d_.code.text({k, after});
  for (const std::string& other : d_.variables.members_like(*kind)) {
    if (other == whole) continue;
    d_.list.replace(
        {k, after}, other,
        {Cause::name,
         d_.likeness(whole, other) == kLikely ? kLikely : rank_of_member(before, own, other)});
  }
  for (const std::string_view other : d_.variables.others_like("", *kind)) {
    const bool is_near = own.starts_with(other) || other.ends_with(own);
    d_.list.replace({k, after}, std::string(other), {Cause::name, is_near ? kPlain : kLast});
  }
  if (*kind == number_of(false)) one_more_or_less({k, after});
}

void Expressions::one_more_or_less(Part own) {
  const std::string text = d_.code.text(own);
  d_.list.replace(own, "(" + text + " + 1)", {Cause::off_by_one, kSeldom});
  d_.list.replace(own, "(" + text + " - 1)", {Cause::off_by_one, kSeldom});
}

void Expressions::operator_with_two_sides(size_t k, Part part) {
  if (k == part.begin || k + 1 >= part.end || !d_.code.ends_value(k - 1)) return;
  const Stream& s = tokens();
  const Token& before = s[k - 1];
  if (kIntegers.contains(before.text) || kFloats.contains(before.text)) return;
  // Not the bracket of a template's arguments.
  const bool angle = s.is(k, "<") || s.is(k, ">");
  const bool is_member = k > 1 && d_.code.is_dot(k - 2);
  if (angle && before.is_identifier() && !is_member && !d_.variables.kind_of(before.text)) return;
  for (const std::string_view other : kOperators.at(s[k].text)) {
    d_.list.replace_operator(k, std::string(other), {Cause::operation, kLikely});
  }
}

void Expressions::exchange_arguments(Part part) {
  const Stream& s = tokens();
  for (size_t k = part.begin + 1; k < part.end; ++k) {
    if (is_list(k)) exchange_neighbours(k);
    const bool calls = s.is_identifier(k - 1) || s.is(k - 1, ">") || s.is(k - 1, ">>>");
    if (!s.is(k, "(") || !calls || kCasts.contains(d_.code.cast_before(k))) continue;
    if (s.is(k - 1, "swap")) continue;
    exchange_neighbours(k);
    if (s[k - 1].text.starts_with("cudaM")) count_in_bytes(k);
  }
}

void Expressions::exchange_neighbours(size_t open) {
  std::vector<Part> values = d_.code.arguments(open);
  std::ranges::for_each(values, [&](Part& part) { part = without_designator(part); });
  constexpr size_t kFurthest = 2;
  for (size_t a = 0; a < values.size(); ++a) {
    for (size_t b = a + 1; b < values.size(); ++b) {
      if (values[a].empty() || values[b].empty()) continue;
      if (!is_value(values[a]) || !is_value(values[b])) continue;
      if (b <= a + kFurthest) {
        d_.list.exchange(values[a], values[b], {Cause::order, kLikely});
      } else if (const auto kind = kind_of_name(values[a]);
                 kind && kind == kind_of_name(values[b])) {
        d_.list.exchange(values[a], values[b], {Cause::order, kPlain});
      }
    }
  }
}

// `{1, 2}` and `T{.a = 1, .b = 2}`, and not the body of a lambda.
bool Expressions::is_list(size_t open) const {
  const Stream& s = tokens();
  if (!s.is(open, "{") || s.match(open) == kNone || s.is(open - 1, ")") || s.is(open - 1, "]")) {
    return false;
  }
  return d_.code.semicolon(open + 1, s.match(open)) == s.match(open);
}

// `x` of `.height = x`.
Part Expressions::without_designator(Part part) const {
  const Stream& s = tokens();
  const bool is_designated = s.is(part.begin, ".") && s.is(part.begin + 2, "=");
  return is_designated ? Part{part.begin + 3, part.end} : part;
}

// Of `h`, `s.h` or `s.oh()`, where nothing else stands there.
std::optional<Kind> Expressions::kind_of_name(Part part) const {
  const Stream& s = tokens();
  size_t k = part.begin;
  if (!s.is_identifier(k)) return std::nullopt;
  while (d_.code.is_dot(k + 1) && s.is_identifier(k + 2)) k += 2;
  if (k > part.begin && s.is(k + 1, "(") && s.is(k + 2, ")")) k += 2;
  return k + 1 == part.end ? d_.kind_at(part.begin) : std::nullopt;
}

// A size of memory, of the arguments behind the bracket at `open`.
void Expressions::count_in_bytes(size_t open) {
  for (const Part argument : d_.code.arguments(open)) {
    if (argument.empty() || tokens().is(argument.begin, "0") || !d_.is_integer(argument)) continue;
    d_.list.replace(argument, "sizeof(float) * (" + d_.code.text(argument) + ")",
                    {Cause::bytes, kPlain});
  }
}

// Not the name of an array or of something else that may be taken by reference.
bool Expressions::is_value(Part part) const {
  const Stream& s = tokens();
  if (s.is(part.begin, "*")) return false;  // an object that may not be copied
  if (part.size() > 1 || s[part.begin].kind == Token::Kind::number) return true;
  const auto kind = d_.variables.kind_of(s[part.begin].text);
  return kind && kind->indices < 2;
}

}  // namespace convkit::repair

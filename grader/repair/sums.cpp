// SPDX-License-Identifier: MIT
#include "repair/sums.h"

#include <string>
#include <vector>

#include "repair/axes.h"
#include "repair/words.h"

namespace convkit::repair {
namespace {

using rewrite::kNone;
using rewrite::Stream;
using rewrite::Token;

const Words kSigns = {"+", "-", "*", "/", "%"};
constexpr size_t kLongestFactor = 6;  // in tokens: one that gets another factor

// `a * b / c`: the operators before each factor, "" before the first one.
struct Product {
  Part part;
  std::vector<Part> factors;
  std::vector<std::string_view> signs;
};

// `a - b * c`
struct Sum {
  Part part;
  std::vector<Product> terms;
  std::vector<std::string_view> signs;
};

class Reader {
 public:
  explicit Reader(Draft& draft) : d_(draft), code_(draft.code), s_(draft.code.tokens()) {}

  // Cuts a part into sums, also in its brackets.
  void read(Part part) {
    size_t begin = part.begin;
    for (size_t k = part.begin; k < part.end;) {
      const Token& token = s_[k];
      if (token.is_identifier() && kNotEvaluated.contains(token.text) && s_.is(k + 1, "(")) {
        k = code_.past(k + 1);
      } else if (token.is_identifier() &&
                 (kCasts.contains(token.text) || d_.has_template_arguments(k, k, part.end))) {
        k = s_.is(k + 1, "<") ? code_.past_angles(k + 1, part.end) : k + 1;
      } else if (code_.past(k) > k + 1) {
        const size_t next = code_.past(k);
        if (token.is("{") && k > part.begin && (s_.is(k - 1, ")") || s_.is(k - 1, "]"))) {
          sum({begin, k});  // a lambda has statements
          begin = next;
        } else {
          read({k + 1, next - 1});
        }
        k = next;
      } else if (is_part_of_a_sum(k)) {
        ++k;
      } else {
        sum({begin, k});
        begin = ++k;
      }
    }
    sum({begin, part.end});
  }

 private:
  bool is_part_of_a_sum(size_t k) const {
    const Token& token = s_[k];
    if (token.is_identifier()) return !token.is("return") && !token.is("else");
    if (token.kind != Token::Kind::punctuator) return true;
    return kSigns.contains(token.text) || token.is("::") || code_.is_dot(k);
  }

  bool is_sign(size_t k, Part part) const {
    return k > part.begin && k + 1 < part.end && kSigns.contains(s_[k].text) &&
           code_.ends_value(k - 1);
  }

  Sum parsed(Part part) const {
    Sum sum = {part, {}, {""}};
    Product product = {{part.begin, part.begin}, {}, {""}};
    size_t begin = part.begin;
    const auto end_factor = [&](size_t k) {
      product.factors.push_back({begin, k});
      product.part.end = k;
      begin = k + 1;
    };
    for (size_t k = part.begin; k < part.end; k = code_.past(k)) {
      if (!is_sign(k, part)) continue;
      end_factor(k);
      if (s_.is(k, "+") || s_.is(k, "-")) {
        sum.terms.push_back(product);
        sum.signs.push_back(s_[k].text);
        product = {{k + 1, k + 1}, {}, {""}};
      } else {
        product.signs.push_back(s_[k].text);
      }
    }
    end_factor(part.end);
    sum.terms.push_back(product);
    return sum;
  }

  void sum(Part part) {
    if (part.empty()) return;
    const Token& first = s_[part.begin];
    if (first.kind == Token::Kind::punctuator && !first.is("(") && !first.is("-")) return;
    const Sum sum = parsed(part);
    turn_axes(sum.part);
    if (is_floating(sum.part) && sum.part.size() > 1) {
      d_.list.replace(sum.part, "1.0f / (" + text(sum.part) + ")",
                      {Cause::missing_factor, kSeldom});
    }
    if (sum.terms.size() > 1) {
      leave_out_terms(sum);
      take_into_root(sum);
      group_with_a_factor(sum);
      transpose(sum);
    }
    for (const Product& term : sum.terms) {
      turn_axes(term.part);
      if (term.factors.size() > 1) {
        for (const Part factor : term.factors) turn_axes(factor);
        leave_out_factors(term);
        put_in_an_index(term);
        add_one_to_divisor(term);
        round_up(term);
        multiply_out(term);
        dissolve_groups(term);
      }
      if (sum.terms.size() > 1 || term.factors.size() > 1) {
        for (const Part factor : term.factors) put_in_a_factor(factor);
      }
    }
    put_in_a_term(sum);
    if (sum.part.size() > 1 && d_.is_integer(sum.part)) {
      d_.list.replace(sum.part, "0", {Cause::surplus_term, kPlain});
    }
  }

  std::string text(Part part) const { return code_.text(part); }

  // `right - left` for `bottom - top`
  void turn_axes(Part part) {
    const std::string own = text(part), other = other_axis(own);
    if (other != own && d_.is_visible(other)) d_.list.replace(part, other, {Cause::name, kLikely});
  }

  bool is_floating(Part part) const {
    for (size_t k = part.begin; k < part.end; k = code_.past(k)) {
      const Token& token = s_[k];
      const bool is_number = token.kind == Token::Kind::number;
      if (is_number && token.text.find('.') != token.text.npos) return true;
      if (token.is_identifier() && d_.kind_at(k) == number_of(true)) return true;
    }
    return false;
  }

  // `i % (unsigned(n) + 1)`, as also `n` may be left over.
  void add_one_to_divisor(const Product& product) {
    for (size_t k = 1; k < product.factors.size(); ++k) {
      if (product.signs[k] != "%") continue;
      const std::string own = text(product.factors[k]);
      d_.list.replace(product.factors[k], "(" + own + " + 1)", {Cause::off_by_one, kPlain});
    }
  }

  // `sqrtf(a + b)` for `sqrtf(a) + b`
  void take_into_root(const Sum& sum) {
    for (size_t k = 0; k + 1 < sum.terms.size(); ++k) {
      const Part call = sum.terms[k].factors.back();
      const bool is_root = s_[call.begin].text.find("sqrt") != std::string_view::npos;
      if (!is_root || !s_.is(call.begin + 1, "(") || sum.terms[k].factors.size() > 1) continue;
      const Part next = sum.terms[k + 1].part;
      const std::string inside = text({call.begin, call.end - 1});
      d_.list.replace({call.begin, next.end},
                      inside + " " + std::string(sum.signs[k + 1]) + " " + text(next) + ")",
                      {Cause::grouping, kLikely});
    }
  }

  void leave_out_terms(const Sum& sum) {
    for (size_t k = 0; k < sum.terms.size(); ++k) {
      std::string rest;
      for (size_t other = 0; other < sum.terms.size(); ++other) {
        if (other == k) continue;
        if (rest.empty() && sum.signs[other] == "-") rest = "-";
        if (!rest.empty() && rest != "-") rest += " " + std::string(sum.signs[other]) + " ";
        rest += text(sum.terms[other].part);
      }
      d_.list.replace(sum.part, "(" + rest + ")", {Cause::surplus_term, kPlain});
    }
    for (const Product& term : sum.terms) {  // `p` for `kh - 1 - p`
      if (sum.terms.size() > 2) {
        d_.list.replace(sum.part, text(term.part), {Cause::surplus_term, kPlain});
      }
    }
  }

  void leave_out_factors(const Product& product) {
    for (size_t k = 0; k < product.factors.size(); ++k) {
      std::string rest;
      for (size_t other = 0; other < product.factors.size(); ++other) {
        if (other == k) continue;
        if (rest.empty() && product.signs[other] == "/") rest = "1";
        if (!rest.empty()) rest += " " + std::string(product.signs[other]) + " ";
        rest += text(product.factors[other]);
      }
      d_.list.replace(product.part, "(" + rest + ")", {Cause::surplus_factor, kPlain});
    }
  }

  // `(n + k - 1) / k` for `n / k`
  void round_up(const Product& product) {
    const size_t last = product.factors.size() - 1;
    if (product.signs[last] != "/" || !d_.is_integer(product.part)) return;
    const std::string by = text(product.factors[last]);
    const std::string of = text({product.part.begin, product.factors[last].begin - 1});
    d_.list.replace(product.part, "((" + of + " + " + by + " - 1) / " + by + ")",
                    {Cause::rounding, kLikely});
  }

  // `a * c - b` for `(a - b) * c`
  void multiply_out(const Product& product) {
    if (product.factors.size() != 2 || product.signs[1] == "%") return;
    const Part group = product.factors[0];
    if (!s_.is(group.begin, "(") || s_.match(group.begin) != group.end - 1) return;
    const Sum inside = parsed({group.begin + 1, group.end - 1});
    if (inside.terms.size() != 2) return;
    const std::string by = " " + std::string(product.signs[1]) + " " + text(product.factors[1]);
    const std::string one = text(inside.terms[0].part), other = text(inside.terms[1].part);
    const std::string sign = " " + std::string(inside.signs[1]) + " ";
    d_.list.replace(product.part, "(" + one + by + sign + other + ")", {Cause::grouping, kLikely});
    d_.list.replace(product.part, "(" + one + sign + other + by + ")", {Cause::grouping, kLikely});
  }

  // `(a - b) * c` for `a * c - b`, and `(a - b) * (c + d)` is left alone.
  void group_with_a_factor(const Sum& sum) {
    for (size_t k = 0; k + 1 < sum.terms.size(); ++k) {
      const Product &one = sum.terms[k], &next = sum.terms[k + 1];
      const std::string sign = " " + std::string(sum.signs[k + 1]) + " ";
      if (one.factors.size() > 1) {
        const size_t last = one.factors.size() - 1;
        const std::string rest = text({one.part.begin, one.factors[last].begin - 1});
        const std::string by = std::string(one.signs[last]) + " " + text(one.factors[last]);
        d_.list.replace({one.part.begin, next.part.end},
                        "(" + rest + sign + text(next.part) + ") " + by,
                        {Cause::grouping, kLikely});
      }
      if (next.factors.size() > 1) {
        const Part first = next.factors[0];
        const std::string rest = text({first.end, next.part.end});
        d_.list.replace({one.part.begin, next.part.end},
                        "(" + text(one.part) + sign + text(first) + ") " + rest,
                        {Cause::grouping, kLikely});
      }
    }
  }

  // `column * rows + row` for `row * columns + column`
  void transpose(const Sum& sum) {
    if (sum.terms.size() != 2 || sum.signs[1] != "+" || !d_.is_integer(sum.part)) return;
    const bool is_first = sum.terms[0].factors.size() == 2;
    const Product &scaled = sum.terms[is_first ? 0 : 1], &other = sum.terms[is_first ? 1 : 0];
    if (scaled.factors.size() != 2 || scaled.signs[1] != "*" || other.factors.size() != 1) return;
    for (const Part place : scaled.factors) {
      const auto put = [&](const std::string& size) {
        d_.list.replace(sum.part, "(" + text(other.part) + " * " + size + " + " + text(place) + ")",
                        {Cause::layout, kSeldom});
      };
      for (const std::string_view v : d_.variables.others_like("", number_of(false))) {
        if (!d_.counters.contains(v)) put(std::string(v));
      }
      for (const std::string& v : d_.variables.members_like(number_of(false))) put(v);
    }
  }

  // `a * b / c` for `a * (b / c)`
  void dissolve_groups(const Product& product) {
    for (const Part factor : product.factors) {
      if (!s_.is(factor.begin, "(") || s_.match(factor.begin) != factor.end - 1) continue;
      const std::string before = text({product.part.begin, factor.begin});
      const std::string after = text({factor.end, product.part.end});
      d_.list.replace(
          product.part,
          "(" + before + " " + text({factor.begin + 1, factor.end - 1}) + " " + after + ")",
          {Cause::grouping, kSeldom});
    }
  }

  void put_in_a_factor(Part factor) {
    if (factor.size() > kLongestFactor) return;
    const auto kind = s_.is_identifier(factor.begin) ? d_.kind_at(factor.begin) : std::nullopt;
    const bool is_float = kind && *kind == number_of(true) && factor.size() == 1;
    if (!is_float && !d_.is_integer(factor)) return;
    if (s_.is(factor.begin, "-")) return;
    const std::string own = text(factor);
    const auto put = [&](const std::string& by) {
      d_.list.replace(factor, "(" + own + " * " + by + ")",
                      {Cause::missing_factor, scales_places(by) ? kSeldom : kLast});
    };
    if (is_float) {
      for (const std::string_view v : d_.variables.others_like(own, number_of(true))) {
        put(std::string(v));
      }
      return;
    }
    for (const std::string_view v : d_.variables.others_like("", number_of(false))) {
      put(std::string(v));
    }
    for (const std::string& v : d_.variables.members_like(number_of(false))) put(v);
  }

  void put_in_a_term(const Sum& sum) {
    if (!d_.is_integer(sum.part)) return;
    const std::string own = text(sum.part);
    for (const std::string_view counter : d_.counters) {
      if (!d_.variables.kind_of(counter) || own.find(counter) != own.npos) continue;
      if (counter == d_.counter || d_.is_step) continue;  // its loop would not end
      d_.list.replace(sum.part, "(" + own + " + " + std::string(counter) + ")",
                      {Cause::missing_term, kSeldom});
    }
    if (sum.terms.size() < 2) return;
    d_.list.replace(sum.part, "(" + own + " + 1)", {Cause::off_by_one, kSeldom});
    d_.list.replace(sum.part, "(" + own + " - 1)", {Cause::off_by_one, kSeldom});
    for (const std::string_view v : d_.variables.others_like("", number_of(false))) {
      for (const char* sign : {" + ", " - "}) {
        d_.list.replace(sum.part, "(" + own + sign + std::string(v) + ")",
                        {Cause::missing_term, kLast});
      }
    }
  }

  // `(n * c + channel) * h` for `n * c * h`
  void put_in_an_index(const Product& product) {
    for (size_t k = 1; k < product.factors.size(); ++k) {
      if (product.signs[k] != "*") return;
      const std::string before = text({product.part.begin, product.factors[k].begin - 1});
      const std::string rest = text({product.factors[k].begin, product.part.end});
      for (const std::string_view counter : d_.counters) {
        if (!d_.variables.kind_of(counter) || before.find(counter) != before.npos) continue;
        if (counter == d_.counter || d_.is_step) continue;
        d_.list.replace(product.part,
                        "((" + before + " + " + std::string(counter) + ") * " + rest + ")",
                        {Cause::missing_term, kSeldom});
      }
    }
  }

  Draft& d_;
  const Code& code_;
  const Stream& s_;
};

}  // namespace

void change_sums(Draft& draft, Part part) {
  Reader(draft).read(part);
}

}  // namespace convkit::repair

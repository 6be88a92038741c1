// SPDX-License-Identifier: MIT
#include "compare/patterns.h"

#include <algorithm>
#include <cmath>

#include "catch.h"
#include "convkit/sentinel.h"
#include "scene.h"

using namespace convkit;

namespace {

Pattern relation(const Scene& scene) {
  const Evidence evidence = scene.evidence();
  return value_relation(Field(evidence)).value_or(Pattern{});
}

// The relation found when every output is `change` of the expected one.
template <class Change>
Pattern relation_of(Change change) {
  Scene scene({2, 3, 5, 7});
  scene.params = {{"kh", 3}, {"kw", 3}, {"c", 5}, {"h", 7}, {"w", 9}};
  for (float& value : scene.got) value = change(value);
  return relation(scene);
}

}  // namespace

TEST_CASE("zeros everywhere are named") {
  const Pattern found = relation_of([](float) { return 0.0f; });
  CHECK(found.id == "all_zero");
  CHECK(found.sentence == "Every output is 0.");
}

TEST_CASE("zeros where something else belongs are named") {
  Scene scene({2, 3, 5, 7});
  for (size_t i = 10; i < 30; ++i) scene.got[i] = 0;
  CHECK(relation(scene).sentence == "Every wrong output is 0.");
}

TEST_CASE("zeros where negative numbers belong are named") {
  const Pattern found = relation_of([](float y) { return std::max(y, 0.0f); });
  CHECK(found.id == "clipped_at_zero");
  CHECK(found.sentence == "Every output that should be negative is 0.");
}

TEST_CASE("what was computed from a workspace that nobody has set is named") {
  Scene scene({2, 3, 5, 7});
  for (size_t i = 10; i < 30; ++i) scene.set_bits(i, kQuietedScratchBits);
  CHECK(relation(scene).id == "workspace_not_set");
  scene.set_bits(30, 0x7fc00000u);
  CHECK(relation(scene).id == "nan_output");
}

TEST_CASE("one value everywhere is named") {
  CHECK(relation_of([](float) { return 2.5f; }).sentence ==
        "Every output has the same value, 2.5.");
}

TEST_CASE("a constant factor is named, and what it may come from") {
  CHECK(relation_of([](float y) { return 2 * y; }).id == "accumulated_twice");
  CHECK(relation_of([](float y) { return 2 * y; }).sentence ==
        "Every output is 2 times the expected value: it is accumulated twice.");
  CHECK(relation_of([](float y) { return 9 * y; }).sentence ==
        "Every output is 9 times the expected value; 9 is kh * kw.");
  CHECK(relation_of([](float y) { return 63 * y; }).sentence ==
        "Every output is 63 times the expected value; 63 is h * w.");
  CHECK(relation_of([](float y) { return 4 * y; }).sentence ==
        "Every output is 4 times the expected value.");
  CHECK(relation_of([](float y) { return y / 5; }).sentence ==
        "Every output is the expected value divided by 5; 5 is c.");
  CHECK(relation_of([](float y) { return 0.731f * y; }).sentence ==
        "Every output is 0.731 times the expected value.");
  CHECK(relation_of([](float y) { return -y; }).id == "wrong_sign");
}

TEST_CASE("a factor that tells what was taken for what is named of few outputs, too") {
  Scene few({5});
  for (float& value : few.got) value *= 0.30103f * 1.4426950f;  // log10
  CHECK(relation(few).sentence ==
        "Every output is 0.43429 times the expected value, and that is 1 / ln 10. Probably log10 "
        "stands where log, the natural logarithm, belongs.");
  few.got[3] *= 1.001f;
  CHECK(relation(few).id.empty());
  Scene other({5});
  for (float& value : other.got) value *= 1.4437f;
  CHECK(relation(other).id.empty());
  CHECK(relation_of([](float y) { return y * 1.41421356f; }).sentence.find("the root of 2") !=
        std::string::npos);
}

TEST_CASE("rows that share a divisor are told, and one that is wrong for each row") {
  constexpr int64_t kRows = 7, kLength = 6;
  Scene scene({kRows, kLength});
  std::vector<double> sums(kRows, 0);
  for (size_t i = 0; i < scene.got.size(); ++i) {
    scene.reference[i] = std::exp(std::fabs(double(scene.got[i])) * double(1 + i / 12));
    sums[i / kLength] += scene.reference[i];
  }
  const auto divided_by = [&](auto sum_of) {
    for (size_t i = 0; i < scene.got.size(); ++i) {
      scene.got[i] = float(scene.reference[i] * sums[i / kLength] / sum_of(i / kLength));
    }
  };
  for (size_t i = 0; i < scene.got.size(); ++i) scene.reference[i] /= sums[i / kLength];
  scene.magnitude = scene.reference;
  divided_by([&](size_t row) {
    double sum = 0;
    for (size_t k = row / 4 * 4; k < std::min<size_t>(row / 4 * 4 + 4, kRows); ++k) sum += sums[k];
    return sum;
  });
  CHECK(relation(scene).sentence ==
        "Each row must add up to 1. Here 4 neighbouring rows together do (rows 0 to 3, and so on): "
        "each row is divided by the sum over 4 rows.");
  divided_by([&](size_t row) { return sums[row] * (row == 6 ? 1 : 0.5 + double(row)); });
  CHECK(relation(scene).id == "factor_of_rows");
  CHECK(relation(scene).sentence.find("2 in row 0, 0.6667 in row 1, 0.4 in row 2, ...") !=
        std::string::npos);
  scene.got[8] *= 1.01f;
  CHECK(relation(scene).id.empty());
}

TEST_CASE("a sum that goes on from one output to the next is named") {
  Scene scene({2, 3, 5, 7});
  for (size_t i = 0; i < scene.got.size(); ++i) {
    if (i % 7 != 0) scene.got[i] += scene.got[i - 1];  // a row begins anew
  }
  CHECK(relation(scene).id == "sum_carried_over");
  CHECK(!relation(scene).needs_support);
  Scene small({1, 2});
  small.got[1] += small.got[0];
  CHECK(relation(small).id == "sum_carried_over");
  CHECK(relation(small).needs_support);
  scene.got[40] += 1;
  CHECK(relation(scene).id != "sum_carried_over");
}

TEST_CASE("outputs that copy the one before them are no sums") {
  Scene scene({2, 3, 5, 7});
  for (size_t i = 50; i < 60; ++i) {
    scene.reference[i] = 0;
    scene.got[i] = scene.got[i - 1];
  }
  CHECK(relation(scene).id != "sum_carried_over");
}

TEST_CASE("a factor that does not hold everywhere is not named") {
  Scene scene({2, 3, 5, 7});
  for (float& value : scene.got) value *= 2;
  scene.got[17] = float(scene.reference[17]);
  CHECK(relation(scene).id.empty());
}

TEST_CASE("a bias that is missing or added again is named") {
  Scene scene({2, 3, 5, 7});
  scene.bias = {1, -2, 3};
  scene.params = {{"kh", 3}, {"kw", 3}};
  const auto add = [&](float times) {
    for (size_t i = 0; i < scene.got.size(); ++i) {
      scene.got[i] = float(scene.reference[i]) + times * scene.bias[i / 35 % 3];
    }
    return relation(scene);
  };
  CHECK(add(-1).id == "missing_bias");
  CHECK(add(-1).sentence == "The bias is missing: every output is too small by b.");
  CHECK(add(1).sentence == "The bias is added 2 times.");
  CHECK(add(8).sentence == "The bias is added 9 times; 9 is kh * kw.");
  CHECK(add(-2).sentence == "The bias is subtracted instead of added.");
  scene.bias = {1, 1, 1};
  CHECK(relation(scene).sentence ==
        "Every output of a channel is off by the same amount (channel 0 by -2, channel 1 by 4).");
}

TEST_CASE("a bias that is multiplied by a parameter of the case, or by another number, is named") {
  Scene scene({2, 3, 5, 7});
  scene.params = {{"c", 3}, {"alpha", -1.3}, {"beta", 2}};
  scene.bias = {0.5f, -1.25f, 2};
  const auto scaled_by = [&](float factor) {
    for (size_t i = 0; i < scene.got.size(); ++i) {
      scene.got[i] = float(scene.reference[i]) + (factor - 1) * scene.bias[i / 35 % 3];
    }
    return relation(scene).sentence;
  };
  CHECK(scaled_by(-1.3f) ==
        "The bias is multiplied by alpha (-1.3), too; it belongs there as it is.");
  CHECK(scaled_by(2) == "The bias is multiplied by beta (2), too; it belongs there as it is.");
  CHECK(scaled_by(0.4f) == "The bias is multiplied by 0.4; it belongs there as it is.");
  CHECK(scaled_by(4) == "The bias is added 4 times.");
  scene.bias = {1, 1, 1};  // any offset is a multiple of it; the reference has another one
  for (size_t i = 0; i < scene.got.size(); ++i) {
    scene.got[i] = float(scene.reference[i]) + 0.3f * float(i / 35 % 3);
  }
  CHECK(relation(scene).id == "constant_offset");
}

TEST_CASE("outputs that are cut off at a number are named, with what it is the logarithm of") {
  Scene scene({8, 1, 1, 2});
  scene.magnitude.assign(16, 400);
  const auto cut = [&](double limit) {
    for (size_t i = 0; i < 16; ++i) {
      scene.reference[i] = 3 + 7 * double(i);
      scene.got[i] = float(std::min(scene.reference[i], limit));
    }
    return relation(scene);
  };
  CHECK(cut(-std::log(1e-7)).sentence ==
        "No output is larger than 16.1181, and those that should be are 16.1181: something is cut "
        "off there (-log(1e-7)).");
  CHECK(cut(-std::log(0x1p-126)).sentence ==
        "No output is larger than 87.3365, and those that should be are 87.3365: something is cut "
        "off there (-log(FLT_MIN)).");
  CHECK(cut(50).sentence ==
        "No output is larger than 50, and those that should be are 50: something is cut off "
        "there.");
  // A right output beyond it speaks against a limit.
  cut(50);
  scene.got[15] = float(scene.reference[15]);
  CHECK(relation(scene).id != "cut_off");
}

TEST_CASE("the bias of another channel is named where all offsets are differences of biases") {
  const auto told = [](auto other) {
    Scene scene({2, 7, 3, 2});
    scene.bias = {0.5f, -1.25f, 2, 0.75f, -0.3f, 1.4f, -2.6f};
    for (int64_t i = 0; i < int64_t(scene.got.size()); ++i) {
      const int64_t m = i / 6 % 7;
      scene.got[size_t(i)] += scene.bias[size_t(other(m))] - scene.bias[size_t(m)];
    }
    return relation(scene);
  };
  const Pattern part = told([](int64_t m) { return m % 4; });
  CHECK(part.id == "bias_of_another");
  CHECK(part.sentence ==
        "From channel 4 on, the channels have got the biases of channels 0, 1, ...: the bias is "
        "numbered within a part of 4 channels, not among all.");
  CHECK(told([](int64_t) { return 2; }).sentence == "Every channel has got the bias of channel 2.");
  CHECK(told([](int64_t m) { return m / 3; }).sentence ==
        "Channel m has got the bias of channel m / 3.");
  CHECK(told([](int64_t m) { return 6 - m; }).sentence == "The biases are in the opposite order.");
  // Of the last one, which has none behind it, nothing is known.
  CHECK(told([](int64_t m) { return m < 6 ? m + 1 : 0; }).sentence ==
        "Each channel has got the bias of the channel after it.");
  CHECK(told([](int64_t m) { return m / 3 * 3; }).sentence ==
        "Channel m has got the bias of channel m / 3 * 3, the first one of its 3: each of them has "
        "a bias of its own.");
  CHECK(told([](int64_t m) { return m / 4 * 4 + m % 4 % 2; }).sentence ==
        "In every block of 4 channels, those behind the first 2 have got the biases of the first 2 "
        "again: the group's number (of 2 channels) is missing in the index.");
  CHECK(told([](int64_t m) { return m * m % 7; }).sentence ==
        "The biases of channels are mixed up: channel 2 has got the bias of channel 4, channel 3 "
        "that of channel 2, channel 4 that of channel 2, channel 5 that of channel 4, channel 6 "
        "that of channel 1.");
  // Of two biases that are alike nothing tells which one it is.
  const auto of_two = [](float last) {
    Scene scene({2, 5, 3, 2});
    scene.bias = {0.5f, -1.25f, 2, -3.5f, last};
    for (int64_t i = 0; i < int64_t(scene.got.size()); ++i) {
      const size_t m = size_t(i / 6 % 5), other = std::vector<size_t>{3, 0, 2, 2, 4}[m];
      scene.got[size_t(i)] += scene.bias[other] - scene.bias[m];
    }
    return relation(scene).id;
  };
  CHECK(of_two(1.75f) == "bias_of_another");
  CHECK(of_two(2) == "constant_offset");
}

TEST_CASE("an output with rows and columns exchanged is recognised") {
  for (const std::vector<int64_t>& dims : {std::vector<int64_t>{2, 3, 4, 4}, {2, 1, 3, 5}}) {
    Scene scene(dims);
    for (int64_t n = 0; n < dims[0]; ++n) {
      for (int64_t m = 0; m < dims[1]; ++m) {
        for (int64_t i = 0; i < dims[2]; ++i) {
          for (int64_t j = 0; j < dims[3]; ++j) {
            scene.got[scene.at(n, m, 0, 0) + size_t(j * dims[2] + i)] =
                float(scene.reference[scene.at(n, m, i, j)]);
          }
        }
      }
    }
    CHECK(relation(scene).id == "transposed_output");
  }
}

TEST_CASE("a shifted output is recognised and the shift is stated") {
  Scene scene({2, 3, 6, 6});
  for (int64_t n = 0; n < 2; ++n) {
    for (int64_t m = 0; m < 3; ++m) {
      for (int64_t i = 0; i < 6; ++i) {
        for (int64_t j = 0; j < 6; ++j) {
          const bool inside = i >= 2 && j < 5;
          scene.got[scene.at(n, m, i, j)] =
              inside ? float(scene.reference[scene.at(n, m, i - 2, j + 1)]) : 7.0f + float(i);
        }
      }
    }
  }
  CHECK(relation(scene).sentence ==
        "The output is shifted: y[n,m,i,j] holds what belongs at y[n,m,i-2,j+1].");
  CHECK(relation(scene).hint == "Where does the first window start?");
  scene.params = {{"pad_h", 0}, {"pad_w", 1}};
  CHECK(relation(scene).hint ==
        "Where does the first window start? With padding it starts at -pad.");
}

TEST_CASE("images that are written over each other are named") {
  Scene scene({3, 2, 4, 4});
  for (size_t i = 0; i < scene.got.size(); ++i) scene.unwrite(i);
  constexpr size_t kApart = 20, kWhole = 32;
  for (size_t image = 0; image < 3; ++image) {
    for (size_t i = 0; i < kWhole; ++i) {
      scene.got[image * kApart + i] = float(scene.reference[image * kWhole + i]);
    }
  }
  CHECK(scene.diagnosis().id == "images_too_close");
  scene.got[kApart + 3] += 1;
  CHECK(scene.diagnosis().id != "images_too_close");
}

TEST_CASE("copies of the first image or channel are recognised") {
  Scene scene({3, 2, 4, 4});
  for (size_t i = 0; i < scene.got.size(); ++i) scene.got[i] = float(scene.reference[i % 32]);
  CHECK(relation(scene).id == "only_first_image");
  CHECK(relation(scene).sentence == "Every image holds the result of image 0.");
  Scene channels({1, 3, 4, 4});
  for (size_t i = 0; i < channels.got.size(); ++i) {
    channels.got[i] = float(channels.reference[i % 16]);
  }
  CHECK(relation(channels).sentence == "Every channel holds the result of channel 0.");
}

TEST_CASE("the right values in another order are recognised") {
  Scene scene({1, 4, 3, 5});
  std::rotate(scene.got.begin(), scene.got.begin() + 7, scene.got.end());
  CHECK(relation(scene).id == "reordered_output");
}

TEST_CASE("lost precision is told from wrong values") {
  const Pattern half = relation_of([](float y) { return std::round(y * 1024) / 1024; });
  CHECK(half.id == "lost_precision");
  CHECK(half.sentence.ends_with("Every output has at most 11 significant bits, as float16 has."));
  const Pattern noise = relation_of([](float y) { return y + 1e-4f * std::sin(1000 * y); });
  CHECK(noise.sentence ==
        "Every error is small, at most 2.5e-05 of the summed magnitudes: precision is lost.");
  CHECK(relation_of([](float y) { return y + 0.2f * std::sin(1000 * y); }).id.empty());
}

TEST_CASE("small errors that follow an input are no lost precision") {
  Scene scene({2, 3, 5, 7});
  for (size_t i = 0; i < scene.got.size(); ++i) {
    scene.bias.push_back(std::sin(float(i)));
    scene.got[i] += 1e-4f * scene.bias[i] + 1e-5f * std::sin(1000 * float(i));
  }
  const Pattern found = relation(scene);
  CHECK(found.id == "errors_follow_input");
  CHECK_THAT(found.sentence, Catch::EndsWith("times the element of b at its place."));
}

TEST_CASE("values next to unwritten ones are not interpreted") {
  Scene scene({2, 3, 5, 7});
  for (float& value : scene.got) value *= 2;
  scene.unwrite(3);
  CHECK(relation(scene).id.empty());
}

TEST_CASE("an output of the bias alone is a fact, and no edit of the formula is told for it") {
  Scene scene({2, 3, 4, 5});
  scene.bias = {1.25f, -0.5f, 0.75f};
  for (size_t i = 0; i < scene.got.size(); ++i) scene.got[i] = scene.bias[i / 20 % 3];
  const Diagnosis diagnosis = scene.diagnosis();
  CHECK(diagnosis.id.empty());
  CHECK(diagnosis.message.ends_with("\nEvery output holds the bias of its channel alone."));
  scene.got[7] = 2;
  CHECK_FALSE(scene.diagnosis().message.ends_with("alone."));
}

TEST_CASE("NaN where an exponential overflows is told from other NaN") {
  Scene scene({64});
  scene.bias.assign(64, 1.0f);  // the only input
  for (size_t i = 40; i < 64; ++i) {
    scene.bias[i] = i % 2 == 0 ? 90.0f + float(i) : -90.0f - float(i);
    if (i % 2 == 0) scene.set_bits(i, 0x7fc00000u);
  }
  const Pattern found = relation(scene);
  CHECK(found.sentence == "Each NaN is where b is 130 or more from 0.");
  CHECK(found.hint.find("infinite from x = 89") != std::string::npos);
  scene.set_bits(3, 0x7fc00000u);  // where it is 1
  CHECK(relation(scene).id == "nan_output");
}

TEST_CASE("zeros where fractions belong may have been whole numbers on their way") {
  Scene scene({2, 3, 5, 7});
  for (size_t i = 0; i < scene.got.size(); ++i) scene.got[i] = 0, scene.reference[i] /= 4;
  CHECK(relation(scene).hint.find("does an integer hold one") != std::string::npos);
}

TEST_CASE("whole numbers where fractions belong went through an integer") {
  Scene scene({2, 3, 5, 7});
  for (size_t i = 0; i < scene.got.size(); ++i) {
    scene.reference[i] = 0.37 + double(i % 9);
    scene.got[i] = float(i % 9);
  }
  CHECK(relation(scene).id == "whole_numbers");
  scene.got[5] += 0.25f;
  CHECK(relation(scene).id != "whole_numbers");
}

TEST_CASE("old values that stay where new ones belong are told") {
  Scene scene({2, 3, 5, 7});
  std::vector<float> old(scene.got.size());
  for (size_t i = 0; i < old.size(); ++i) old[i] = 5 + float(i);
  const auto told = [&] {
    Evidence evidence = scene.evidence();
    evidence.inputs.push_back({"y0", scene.dims, old, {}, {}});
    return value_relation(Field(evidence)).value_or(Pattern{}).sentence;
  };
  for (size_t i = 10; i < 30; ++i) scene.got[i] = old[i];
  CHECK(told() ==
        "Every wrong element of y is what it was before the call: no new value is stored there.");
  scene.got[40] = 3;
  CHECK(told().find("before the call") == std::string::npos);
}

TEST_CASE("an old value that counts more than once is told, with how often it does") {
  Scene scene({2, 3, 5, 7});
  std::vector<float> old(scene.got.size());
  for (size_t i = 0; i < old.size(); ++i) old[i] = 0.3f + float(i % 11);
  const auto told = [&](const char* name, double value, float more) {
    scene.params = {{name, value}};
    Scene changed = scene;
    for (size_t i = 0; i < old.size(); ++i) changed.got[i] += more * old[i];
    Evidence evidence = changed.evidence();
    evidence.inputs.push_back({"y0", scene.dims, old, {}, {}});
    return value_relation(Field(evidence)).value_or(Pattern{}).sentence;
  };
  CHECK(told("accumulate", 1, 4) ==
        "What y held before the call is added 5 times, and must be added once.");
  CHECK(told("accumulate", 1, 63).find("has 64 threads") != std::string::npos);
  CHECK(told("beta", 0, 1) ==
        "What y held before the call is added once, and must be overwritten.");
  CHECK(told("beta", 0.25, 3).find("before the call") == std::string::npos);
  CHECK(told("accumulate", 1, 2.5f).find("before the call") == std::string::npos);
  scene.got[40] += 3;
  CHECK(told("accumulate", 1, 4).find("before the call") == std::string::npos);
}

TEST_CASE("an output that is not to be added to may be multiplied by the 0 that says so") {
  Scene scene({2, 3, 5, 7});
  const auto hint = [&](float accumulate) {
    scene.params = {{"accumulate", accumulate}};
    return relation(scene).hint;
  };
  scene.set_bits(10, kQuietedSentinelBits);
  CHECK(hint(0).find("multiplied by accumulate? That is 0 here") != std::string::npos);
  CHECK(hint(1).find("multiplied by accumulate") == std::string::npos);
}

TEST_CASE("numbers in fixed point are told by their step, and told from numbers that may have it") {
  const auto rounded = [](double step) {
    return [step](float y) { return float(std::rint(double(y) / step) * step); };
  };
  const Pattern binary = relation_of(rounded(1.0 / 16384));
  CHECK(binary.id == "fixed_steps");
  CHECK(binary.sentence.starts_with("Every output is a multiple of 1/16384, and hardly any"));
  CHECK(!binary.needs_support);
  CHECK(relation_of(rounded(0.0001)).sentence.starts_with("Every output is a multiple of 0.0001"));
  // Large errors are no rounding, and a lower precision has steps of many sizes.
  CHECK(relation_of([&](float y) { return 64 + rounded(1.0 / 16384)(y); }).id != "fixed_steps");
  Scene scene({2, 3, 5, 7});
  for (size_t i = 0; i < scene.got.size(); ++i) {
    scene.got[i] = rounded(1.0 / 16384)(scene.got[i]);
    scene.reference[i] = double(scene.got[i]) + 1.0 / 16384;  // multiples are expected
  }
  CHECK(relation(scene).id != "fixed_steps");
}

TEST_CASE("a bias that is added again in an output of one element supports the other cases") {
  Scene scene({1, 1, 1, 1});
  scene.bias = {0.375f};
  scene.got[0] += 3 * scene.bias[0];
  const Pattern found = relation(scene);
  CHECK(found.id == "bias_repeated");
  CHECK(found.sentence == "The bias is added 4 times.");
  CHECK(found.needs_support);
  scene.got[0] += 0.1f;
  CHECK(relation(scene).id != "bias_repeated");
}

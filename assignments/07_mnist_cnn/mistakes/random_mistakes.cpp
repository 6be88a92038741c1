// SPDX-License-Identifier: MIT
// Known mistakes with random numbers, the order of an epoch and first weights, and with the loss.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "compare/diagnose.h"
#include "convkit/counter_random.h"
#include "network_values.h"

namespace convkit::stage_07 {
namespace {

using Prediction = std::optional<std::vector<double>>;

// --- the order of an epoch ---------------------------------------------------------------------

// Fisher and Yates, right as it stands.
struct Shuffle {
  explicit Shuffle(const Evidence& evidence)
      : seed(uint64_t(whole(evidence, "seed"))),
        stream(1000 + uint64_t(whole(evidence, "epoch"))),
        count(whole(evidence, "count")) {}

  uint64_t seed, stream;
  int64_t count;
  enum class Among { to_i, below_i, all, from_i } among = Among::to_i;
  bool upwards = false;
  int64_t ends_at = 1;    // the last i that exchanges
  int64_t number_of = 0;  // added to i where the random number is drawn
  bool of_first = false;  // what is shuffled: the order of epoch 0, from the call before

  Prediction order() const {
    std::vector<double> order(static_cast<size_t>(count));
    std::iota(order.begin(), order.end(), 0.0);
    if (of_first) {
      Shuffle first = *this;
      first.stream = 1000, first.of_first = false;
      order = *first.order();
    }
    for (int64_t step = ends_at; step < count; ++step) {
      const int64_t i = upwards ? step : count - 1 - (step - ends_at);
      const uint64_t range = uint64_t(among == Among::to_i      ? i + 1
                                      : among == Among::below_i ? i
                                      : among == Among::from_i  ? count - i
                                                                : count);
      if (range == 0) continue;
      const uint64_t first = among == Among::from_i ? uint64_t(i) : 0;
      const uint64_t j = first + random_bits(seed, stream, uint64_t(i + number_of)) % range;
      std::swap(order[size_t(i)], order[size_t(j)]);
    }
    return order;
  }
};

// A fair shuffle of another kind: every image draws a number, and they are sorted by it.
Prediction sorted_by_numbers(const Evidence& evidence, bool upwards, bool as_places) {
  const Shuffle s(evidence);
  std::vector<uint64_t> drawn;
  for (int64_t i = 0; i < s.count; ++i) drawn.push_back(random_bits(s.seed, s.stream, uint64_t(i)));
  std::vector<size_t> order(drawn.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    return upwards ? drawn[a] < drawn[b] : drawn[a] > drawn[b];
  });
  std::vector<double> images(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    images[as_places ? order[i] : i] = double(as_places ? i : order[i]);
  }
  return images;
}

template <bool upwards, bool as_places>
Prediction sorted_by(const Evidence& evidence) {
  return sorted_by_numbers(evidence, upwards, as_places);
}

template <class Change>
Prediction shuffled(const Evidence& evidence, Change change) {
  Shuffle shuffle(evidence);
  change(shuffle);
  return shuffle.order();
}

#define CONVKIT_SHUFFLES(change) \
  [](const Evidence& evidence) { return shuffled(evidence, [](Shuffle& s) { change; }); }

// --- first weights -----------------------------------------------------------------------------

struct Start {
  explicit Start(const Evidence& evidence)
      : size(whole(evidence, "size")),
        fan_in(number(evidence, "fan_in")),
        fan_out(number(evidence, "fan_out")),
        seed(uint64_t(whole(evidence, "seed"))),
        stream(uint64_t(whole(evidence, "stream"))),
        xavier(whole(evidence, "xavier") == 1) {
    fans = xavier ? fan_in + fan_out : fan_in;
  }

  int64_t size;
  double fan_in, fan_out, fans;
  uint64_t seed, stream;
  bool xavier;
  double variance = 6;              // times fans
  double lowest = -1, highest = 1;  // times limit
  uint64_t first = 0;               // number
  // In a network:
  double kernel = 1;            // kh kw
  uint64_t weights_before = 0;  // tensors of weights in layers before
  bool is_root = true;

  Prediction weights() const {
    const double square = variance / fans;
    const double limit = is_root ? std::sqrt(square) : square;
    std::vector<double> w;
    for (int64_t i = 0; i < size; ++i) {
      const double r = double(uniform_float(seed, stream, first + uint64_t(i)));
      w.push_back(limit * (lowest + (highest - lowest) * r));
    }
    return w;
  }
};

// Of the weights of a layer in a new network, which have LeCun's limit: [out][in], or
// [m][c][kh][kw].
std::optional<Start> start_of_layer(const Evidence& evidence) {
  const auto network = architecture_of(evidence);
  const std::vector<int64_t>& dims = evidence.got.dims;
  if (!network || dims.size() < 2) return std::nullopt;
  Start start(evidence);
  start.size = start.stream = 0;
  start.fan_in = start.fan_out = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) start.fan_in *= double(dims[i]);
    if (i != 1) start.fan_out *= double(dims[i]);
  }
  for (const auto& [name, size] : parameters_of(*network)) {
    if ("new_" + name == evidence.got.name) start.size = size;
    if (start.size > 0) break;
    ++start.stream;
    start.weights_before += name.ends_with("_weight");
  }
  if (start.size == 0) return std::nullopt;
  start.variance = 3, start.fans = start.fan_in, start.kernel = 1;
  for (size_t i = 2; i < dims.size(); ++i) start.kernel *= double(dims[i]);
  return start;
}

template <class Change>
Prediction started_layer(const Evidence& evidence, Change change) {
  std::optional<Start> start = start_of_layer(evidence);
  if (!start) return std::nullopt;
  change(*start);
  return start->weights();
}

#define CONVKIT_LAYER_STARTS(change) \
  [](const Evidence& evidence) { return started_layer(evidence, [](Start& s) { change; }); }

template <class Change>
Prediction started(const Evidence& evidence, Change change) {
  Start start(evidence);
  change(start);
  return start.weights();
}

#define CONVKIT_STARTS(change) \
  [](const Evidence& evidence) { return started(evidence, [](Start& s) { change; }); }

// --- the loss ----------------------------------------------------------------------------------

// -ln of a probability in float: one that underflows is 0, and those near that have few digits.
Prediction loss_of_probability(const Evidence& evidence) {
  if (evidence.got.name != "losses") return std::nullopt;
  const int64_t n = whole(evidence, "n"), k = whole(evidence, "k");
  const std::vector<double> logits = input(evidence, "logits"), labels = input(evidence, "labels");
  if (int64_t(logits.size()) != n * k || int64_t(labels.size()) != n) return std::nullopt;
  std::vector<double> losses;
  for (int64_t i = 0; i < n; ++i) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t j = 0; j < k; ++j) largest = std::max(largest, logits[size_t(i * k + j)]);
    for (int64_t j = 0; j < k; ++j) sum += std::exp(logits[size_t(i * k + j)] - largest);
    const double below = logits[size_t(i * k) + size_t(labels[size_t(i)])] - largest;
    const double loss = std::log(sum) - below;
    constexpr double kLastDigits = 87, kZero = 104;  // -ln of 2^-126 and of 2^-150
    losses.push_back(loss > kZero         ? std::numeric_limits<double>::infinity()
                     : loss > kLastDigits ? predicted_anything()
                                          : loss);
  }
  return losses;
}

// --- the variance ------------------------------------------------------------------------------

// E[x^2] - E[x]^2: its rounding error, which depends on the order of the sums, is a few roundings
// of the squares. So any value is taken for it that lies so near, where the squares are far larger
// than the variance.
Prediction variance_of_squares(const Evidence& evidence) {
  if (evidence.got.name != "inverse") return std::nullopt;
  const int64_t n = whole(evidence, "n"), c = whole(evidence, "c"), area = whole(evidence, "area");
  const std::vector<double> x = input(evidence, "x");
  if (int64_t(x.size()) != n * c * area || int64_t(evidence.got.f32.size()) != c) {
    return std::nullopt;
  }
  std::vector<double> predicted(evidence.reference.f64.begin(), evidence.reference.f64.end());
  for (int64_t k = 0; k < c; ++k) {
    double squares = 0;
    for (int64_t i = 0; i < n * area; ++i) {
      const double value = x[size_t((i / area * c + k) * area + i % area)];
      squares += value * value / double(n * area);
    }
    const auto variance = [](double inverse) { return 1 / (inverse * inverse); };
    const double right = variance(predicted[size_t(k)]);
    const double got = variance(double(evidence.got.f32[size_t(k)]));
    constexpr double kFarLarger = 1000, kRoundings = 16 * 0x1p-24;
    const double error = kRoundings * std::sqrt(double(n * area)) * squares;
    if (squares < kFarLarger * right || !(std::fabs(got - right) <= error)) continue;
    predicted[size_t(k)] = double(evidence.got.f32[size_t(k)]);
  }
  return predicted;
}

// The variance within parts of a channel alone, where threads (or images) have taken the variance
// of their elements and what lies between the means of the parts is left out. The kind of part that
// comes nearest to what was got; nothing where a part is the whole channel.
Prediction variance_within_parts(const Evidence& evidence) {
  const int64_t n = whole(evidence, "n"), c = whole(evidence, "c"), area = whole(evidence, "area");
  const std::vector<double> x = input(evidence, "x"), scale = input(evidence, "scale");
  const std::vector<double> shift = input(evidence, "shift");
  const std::string& name = evidence.got.name;
  const int64_t count = n * area;
  const auto got = evidence.got.f32;
  const bool of_y = name == "y", of_inverse = name == "inverse";
  if (count < 2 || int64_t(x.size()) != count * c || (!of_y && !of_inverse) ||
      int64_t(scale.size()) != c || int64_t(shift.size()) != c ||
      int64_t(got.size()) != (of_y ? count * c : c)) {
    return std::nullopt;
  }
  const auto place = [&](int64_t k, int64_t i) {
    return size_t((i / area * c + k) * area + i % area);
  };
  Prediction nearest;
  double least = std::numeric_limits<double>::infinity();
  constexpr int64_t kOfImages = 0;
  int64_t before = -1;
  for (const int64_t threads : {kOfImages, int64_t{32}, int64_t{64}, int64_t{128}, int64_t{256},
                                int64_t{512}, int64_t{1024}}) {
    const int64_t parts = threads == kOfImages ? n : std::min(threads, count);
    if (parts < 2 || (threads != kOfImages && parts == before)) continue;
    before = threads == kOfImages ? -1 : parts;
    std::vector<double> predicted(got.size());
    double apart = 0;
    for (int64_t k = 0; k < c; ++k) {
      std::vector<double> sums(size_t(parts), 0), counts(size_t(parts), 0);
      const auto part_of = [&](int64_t i) {
        return size_t(threads == kOfImages ? i / area : i % parts);
      };
      double mean = 0, squares = 0;
      for (int64_t i = 0; i < count; ++i) {
        sums[part_of(i)] += x[place(k, i)], ++counts[part_of(i)];
        mean += x[place(k, i)] / double(count);
      }
      for (int64_t i = 0; i < count; ++i) {
        const double off = x[place(k, i)] - sums[part_of(i)] / counts[part_of(i)];
        squares += off * off;
      }
      const double inverse = 1 / std::sqrt(squares / double(count) + number(evidence, "epsilon"));
      if (of_inverse) predicted[size_t(k)] = inverse;
      for (int64_t i = 0; of_y && i < count; ++i) {
        predicted[place(k, i)] =
            (x[place(k, i)] - mean) * inverse * scale[size_t(k)] + shift[size_t(k)];
      }
    }
    for (size_t i = 0; i < got.size(); ++i) apart += std::fabs(predicted[i] - double(got[i]));
    if (apart < least) least = apart, nearest = std::move(predicted);
  }
  return nearest;
}

// --- the gradient of a normalisation -------------------------------------------------------------

// dx where mean and variance are taken for constants.
Prediction constant_statistics(const Evidence& evidence) {
  if (evidence.got.name != "dx") return std::nullopt;
  const int64_t c = whole(evidence, "c"), area = whole(evidence, "area");
  const std::vector<double> dy = input(evidence, "dy"), scale = input(evidence, "scale");
  const std::vector<double> inverse = input(evidence, "inverse");
  std::vector<double> dx;
  for (size_t i = 0; i < dy.size(); ++i) {
    const auto k = size_t(int64_t(i) / area % c);
    dx.push_back(scale[k] * inverse[k] * dy[i]);
  }
  return dx;
}

// --- what students read ------------------------------------------------------------------------

constexpr const char* kOrder = "epoch_order";
constexpr const char* kOrderHint =
    "order is 0, 1, 2, ...; for i = count - 1 down to 1, order[i] and order[j] change places, with "
    "j = random_bits(seed, 1000 + epoch, i) % (i + 1).";
constexpr const char* kStart = "initialise";
constexpr const char* kStartHint =
    "w[i] = limit * (2 * r - 1) with r = uniform_float(seed, stream_of_numbers, i); limit is "
    "sqrt(6 / fan_in), with xavier sqrt(6 / (fan_in + fan_out)).";

constexpr const char* kNewNetwork = "network_start";
constexpr const char* kNewNetworkHint =
    "initialise(w, size, fan_in, fan_in, 1, seed, index, stream): Xavier's with fan_in for both, "
    "where fan_in is the number of inputs of one output and index that of the parameter, as "
    "mnist_parameters lists them.";

const MistakeModel kRandomMistakes[] = {
    {"order_without_epoch", kOrder,
     "The epoch is not part of the random stream: every epoch has the order of epoch 0.",
     kOrderHint, CONVKIT_SHUFFLES(s.stream = 1000)},
    {"order_of_other_epoch", kOrder, "The order is that of the next epoch: epochs count from 0.",
     kOrderHint, CONVKIT_SHUFFLES(++s.stream)},
    {"order_not_set_anew", kOrder,
     "order is not set to 0, 1, 2, ... before the shuffle in epochs after the first: what it held, "
     "here the order of epoch 0, is shuffled once more.",
     kOrderHint, CONVKIT_SHUFFLES(s.of_first = s.stream != 1000)},
    {"order_stream", kOrder, "The random stream is the epoch; it is 1000 + epoch.", kOrderHint,
     CONVKIT_SHUFFLES(s.stream -= 1000)},
    {"order_never_in_place", kOrder,
     "j is drawn below i, so that no element can stay in its place: `% i` instead of `% (i + 1)`.",
     kOrderHint, CONVKIT_SHUFFLES(s.among = Shuffle::Among::below_i)},
    {"order_among_all", kOrder,
     "j is drawn among all elements, `% count`, instead of among the first ones, `% (i + 1)`: some "
     "orders are then likelier than others.",
     kOrderHint, CONVKIT_SHUFFLES(s.among = Shuffle::Among::all)},
    // (The inverse of the right order is the same one.)
    {"order_upwards", kOrder,
     "The loop runs the other way: i goes upwards, from 1 to count - 1, and must go down from "
     "count - 1 to 1. The same order comes out where the place of each image is given instead of "
     "the image at each place.",
     kOrderHint, CONVKIT_SHUFFLES(s.upwards = true)},
    {"order_upwards", kOrder,
     "The loop runs the other way, upwards, and j is drawn below i: `% i` instead of `% (i + 1)`.",
     kOrderHint, CONVKIT_SHUFFLES(s.upwards = true; s.among = Shuffle::Among::below_i)},
    {"order_upwards", kOrder,
     "The loop runs the other way, upwards, and j is drawn among i and what lies behind it; i must "
     "go down, with j among the first i + 1 elements.",
     kOrderHint,
     CONVKIT_SHUFFLES(s.upwards = true; s.ends_at = 0; s.among = Shuffle::Among::from_i)},
    {"order_upwards", kOrder,
     "The loop runs upwards, and j is drawn among all elements, `% count`, instead of among the "
     "first i + 1.",
     kOrderHint, CONVKIT_SHUFFLES(s.upwards = true; s.among = Shuffle::Among::all)},
    {"order_upwards", kOrder,
     "The loop runs upwards from 0, and j is drawn among all elements, `% count`, instead of among "
     "the first i + 1.",
     kOrderHint, CONVKIT_SHUFFLES(s.upwards = true; s.ends_at = 0; s.among = Shuffle::Among::all)},
    {"order_among_all", kOrder,
     "j is drawn among all elements, `% count`, instead of among the first ones, `% (i + 1)`, and "
     "the loop goes on to i = 0.",
     kOrderHint, CONVKIT_SHUFFLES(s.ends_at = 0; s.among = Shuffle::Among::all)},
    {"order_by_sorting", kOrder,
     "The images are sorted by a random number each. That is a fair shuffle, but another one than "
     "the exchanges that are asked for give.",
     kOrderHint, sorted_by<true, false>},
    {"order_by_sorting", kOrder,
     "The images are sorted by a random number each, the largest first. That is a fair shuffle, "
     "but another one than the exchanges that are asked for give.",
     kOrderHint, sorted_by<false, false>},
    {"order_by_sorting", kOrder,
     "Each image stands at the rank of a random number that it has drawn. That is a fair shuffle, "
     "but another one than the exchanges that are asked for give.",
     kOrderHint, sorted_by<true, true>},
    {"order_ends_early", kOrder, "The loop ends with i = 2; i = 1 belongs to it.", kOrderHint,
     CONVKIT_SHUFFLES(s.ends_at = 2)},
    {"order_number", kOrder, "Random number i - 1 is drawn for element i; it is number i.",
     kOrderHint, CONVKIT_SHUFFLES(s.number_of = -1)},
    {"order_number", kOrder, "Random number i + 1 is drawn for element i; it is number i.",
     kOrderHint, CONVKIT_SHUFFLES(s.number_of = 1)},
    {"order_without_seed", kOrder, "The seed is not used: it is taken as 0.", kOrderHint,
     CONVKIT_SHUFFLES(s.seed = 0)},

    {"weights_never_negative", kStart,
     "The weights lie between 0 and limit: the random number r is used where 2 r - 1, which may be "
     "negative, belongs.",
     kStartHint, CONVKIT_STARTS(s.lowest = 0)},
    {"weights_half_as_wide", kStart,
     "The weights lie between -limit / 2 and limit / 2: r - 0.5 stands where 2 r - 1 belongs.",
     kStartHint, CONVKIT_STARTS(s.lowest = -0.5; s.highest = 0.5)},
    {"weights_twice_as_wide", kStart, "The weights are limit * (4 r - 2): twice as large as asked.",
     kStartHint, CONVKIT_STARTS(s.lowest = -2; s.highest = 2)},
    {"weights_by_deviation", kStart,
     "limit is sqrt(2 / fan): that is the deviation of Kaiming's normal distribution. Uniform "
     "numbers of this deviation reach to sqrt(6 / fan).",
     kStartHint, CONVKIT_STARTS(s.variance = 2)},
    {"weights_by_deviation", kStart, "limit is sqrt(3 / fan); it is sqrt(6 / fan).", kStartHint,
     CONVKIT_STARTS(s.variance = 3)},
    {"weights_by_deviation", kStart, "limit is sqrt(1 / fan); it is sqrt(6 / fan).", kStartHint,
     CONVKIT_STARTS(s.variance = 1)},
    {"weights_without_root", kStart, "The root is missing: limit is 6 / fan instead of its root.",
     kStartHint, CONVKIT_STARTS(s.is_root = false)},
    {"weights_of_other_fan", kStart, "fan_out stands where fan_in belongs.", kStartHint,
     CONVKIT_STARTS(s.fans = s.xavier ? 2 * s.fan_out : s.fan_out)},
    {"weights_of_other_fan", kStart,
     "Kaiming's limit is used for Xavier and the other way round: fan_in + fan_out belongs to "
     "Xavier's.",
     kStartHint, CONVKIT_STARTS(s.fans = s.xavier ? s.fan_in : s.fan_in + s.fan_out)},
    {"weights_of_other_numbers", kStart, "The random stream is not used: it is taken as 0.",
     kStartHint, CONVKIT_STARTS(s.stream = 0)},
    {"weights_of_other_numbers", kStart, "The seed is not used: it is taken as 0.", kStartHint,
     CONVKIT_STARTS(s.seed = 0)},
    {"weights_of_other_numbers", kStart, "Seed and stream are exchanged.", kStartHint,
     CONVKIT_STARTS(std::swap(s.seed, s.stream))},
    {"weights_of_other_numbers", kStart,
     "Random number i + 1 is drawn for weight i; numbers count from 0.", kStartHint,
     CONVKIT_STARTS(s.first = 1)},

    {"limit_in_network", kNewNetwork,
     "The limit of these weights is Kaiming's, sqrt(6 / fan_in); all weights of a network have "
     "LeCun's, sqrt(3 / fan_in).",
     kNewNetworkHint, CONVKIT_LAYER_STARTS(s.variance = 6)},
    {"limit_in_network", kNewNetwork,
     "The limit of these weights is Xavier's, sqrt(6 / (fan_in + fan_out)); all weights of a "
     "network have LeCun's, sqrt(3 / fan_in).",
     kNewNetworkHint, CONVKIT_LAYER_STARTS(s.variance = 6; s.fans = s.fan_in + s.fan_out)},
    {"limit_in_network", kNewNetwork,
     "The limit of these weights is that of fan_out: fan_in and fan_out are exchanged.",
     kNewNetworkHint, CONVKIT_LAYER_STARTS(s.fans = s.fan_out)},
    {"limit_in_network", kNewNetwork,
     "fan_in is the number of channels alone; an output of a convolution has c * kh * kw inputs.",
     kNewNetworkHint, CONVKIT_LAYER_STARTS(s.fans = s.fan_in / s.kernel)},
    {"stream_in_network", kNewNetwork,
     "The weights have the random stream of a number that counts weights alone; it is the index of "
     "the parameter, among biases and all others, too.",
     kNewNetworkHint, CONVKIT_LAYER_STARTS(s.stream = s.weights_before)},
    {"stream_in_network", kNewNetwork,
     "The weights have random stream 0; it is the index of the parameter, so that no two have the "
     "same numbers.",
     kNewNetworkHint, CONVKIT_LAYER_STARTS(s.stream = 0)},
    {"stream_in_network", kNewNetwork,
     "The weights have the random stream of the parameter behind them: indices count from 0.",
     kNewNetworkHint, CONVKIT_LAYER_STARTS(++s.stream)},
    {"seed_in_network", kNewNetwork, "The seed is not used: it is taken as 0.", kNewNetworkHint,
     CONVKIT_LAYER_STARTS(s.seed = 0)},

    {"statistics_as_constants", "batchnorm_backward",
     "Mean and variance are taken for constants: dx is scale * inverse * dy, and both terms with a "
     "mean, that of dy and that of dy * xhat, are missing.",
     "Mean and variance depend on every x of the channel: dx = scale * inverse * (dy - dshift / (n "
     "* area) - xhat * dscale / (n * area)).",
     constant_statistics},
    {"variance_within_parts", "batchnorm_forward",
     "The variance is too small: only the distances from the mean of a part (such as the elements "
     "of one thread, or one image) count in it. What the means of the parts differ by is missing "
     "where the parts are put together.",
     "Of two parts with counts na, nb, means ma, mb and sums of squares Sa, Sb the whole has Sa + "
     "Sb + (mb - ma)^2 * na * nb / (na + nb). Or take two passes: first the mean of the channel, "
     "then the squares of all distances from it.",
     variance_within_parts, 16},
    {"variance_of_squares", "batchnorm_forward",
     "Probably the variance is computed as the mean of the squares minus the square of the mean: "
     "where the mean is large against the deviation, the two cancel, and most digits are lost.",
     "Two passes: first the mean, then the mean of (x - mean)^2, whose terms are as small as the "
     "result.",
     variance_of_squares, 1, 1},
    {"loss_of_probability", "softmax_cross_entropy",
     "The loss is infinite where the probability is too small for a float: the logarithm is taken "
     "of "
     "a probability that has become 0.",
     "loss = ln(sum of exp(logit - largest)) - (logit of the label - largest), which needs no "
     "probability.",
     loss_of_probability, 1, 1},
};

const RegisterMistakes kRandomMistakesRegistered(kRandomMistakes);

}  // namespace
}  // namespace convkit::stage_07

// SPDX-License-Identifier: MIT
// A digit is a few strokes, transformed by a random affine map, with every point moved a little.
// Then each pixel's grey follows from its distance to the nearest stroke. Coordinates are integers,
// in units of 1/256 pixel; there is no floating point here.
#include "convkit/digits.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "convkit/counter_random.h"

namespace convkit {
namespace {

// How digits are written: strokes through points in a box 70 wide and 100 high, y downwards.

struct Point {
  int64_t x, y;
};

struct Stroke {
  enum class Kind { curve, corners };  // smooth through the points, or straight between them
  Kind kind;
  std::vector<Point> points;
};

constexpr auto kCurve = Stroke::Kind::curve;
constexpr auto kCorners = Stroke::Kind::corners;

using Drawing = std::vector<Stroke>;

std::array<std::vector<Drawing>, 10> all_digits() {
  // clang-format off
  return {{
      // 0: closed; not quite closed
      {{{kCurve, {{46, 2}, {24, 7}, {8, 30}, {6, 62}, {20, 92}, {42, 98}, {62, 80},
                  {68, 48}, {62, 16}, {44, 2}}}},
       {{kCurve, {{54, 8}, {34, 2}, {12, 20}, {6, 54}, {16, 88}, {38, 99}, {60, 82},
                   {66, 46}, {56, 14}, {40, 8}}}}},
      // 1: a stroke; with a flag; with flag and foot
      {{{kCorners, {{42, 0}, {34, 100}}}},
       {{kCorners, {{18, 26}, {42, 0}, {38, 100}}}},
       {{kCorners, {{20, 22}, {40, 0}, {38, 98}}}, {kCorners, {{16, 98}, {62, 98}}}}},
      // 2: with a corner; with a loop
      {{{kCurve, {{8, 26}, {22, 5}, {46, 1}, {62, 18}, {56, 42}, {34, 68}, {8, 96}}},
        {kCorners, {{8, 96}, {70, 94}}}},
       {{kCurve, {{10, 20}, {30, 2}, {56, 8}, {60, 32}, {42, 62}, {22, 90}, {6, 92},
                   {10, 78}, {28, 80}, {48, 94}, {72, 90}}}}},
      // 3: round; with a flat top
      {{{kCurve, {{10, 14}, {30, 1}, {56, 8}, {58, 32}, {32, 46}, {56, 54}, {68, 74},
                  {52, 96}, {26, 99}, {6, 86}}}},
       {{kCorners, {{10, 4}, {62, 2}, {34, 40}}},
        {kCurve, {{34, 40}, {60, 50}, {68, 74}, {48, 97}, {22, 98}, {6, 86}}}}},
      // 4: open; closed
      {{{kCurve, {{18, 4}, {10, 34}, {12, 54}, {34, 57}, {66, 52}}},
        {kCorners, {{60, 6}, {50, 100}}}},
       {{kCorners, {{50, 100}, {54, 0}, {6, 64}, {72, 62}}}}},
      // 5: the top in one go; a flatter belly
      {{{kCorners, {{64, 3}, {22, 4}, {16, 42}}},
        {kCurve, {{16, 42}, {42, 36}, {64, 54}, {64, 78}, {42, 98}, {8, 92}}}},
       {{kCorners, {{68, 6}, {24, 2}}},
        {kCurve, {{24, 2}, {16, 44}, {46, 46}, {62, 66}, {52, 92}, {26, 100}, {6, 90}}}}},
      // 6: a curved back; a straighter one
      {{{kCurve, {{54, 2}, {30, 18}, {12, 50}, {10, 80}, {30, 99}, {56, 92}, {64, 70},
                  {46, 56}, {24, 62}, {12, 80}}}},
       {{kCurve, {{40, 0}, {24, 30}, {10, 66}, {18, 94}, {42, 98}, {58, 82}, {50, 62},
                   {28, 64}, {14, 82}}}}},
      // 7: plain; curved; with a bar
      {{{kCorners, {{6, 6}, {66, 4}, {30, 100}}}},
       {{kCurve, {{6, 14}, {30, 6}, {62, 6}, {56, 34}, {40, 66}, {34, 100}}}},
       {{kCorners, {{8, 6}, {66, 4}, {32, 100}}}, {kCorners, {{22, 52}, {62, 48}}}}},
      // 8: one stroke; two rings
      {{{kCurve, {{60, 14}, {40, 1}, {18, 12}, {22, 32}, {42, 47}, {62, 64}, {62, 88},
                  {38, 99}, {14, 88}, {16, 66}, {40, 46}, {56, 30}, {60, 14}}}},
       {{kCurve, {{38, 46}, {18, 34}, {18, 12}, {38, 1}, {58, 12}, {56, 34}, {38, 46}}},
        {kCurve, {{38, 46}, {12, 62}, {10, 86}, {36, 99}, {62, 86}, {62, 62}, {38, 46}}}}},
      // 9: a straight leg; a curved one
      {{{kCurve, {{62, 18}, {44, 3}, {20, 12}, {12, 34}, {28, 50}, {52, 40}, {62, 18}}},
        {kCorners, {{62, 18}, {54, 100}}}},
       {{kCurve, {{60, 16}, {38, 2}, {14, 14}, {12, 38}, {32, 50}, {54, 38}, {62, 14},
                   {64, 50}, {54, 84}, {30, 99}, {10, 90}}}}},
  }};
  // clang-format on
}

// The ways of writing one digit (0 to 9); at least one each.
const std::vector<std::vector<Stroke>>& digit_strokes(int label) {
  static const auto digits = all_digits();
  return digits.at(static_cast<size_t>(label));
}

constexpr int64_t kOne = 256;  // one pixel
constexpr int64_t kSide = kDigitSize * kOne;

// SplitMix64.
class Random {
 public:
  explicit Random(uint64_t seed) : seed_(seed) {}
  uint64_t next() { return splitmix64(seed_, ++drawn_); }
  // Uniform in [low, high], but for a bias below 2^-50.
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(next() % static_cast<uint64_t>(high - low + 1));
  }

 private:
  uint64_t seed_, drawn_ = 0;
};

struct Segment {
  Point a, b;
};

// A hand: an affine map in units of 1/1024.
struct Hand {
  int64_t width, height, slant, turn, shake, radius;

  explicit Hand(Random& random)
      : width(random.between(820, 1180)),
        height(random.between(920, 1060)),
        slant(random.between(-160, 380)),
        turn(random.between(-110, 110)),
        shake(random.between(0, 3)),
        radius(random.between(200, 400)) {}

  // From the strokes' box (70 x 100) to 1/256 pixels around zero: 100 units are 20 pixels.
  Point place(Point p, Random& random) const {
    const int64_t x = (p.x - 35 + random.between(-shake, shake)) * width;
    const int64_t y = (p.y - 50 + random.between(-shake, shake)) * height;
    const int64_t slanted = x - y * slant / 1024;
    return {(slanted - y * turn / 1024) / 20, (y + slanted * turn / 1024) / 20};
  }
};

// A Catmull-Rom spline: smooth, through all points.
void add_curve(const std::vector<Point>& points, std::vector<Segment>& out) {
  constexpr int64_t kSteps = 8;
  const auto at = [&](size_t i, int step) {
    // Before the first and after the last point, that point again.
    const int64_t index = static_cast<int64_t>(i) + step;
    const auto last = static_cast<int64_t>(points.size()) - 1;
    return points[static_cast<size_t>(std::clamp<int64_t>(index, 0, last))];
  };
  const auto blend = [](int64_t p0, int64_t p1, int64_t p2, int64_t p3, int64_t t) {
    const int64_t linear = p2 - p0, square = 2 * p0 - 5 * p1 + 4 * p2 - p3;
    const int64_t cube = 3 * (p1 - p2) + p3 - p0;
    return p1 + (linear * t * kSteps * kSteps + square * t * t * kSteps + cube * t * t * t) /
                    (2 * kSteps * kSteps * kSteps);
  };
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    const Point p0 = at(i, -1), p1 = at(i, 0), p2 = at(i, 1), p3 = at(i, 2);
    Point from = p1;
    for (int64_t t = 1; t <= kSteps; ++t) {
      const Point to{blend(p0.x, p1.x, p2.x, p3.x, t), blend(p0.y, p1.y, p2.y, p3.y, t)};
      out.push_back({from, to});
      from = to;
    }
  }
}

std::vector<Segment> draw(const std::vector<Stroke>& strokes, const Hand& hand, Random& random) {
  std::vector<Segment> segments;
  for (const Stroke& stroke : strokes) {
    std::vector<Point> points;
    for (const Point& point : stroke.points) points.push_back(hand.place(point, random));
    if (stroke.kind == Stroke::Kind::curve) {
      add_curve(points, segments);
    } else {
      for (size_t i = 0; i + 1 < points.size(); ++i) segments.push_back({points[i], points[i + 1]});
    }
  }
  return segments;
}

// Moves the middle of the drawing to the middle of the image, give or take a pixel and a half.
void centre(std::vector<Segment>& segments, Random& random) {
  Point low = segments.front().a, high = low;
  for (const Segment& s : segments) {
    for (const Point& p : {s.a, s.b}) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  const int64_t dx = kSide / 2 - (low.x + high.x) / 2 + random.between(-384, 384);
  const int64_t dy = kSide / 2 - (low.y + high.y) / 2 + random.between(-384, 384);
  for (Segment& s : segments) s = {{s.a.x + dx, s.a.y + dy}, {s.b.x + dx, s.b.y + dy}};
}

// floor(sqrt(value)), by bits.
int64_t square_root(int64_t value) {
  int64_t root = 0;
  for (int64_t bit = int64_t{1} << 15; bit != 0; bit >>= 1) {
    if ((root + bit) * (root + bit) <= value) root += bit;
  }
  return root;
}

int64_t distance(Point p, const Segment& s) {
  const Point along{s.b.x - s.a.x, s.b.y - s.a.y};
  const Point to{p.x - s.a.x, p.y - s.a.y};
  const int64_t length2 = along.x * along.x + along.y * along.y;
  int64_t dx = to.x, dy = to.y;
  if (length2 > 0) {
    const int64_t dot = std::clamp<int64_t>(to.x * along.x + to.y * along.y, 0, length2);
    dx -= along.x * dot / length2;
    dy -= along.y * dot / length2;
  }
  return square_root(dx * dx + dy * dy);
}

// Ink falls off over one pixel at the edge of the stroke.
void ink(const Segment& s, int64_t radius, std::vector<uint8_t>& image) {
  const int64_t reach = radius + kOne;
  const auto first = [&](int64_t low) { return std::max<int64_t>(0, (low - reach) / kOne); };
  const auto last = [&](int64_t high) {
    return std::min<int64_t>(kDigitSize - 1, (high + reach) / kOne);
  };
  for (int64_t y = first(std::min(s.a.y, s.b.y)); y <= last(std::max(s.a.y, s.b.y)); ++y) {
    for (int64_t x = first(std::min(s.a.x, s.b.x)); x <= last(std::max(s.a.x, s.b.x)); ++x) {
      const Point middle{x * kOne + kOne / 2, y * kOne + kOne / 2};
      const int64_t inside = radius + kOne / 2 - distance(middle, s);
      const auto grey = static_cast<uint8_t>(std::clamp<int64_t>(inside * 255 / kOne, 0, 255));
      uint8_t& pixel = image[static_cast<size_t>(y * kDigitSize + x)];
      pixel = std::max(pixel, grey);
    }
  }
}

}  // namespace

std::vector<uint8_t> digit_image(uint64_t seed, int label) {
  if (label < 0 || label > 9) {
    throw std::invalid_argument("There is no digit " + std::to_string(label) + ".");
  }
  Random random(seed);
  const auto& ways = digit_strokes(label);
  const auto& strokes = ways[static_cast<size_t>(random.between(0, std::ssize(ways) - 1))];
  const Hand hand(random);
  auto segments = draw(strokes, hand, random);
  centre(segments, random);
  std::vector<uint8_t> image(kDigitSize * kDigitSize);
  for (const Segment& segment : segments) ink(segment, hand.radius, image);
  return image;
}

DigitSet digit_set(uint64_t seed, int64_t n) {
  if (n < 0) throw std::invalid_argument("A set of digits has a negative size.");
  DigitSet set;
  set.images.reserve(static_cast<size_t>(n) * kDigitSize * kDigitSize);
  Random random(seed);
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t image_seed = random.next();
    const auto label = static_cast<int>(random.between(0, 9));
    const auto image = digit_image(image_seed, label);
    set.images.insert(set.images.end(), image.begin(), image.end());
    set.labels.push_back(static_cast<uint8_t>(label));
  }
  return set;
}

}  // namespace convkit

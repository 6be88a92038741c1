// SPDX-License-Identifier: MIT
// Known mistakes in a convolution by tiles. The mistakes of any convolution are those of stage 01,
// whose models also apply to these operations.
#include <algorithm>
#include <limits>
#include <vector>

#include "tile_model.h"

namespace convkit::stage_03 {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Every tile holds the input of the first one, along both axes or along one of them.
Prediction first_tile_everywhere(const Evidence& evidence) {
  const TileModel model(evidence);
  return model.any_tile([&](Pair tile) {
    return model.predict([&](Place at) {
      return model.reference({at.n, at.m, at.i % tile.h, at.j % tile.w});
    });
  });
}

// All blocks compute the first tile, or there is only one. (Where the output holds but one whole
// tile, a grid that is cut short looks the same, and neither is named.)
Prediction only_first_tile(const Evidence& evidence) {
  const TileModel model(evidence);
  return model.any_tile([&](Pair tile) {
    return model.predict([&](Place at) {
      return at.i < tile.h && at.j < tile.w ? model.reference(at) : predicted_unwritten();
    });
  });
}

// The number of a tile is split into its row and its column by as many tiles as the height has, in
// place of the width.
Prediction numbered_by_height(const Evidence& evidence) {
  const TileModel model(evidence);
  return model.any_tile([&](Pair tile) {
    const auto tiles = [](int64_t outputs, int64_t part) { return (outputs + part - 1) / part; };
    const int64_t down = tiles(model.output.h, tile.h), across = tiles(model.output.w, tile.w);
    const int64_t in_a_row = tiles(model.output.h, tile.w);
    std::vector<bool> done(size_t(down * across));
    for (int64_t number = 0; number < down * across; ++number) {
      const int64_t row = number / in_a_row, column = number % in_a_row;
      if (row < down && column < across) done[size_t(row * across + column)] = true;
    }
    return model.predict([&](Place at) {
      return done[size_t(at.i / tile.h * across + at.j / tile.w)] ? model.reference(at)
                                                                  : predicted_unwritten();
    });
  });
}

// Only whole tiles are written.
Prediction whole_tiles(const Evidence& evidence) {
  const TileModel model(evidence);
  return model.any_tile([&](Pair tile) -> Prediction {
    // A tile larger than the output along an axis: that axis is not the one cut short.
    const auto whole = [](int64_t size, int64_t part) {
      return size < part ? size : size / part * part;
    };
    const Pair written = {whole(model.output.h, tile.h), whole(model.output.w, tile.w)};
    return model.predict([&](Place at) {
      return at.i < written.h && at.j < written.w ? model.reference(at) : predicted_unwritten();
    });
  });
}

// The last maps are missing: whole blocks of maps are computed.
Prediction whole_map_blocks(const Evidence& evidence) {
  const TileModel model(evidence);
  if (!model.usable()) return std::nullopt;
  for (const int64_t block : {2, 4, 8, 16, 32}) {
    const int64_t written = model.m / block * block;
    if (written == 0 || written == model.m) continue;
    const auto y = model.predict(
        [&](Place at) { return at.m < written ? model.reference(at) : predicted_unwritten(); });
    if (y) return y;
  }
  return std::nullopt;
}

// Each output from what lies in its tile of inputs: input(n, channel, corner, place), of an image's
// channel at a place of the tile that begins at `corner` of x.
template <class Input>
Prediction from_tiles(const TileModel& model, Pair tile, Input input) {
  return model.predict([&](Place at) {
    const int64_t i = at.i % tile.h, j = at.j % tile.w;
    const Pair corner = {(at.i - i) * model.stride.h - model.pad.h,
                         (at.j - j) * model.stride.w - model.pad.w};
    return model.sum(at, [&](int64_t channel, int64_t p, int64_t q) {
      return input(at.n, channel, corner,
                   Pair{i * model.stride.h + p * model.dilation.h,
                        j * model.stride.w + q * model.dilation.w});
    });
  });
}

// Only `loaded` rows and columns of each input tile are there; the rest counts as zero.
template <class Loaded>
Prediction rest_is_zero(const Evidence& evidence, Loaded loaded) {
  const TileModel model(evidence);
  return model.any_tile([&](Pair tile) {
    const Pair there = loaded(model, tile);
    return from_tiles(model, tile, [&](int64_t n, int64_t channel, Pair corner, Pair place) {
      if (place.h >= there.h || place.w >= there.w) return 0.0;
      return model.x(n, channel, corner.h + place.h, corner.w + place.w);
    });
  });
}

// The same, but the rest is whatever lies in shared memory: the outputs that reach it are wrong,
// nearly all of them, and no others. This is weak evidence unless it is seen in two tiles with
// right outputs between them. With several channels a missing barrier looks the same.
template <class Loaded>
Prediction rest_is_garbage(const Evidence& evidence, Loaded loaded) {
  const TileModel model(evidence);
  if (model.c != 1) return std::nullopt;
  return model.any_tile([&](Pair tile) -> Prediction {
    const Pair there = loaded(model, tile);
    int64_t reaching = 0, wrong = 0, wrong_in_first = 0, right_beyond = 0;
    auto y = model.predict([&](Place at) {
      const int64_t down = at.i % tile.h * model.stride.h + (model.kernel.h - 1) * model.dilation.h;
      const int64_t across =
          at.j % tile.w * model.stride.w + (model.kernel.w - 1) * model.dilation.w;
      const bool in_first = at.i < tile.h && at.j < tile.w;
      if (down < there.h && across < there.w) {
        right_beyond += !in_first;
        return model.reference(at);
      }
      if (!model.has_output()) return kNaN;
      ++reaching;
      if (model.unwritten(at) || !model.wrong(at)) return model.reference(at);
      ++wrong;
      wrong_in_first += in_first;
      return model.got(at);
    });
    constexpr int64_t kFewest = 4;
    constexpr double kNearlyAll = 0.9;
    if (right_beyond < kFewest) return std::nullopt;
    if (!model.has_output()) return y;
    if (wrong_in_first < kFewest || double(wrong) < kNearlyAll * double(reaching)) {
      return std::nullopt;
    }
    return y;
  });
}

Pair without_halo(const TileModel&, Pair tile) {
  return tile;
}

// As large as the input tile would be with stride 1. Nothing is missing where it is 1.
Pair without_stride(const TileModel& model, Pair tile) {
  return {tile.h + (model.kernel.h - 1) * model.dilation.h,
          tile.w + (model.kernel.w - 1) * model.dilation.w};
}

Pair without_dilation(const TileModel& model, Pair tile) {
  return {(tile.h - 1) * model.stride.h + model.kernel.h,
          (tile.w - 1) * model.stride.w + model.kernel.w};
}

// The tile is stored with the width of the input tile and read with that of the output tile, or
// only the rows within a window are.
template <bool in_window_only>
Prediction pitch_of_output_tile(const Evidence& evidence) {
  const TileModel model(evidence);
  return model.any_tile([&](Pair tile) {
    const int64_t pitch =
        (tile.w - 1) * model.stride.w + (model.kernel.w - 1) * model.dilation.w + 1;
    return model.predict([&](Place at) {
      const int64_t i = at.i % tile.h, j = at.j % tile.w;
      const int64_t row = (at.i - i) * model.stride.h - model.pad.h;
      const int64_t column = (at.j - j) * model.stride.w - model.pad.w;
      return model.sum(at, [&](int64_t channel, int64_t p, int64_t q) {
        const int64_t first = i * model.stride.h * (in_window_only ? pitch : tile.w);
        const int64_t element =
            first + p * model.dilation.h * tile.w + j * model.stride.w + q * model.dilation.w;
        return model.x(at.n, channel, row + element / pitch, column + element % pitch);
      });
    });
  });
}

// Where a thread's elements of a tile lie in the input, row and column within the tile, whose row
// and column move on with the place, `threads` at a time, without a division. A carry is made once,
// however many rows the threads pass.
std::vector<Pair> carried_once(Pair extent, int64_t threads) {
  std::vector<Pair> places(size_t(extent.h * extent.w));
  for (int64_t at = 0; at < extent.h * extent.w; ++at) {
    Pair& place = places[size_t(at)];
    if (at < threads) {
      place = {at / extent.w, at % extent.w};
      continue;
    }
    const Pair before = places[size_t(at - threads)];
    const bool carries = before.w + threads >= extent.w;
    place = {before.h + (carries ? 1 : 0), before.w + threads - (carries ? extent.w : 0)};
  }
  return places;
}

Prediction carry_made_once(const Evidence& evidence) {
  const TileModel model(evidence);
  return model.any_tile([&](Pair tile) -> Prediction {
    const Pair extent = model.input_of(tile);
    constexpr int64_t kMostElements = 1 << 14;  // of shared memory
    if (extent.h * extent.w > kMostElements) return std::nullopt;
    for (const int64_t threads : {tile.h * tile.w, int64_t(128), int64_t(256)}) {
      // Less than two rows at a time need one carry, and fewer elements than threads none.
      if (threads < 2 * extent.w || threads >= extent.h * extent.w) continue;
      const std::vector<Pair> places = carried_once(extent, threads);
      auto y = from_tiles(model, tile, [&](int64_t n, int64_t channel, Pair corner, Pair place) {
        const Pair loaded = places[size_t(place.h * extent.w + place.w)];
        return model.x(n, channel, corner.h + loaded.h, corner.w + loaded.w);
      });
      if (y) return y;
    }
    return std::nullopt;
  });
}

// A row of the kernel (or a column) is skipped for a whole tile where its first output meets it
// outside of the image; with `at_end` where its last one does.
template <bool of_rows, bool at_end>
Prediction skipped_for_whole_tile(const Evidence& evidence) {
  const TileModel model(evidence);
  return model.any_tile([&](Pair tile) {
    return model.predict([&](Place at) {
      const int64_t size = of_rows ? model.image.h : model.image.w;
      const int64_t length = of_rows ? tile.h : tile.w;
      const int64_t output = of_rows ? at.i : at.j;
      const int64_t first = output - output % length;
      const int64_t outputs = of_rows ? model.output.h : model.output.w;
      const int64_t looked_at = at_end ? std::min(first + length, outputs) - 1 : first;
      const int64_t start = of_rows ? looked_at * model.stride.h - model.pad.h
                                    : looked_at * model.stride.w - model.pad.w;
      return model.sum(at, [&](int64_t channel, int64_t p, int64_t q) {
        const int64_t met = start + (of_rows ? p * model.dilation.h : q * model.dilation.w);
        if (met < 0 || met >= size) return 0.0;
        return model.x(at.n, channel, at.i * model.stride.h - model.pad.h + p * model.dilation.h,
                       at.j * model.stride.w - model.pad.w + q * model.dilation.w);
      });
    });
  });
}

// A block of threads loads an element each, and its tile of outputs is smaller by the other axis's
// halo than it must be: behind the end of a row of the tile lies the next one.
template <bool along_rows>
Prediction halo_of_other_axis(const Evidence& evidence) {
  const TileModel model(evidence);
  const bool is_plain =
      model.stride.h == 1 && model.stride.w == 1 && model.dilation.h == 1 && model.dilation.w == 1;
  if (!model.usable() || !is_plain || model.kernel.h == model.kernel.w) return std::nullopt;
  constexpr Pair kBlocks[] = {{16, 32}, {8, 32}, {32, 32}, {16, 16}, {8, 8}, {32, 16}, {32, 8}};
  for (const Pair block : kBlocks) {
    const int64_t other = along_rows ? model.kernel.w : model.kernel.h;
    const Pair tile = {block.h - ((along_rows ? other : model.kernel.h) - 1),
                       block.w - ((along_rows ? model.kernel.w : other) - 1)};
    if (tile.h < 1 || tile.w < 1) continue;
    auto y = model.predict([&](Place at) {
      const int64_t i = at.i % tile.h, j = at.j % tile.w;
      const int64_t row = at.i - i - model.pad.h, column = at.j - j - model.pad.w;
      bool is_loaded = true;
      const double sum = model.sum(at, [&](int64_t channel, int64_t p, int64_t q) {
        const int64_t element = (i + p) * block.w + j + q;
        is_loaded = is_loaded && element < block.h * block.w;
        return model.x(at.n, channel, row + element / block.w, column + element % block.w);
      });
      return is_loaded ? sum : predicted_anything();
    });
    if (y) return y;
  }
  return std::nullopt;
}

// The channels are taken in parts, so many at a time, of which nobody tells the number. What is
// multiplied for a channel, whose part begins at channel `first`: the weights from weight(channel,
// first, taps) on, and channel_of(channel, first) of x; -1 for none.
template <class Weight, class Channel>
Prediction in_parts(const Evidence& evidence, Weight weight, Channel channel_of) {
  const TileModel model(evidence);
  if (!model.usable()) return std::nullopt;
  const int64_t taps = model.kernel.h * model.kernel.w;
  for (int64_t part = 2; part < model.c; ++part) {
    auto y = model.predict([&](Place at) {
      double sum = model.bias(at.m);
      for (int64_t channel = 0; channel < model.c; ++channel) {
        const int64_t first = channel - channel % part, source = channel_of(channel, first);
        for (int64_t tap = 0; source >= 0 && tap < taps; ++tap) {
          const int64_t row =
              at.i * model.stride.h - model.pad.h + tap / model.kernel.w * model.dilation.h;
          const int64_t column =
              at.j * model.stride.w - model.pad.w + tap % model.kernel.w * model.dilation.w;
          sum += model.weight(at.m, weight(channel, first, taps) + tap) *
                 model.x(at.n, source, row, column);
        }
      }
      return sum;
    });
    if (y) return y;
  }
  return std::nullopt;
}

int64_t own_weight(int64_t channel, int64_t, int64_t taps) {
  return channel * taps;
}
int64_t own_channel(int64_t channel, int64_t) {
  return channel;
}

Prediction weights_of_first_part(const Evidence& evidence) {
  return in_parts(
      evidence,
      [](int64_t channel, int64_t first, int64_t taps) { return (channel - first) * taps; },
      own_channel);
}
Prediction weights_by_channel_number(const Evidence& evidence) {
  return in_parts(
      evidence,
      [](int64_t channel, int64_t first, int64_t taps) { return first + (channel - first) * taps; },
      own_channel);
}
Prediction input_of_first_part(const Evidence& evidence) {
  return in_parts(evidence, own_weight,
                  [](int64_t channel, int64_t first) { return channel - first; });
}
Prediction first_part_alone(const Evidence& evidence) {
  return in_parts(evidence, own_weight,
                  [](int64_t channel, int64_t first) { return first == 0 ? channel : -1; });
}

// The windows start at the image's corner; elements outside of the image are zero, as they should
// be.
Prediction pad_ignored(const Evidence& evidence) {
  const TileModel model(evidence);
  if (!model.usable()) return std::nullopt;
  return model.predict([&](Place at) {
    return model.sum(at, [&](int64_t channel, int64_t p, int64_t q) {
      return model.x(at.n, channel, at.i * model.stride.h + p * model.dilation.h,
                     at.j * model.stride.w + q * model.dilation.w);
    });
  });
}

// y[m][n] is written instead of y[n][m].
Prediction maps_before_images(const Evidence& evidence) {
  const TileModel model(evidence);
  if (!model.usable()) return std::nullopt;
  return model.predict([&](Place at) {
    const int64_t plane = at.n * model.m + at.m;
    return model.reference({plane % model.n, plane / model.n, at.i, at.j});
  });
}

// Only as many images are computed as there are maps, and the other way round.
Prediction smaller_of_both(const Evidence& evidence) {
  const TileModel model(evidence);
  if (!model.usable()) return std::nullopt;
  const int64_t both = std::min(model.n, model.m);
  return model.predict([&](Place at) {
    return at.n < both && at.m < both ? model.reference(at) : predicted_unwritten();
  });
}

// --- what students read ----------------------------------------------------------------------

constexpr const char* kTiled = "conv2d_[tb]*";  // the operations of this stage

constexpr const char* kHaloHint =
    "A tile of 16 x 16 outputs of a 3x3 kernel reads 18 x 18 inputs. With fewer threads than "
    "elements, load in strided loops: for (row = threadIdx.y; row < rows; row += blockDim.y).";
constexpr const char* kInputTileHint =
    "Along an axis the input tile has (outputs - 1) * stride + (kernel - 1) * dilation + 1 "
    "elements: from the first tap of the first output to the last tap of the last one.";
constexpr const char* kSwappedHint =
    "Decide once which of blockIdx.y and blockIdx.z is the map and which the image, "
    "and use it in the grid, in the index of x and in that of y: "
    "y[n][m][i][j] lies at ((n * m_total + m) * oh + i) * ow + j.";
constexpr const char* kHaloMissing =
    "The halo is missing: only as many inputs are loaded as the tile has outputs.";
constexpr const char* kStrideMissing =
    "The stride is missing in the size of the input tile: "
    "its last rows and columns are not loaded.";
constexpr const char* kDilationMissing =
    "The dilation is missing in the size of the input "
    "tile: its last rows and columns are not loaded.";
constexpr const char* kTwoPitches =
    "The tile is stored with one width and read with another: a row of it has as many elements as "
    "were loaded, not as many as there are outputs.";
constexpr const char* kPitchHint =
    "Element (row, col) of the tile lies at row * cols + col, with the same cols where it is "
    "stored and where it is read.";
constexpr const char* kHaloOfRows =
    "The tile of outputs has kw - 1 rows less than the block where it must have kh - 1 less: the "
    "windows of its last rows reach beyond the tile that was loaded.";
constexpr const char* kHaloOfColumns =
    "The tile of outputs has kh - 1 columns less than the block where it must have kw - 1 less: "
    "the windows of its last columns reach beyond the tile that was loaded.";
constexpr const char* kHaloAxisHint =
    "Rows go with kh, columns with kw: a kernel that is not square tells them apart.";
constexpr const char* kCarryOnce =
    "Row and column of a thread's next element of the tile are carried wrongly: the threads pass "
    "several rows of the tile at a time, but only one row is carried, so that from the second "
    "round of the loading loop on the column lies behind the end of the row.";
constexpr const char* kCarryHint =
    "After col += threads carry with while, not if: while (col >= cols) col -= cols, ++row. Or "
    "take the place apart: row = place / cols, col = place % cols.";
constexpr const char* kRowSkipped =
    "A kernel row is skipped for a whole tile of outputs where one of the tile's rows (the first "
    "or "
    "the last) meets it in the padding: other rows of the tile meet it inside of the image.";
constexpr const char* kColumnSkipped =
    "A kernel column is skipped for a whole tile of outputs where one of the tile's columns (the "
    "first or the last) meets it in the padding: other columns of the tile meet it inside of the "
    "image.";
constexpr const char* kSkippedHint =
    "Whether a tap lies in the padding is a question for each output. A whole tile may skip it "
    "only "
    "if it lies there for the first output and for the last.";
constexpr const char* kPartHint =
    "A part from channel `first` on begins at first * h * w in an image of x, and at first * kh * "
    "kw in a filter of w.";
constexpr const char* kSwapped = "Maps and images are exchanged.";

#define CONVKIT_ZERO(loaded) [](const Evidence& evidence) { return rest_is_zero(evidence, loaded); }
#define CONVKIT_GARBAGE(loaded) \
  [](const Evidence& evidence) { return rest_is_garbage(evidence, loaded); }

constexpr MistakeModel of_tiles(MistakeModel model) {
  model.of_some_size = true;
  return model;
}

const MistakeModel kTileMistakes[] = {
    of_tiles(
        {"tile_offset_missing", kTiled,
         "The offset of the tile is missing: every tile reads the input of the first one.",
         "The input tile starts at row tile_row * tile_h * stride_h - pad_h, not at threadIdx.y.",
         first_tile_everywhere}),
    of_tiles(
        {"only_first_tile", kTiled, "Only the first tile of each map is written.",
         "Where in the output does a block's tile begin, and how many blocks does the grid have?",
         only_first_tile}),
    of_tiles(
        {"tiles_numbered_by_height", kTiled,
         "The number of a tile is split into row and column by the wrong count: as many tiles "
         "in a row as the output's height has, in place of its width.",
         "Tile t lies in row t / tiles and column t % tiles, where tiles = (ow + tile_w - 1) / "
         "tile_w.",
         numbered_by_height}),
    of_tiles(
        {.id = "grid_truncated",
         .op = kTiled,
         .sentence = "Only whole tiles are computed: the outputs beyond the last whole one are "
                     "never written.",
         .hint =
             "The number of tiles is the quotient rounded up, (oh + tile_h - 1) / tile_h; threads "
             "without an output load, and write nothing.",
         .predict = whole_tiles,
         .grid = MistakeModel::Grid::rounded_down}),
    of_tiles({"truncated_maps", kTiled,
              "Only whole blocks of maps are computed: the last maps are never written.",
              "The number of blocks is the quotient rounded up; the last one computes fewer maps.",
              whole_map_blocks}),
    of_tiles({"missing_halo", kTiled, kHaloMissing, kHaloHint, CONVKIT_ZERO(without_halo)}),
    of_tiles({"missing_halo", kTiled, kHaloMissing, kHaloHint, CONVKIT_GARBAGE(without_halo)}),
    of_tiles({"stride_missing_in_tile", kTiled, kStrideMissing, kInputTileHint,
              CONVKIT_ZERO(without_stride)}),
    of_tiles({"stride_missing_in_tile", kTiled, kStrideMissing, kInputTileHint,
              CONVKIT_GARBAGE(without_stride)}),
    of_tiles({"dilation_missing_in_tile", kTiled, kDilationMissing, kInputTileHint,
              CONVKIT_ZERO(without_dilation)}),
    of_tiles({"dilation_missing_in_tile", kTiled, kDilationMissing, kInputTileHint,
              CONVKIT_GARBAGE(without_dilation)}),
    of_tiles({"wrong_tile_pitch", kTiled, kTwoPitches, kPitchHint, pitch_of_output_tile<false>}),
    of_tiles({"wrong_tile_pitch", kTiled, kTwoPitches, kPitchHint, pitch_of_output_tile<true>}),
    of_tiles({"halo_of_other_axis", kTiled, kHaloOfRows, kHaloAxisHint, halo_of_other_axis<true>}),
    of_tiles(
        {"halo_of_other_axis", kTiled, kHaloOfColumns, kHaloAxisHint, halo_of_other_axis<false>}),
    of_tiles({"carry_made_once", kTiled, kCarryOnce, kCarryHint, carry_made_once}),
    of_tiles({"skipped_for_whole_tile", kTiled, kRowSkipped, kSkippedHint,
              skipped_for_whole_tile<true, false>}),
    of_tiles({"skipped_for_whole_tile", kTiled, kRowSkipped, kSkippedHint,
              skipped_for_whole_tile<true, true>}),
    of_tiles({"skipped_for_whole_tile", kTiled, kColumnSkipped, kSkippedHint,
              skipped_for_whole_tile<false, false>}),
    of_tiles({"skipped_for_whole_tile", kTiled, kColumnSkipped, kSkippedHint,
              skipped_for_whole_tile<false, true>}),
    of_tiles({"channels_in_parts", kTiled,
              "The channels are taken in parts, and the weights of the first part are used for "
              "every part: where the later parts of w begin is not added to the index.",
              kPartHint, weights_of_first_part}),
    of_tiles(
        {"channels_in_parts", kTiled,
         "The channels are taken in parts, and a later part of w begins at as many elements as "
         "there are channels before it: each channel has kh * kw of them.",
         kPartHint, weights_by_channel_number}),
    of_tiles({"channels_in_parts", kTiled,
              "The channels are taken in parts, and each part is computed with the input of the "
              "first one: where the later parts of x begin is not added to the index, or the tile "
              "is not loaded again.",
              kPartHint, input_of_first_part}),
    of_tiles({"channels_in_parts", kTiled,
              "Only the first channels count, those that are loaded together: the channels behind "
              "them are not added.",
              kPartHint, first_part_alone}),
    {"pad_ignored", kTiled,
     "The padding is ignored: the window of output (0, 0) "
     "starts at x[0][0] instead of x[-pad_h][-pad_w].",
     "The input tile starts pad_h rows above and pad_w columns left of its first window.",
     pad_ignored},
    {"swapped_images_and_maps", kTiled, kSwapped, kSwappedHint, maps_before_images},
    {"swapped_images_and_maps", kTiled, kSwapped, kSwappedHint, smaller_of_both},
};

const RegisterMistakes kTileMistakesRegistered(kTileMistakes);

}  // namespace
}  // namespace convkit::stage_03

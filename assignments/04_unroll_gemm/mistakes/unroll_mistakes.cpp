// SPDX-License-Identifier: MIT
// Known mistakes in unrolling, in rolling back, and in the offsets of a large matrix.
#include "unroll_model.h"

namespace convkit::stage_04 {
namespace {

constexpr const char* kUnroll = "unroll_[ec]*";  // unroll_elements, unroll_columns
constexpr const char* kRoll = "roll_*";

constexpr const char* kRowHint =
    "Row (ch * kh + p) * kw + q: the channel changes slowest, as it does in the filters "
    "w[m][c][kh][kw] that the matrix is multiplied with.";
constexpr const char* kColumnHint =
    "Column i * ow + j: i = column / ow and j = column % ow, with the width of the output.";
constexpr const char* kPlaceHint =
    "The row of x is i * stride_h + p * dilation_h - pad_h, the column j * stride_w + q * "
    "dilation_w - pad_w.";
constexpr const char* kImageHint =
    "x[image][ch] begins at (image * c + ch) * h * w, u[image] at image * rows * columns.";
constexpr const char* kKernelFlipped =
    "The window is turned by 180 degrees: this convolution is cross-correlation, row (ch, p, q) "
    "holds what w[m][ch][p][q] meets.";

// Each line is one mistake, in both directions.
constexpr const char* kBetweenTaps =
    "Elements between the taps of a window collect as well: the remainder of the division by the "
    "dilation is not looked at.";
constexpr const char* kTapHint =
    "Only if (row + pad_h - i * stride_h) % dilation_h is 0 does one of the taps of window i lie "
    "on this row.";

#define CONVKIT_BOTH(id, sentence, hint, change)              \
  {id, kUnroll, sentence, hint,                               \
   [](const Evidence& evidence) {                             \
     UnrollModel model(evidence);                             \
     change;                                                  \
     return model.unroll(evidence);                           \
   }},                                                        \
  {                                                           \
    id, kRoll, sentence, hint, [](const Evidence& evidence) { \
      UnrollModel model(evidence);                            \
      change;                                                 \
      return model.roll(evidence);                            \
    }                                                         \
  }

template <UnrollModel::RoundedDown kWhat>
Prediction remainder_ignored(const Evidence& evidence) {
  UnrollModel model(evidence);
  model.rounded_down = kWhat;
  return model.roll(evidence);
}

// --- offsets that do not fit into 32 bits ------------------------------------------------------

int64_t wrapped(int64_t number) {
  return int32_t(uint32_t(uint64_t(number)));
}

std::vector<double> words(const std::vector<int64_t>& numbers) {
  std::vector<double> result;
  for (const int64_t number : numbers) {
    result.push_back(double(number >> 32));
    result.push_back(double(wrapped(number)));
  }
  return result;
}

// offset(image, row, column, rows, columns) at the 27 places that the harness asks for.
template <class Offset>
Prediction offsets(const Evidence& evidence, Offset offset) {
  const UnrollModel model(evidence);
  const int64_t rows = model.c * model.kernel.h * model.kernel.w;
  const int64_t columns = model.output.h * model.output.w;
  std::vector<int64_t> numbers;
  for (const int64_t image : {int64_t{0}, model.n / 2, model.n - 1}) {
    for (const int64_t row : {int64_t{0}, rows / 2, rows - 1}) {
      for (const int64_t column : {int64_t{0}, columns / 2, columns - 1}) {
        numbers.push_back(offset(image, row, column, rows, columns));
      }
    }
  }
  if (evidence.reference.i32.size() != 2 * numbers.size()) return std::nullopt;
  return words(numbers);
}

Prediction all_in_32_bits(const Evidence& evidence) {
  return offsets(evidence,
                 [](int64_t image, int64_t row, int64_t column, int64_t rows, int64_t columns) {
                   return wrapped((image * rows + row) * columns + column);
                 });
}

Prediction matrix_in_32_bits(const Evidence& evidence) {
  return offsets(evidence,
                 [](int64_t image, int64_t row, int64_t column, int64_t rows, int64_t columns) {
                   return image * wrapped(rows * columns) + row * columns + column;
                 });
}

Prediction place_in_32_bits(const Evidence& evidence) {
  return offsets(evidence,
                 [](int64_t image, int64_t row, int64_t column, int64_t rows, int64_t columns) {
                   return image * rows * columns + wrapped(row * columns + column);
                 });
}

// --- offsets of another layout -----------------------------------------------------------------

Prediction images_side_by_side(const Evidence& evidence) {
  const int64_t n = parameter(evidence, "n");
  return offsets(evidence, [n](int64_t image, int64_t row, int64_t column, int64_t,
                               int64_t columns) { return (row * n + image) * columns + column; });
}
Prediction images_innermost(const Evidence& evidence) {
  const int64_t n = parameter(evidence, "n");
  return offsets(evidence, [n](int64_t image, int64_t row, int64_t column, int64_t,
                               int64_t columns) { return (row * columns + column) * n + image; });
}
Prediction matrix_transposed(const Evidence& evidence) {
  return offsets(evidence, [](int64_t image, int64_t row, int64_t column, int64_t rows,
                              int64_t columns) { return (image * columns + column) * rows + row; });
}
Prediction rows_of_rows(const Evidence& evidence) {
  return offsets(evidence,
                 [](int64_t image, int64_t row, int64_t column, int64_t rows, int64_t columns) {
                   return image * rows * columns + row * rows + column;
                 });
}
Prediction image_left_out(const Evidence& evidence) {
  return offsets(evidence, [](int64_t, int64_t row, int64_t column, int64_t, int64_t columns) {
    return row * columns + column;
  });
}
Prediction image_of_columns(const Evidence& evidence) {
  return offsets(evidence, [](int64_t image, int64_t row, int64_t column, int64_t,
                              int64_t columns) { return (image + row) * columns + column; });
}

Prediction offset_in_bytes(const Evidence& evidence) {
  return offsets(evidence,
                 [](int64_t image, int64_t row, int64_t column, int64_t rows, int64_t columns) {
                   return 4 * ((image * rows + row) * columns + column);
                 });
}

template <class Bytes>
Prediction workspace(const Evidence& evidence, Bytes bytes) {
  const UnrollModel model(evidence);
  if (evidence.reference.i32.size() != 2) return std::nullopt;
  return words(
      {bytes(model.c * model.kernel.h * model.kernel.w * model.output.h * model.output.w)});
}
// bytes_of(model): those of another array than the matrix of one image.
template <class Bytes>
Prediction other_workspace(const Evidence& evidence, Bytes bytes_of) {
  const UnrollModel model(evidence);
  return workspace(evidence, [&](int64_t) { return bytes_of(model); });
}

Prediction elements_in_32_bits(const Evidence& evidence) {
  return workspace(evidence, [](int64_t elements) { return 4 * wrapped(elements); });
}
Prediction unsigned_bytes_in_32_bits(const Evidence& evidence) {
  return workspace(evidence, [](int64_t elements) { return 4 * elements & 0xffffffff; });
}
Prediction bytes_in_32_bits(const Evidence& evidence) {
  return workspace(evidence, [](int64_t elements) { return wrapped(4 * elements); });
}
Prediction elements_for_bytes(const Evidence& evidence) {
  return workspace(evidence, [](int64_t elements) { return elements; });
}

int64_t bytes_of_matrix(const UnrollModel& model) {
  return 4 * model.c * model.kernel.h * model.kernel.w * model.output.h * model.output.w;
}
Prediction matrices_of_all_images(const Evidence& evidence) {
  return other_workspace(evidence,
                         [](const UnrollModel& model) { return model.n * bytes_of_matrix(model); });
}
Prediction matrix_of_one_channel(const Evidence& evidence) {
  return other_workspace(evidence,
                         [](const UnrollModel& model) { return bytes_of_matrix(model) / model.c; });
}
Prediction column_for_each_element(const Evidence& evidence) {
  return other_workspace(evidence, [](const UnrollModel& model) {
    return 4 * model.c * model.kernel.h * model.kernel.w * model.image.h * model.image.w;
  });
}
Prediction bytes_of_image(const Evidence& evidence) {
  return other_workspace(evidence, [](const UnrollModel& model) {
    return 4 * model.c * model.image.h * model.image.w;
  });
}
Prediction doubles(const Evidence& evidence) {
  return other_workspace(evidence,
                         [](const UnrollModel& model) { return 2 * bytes_of_matrix(model); });
}

constexpr const char* kMatrixHint =
    "One image at a time is unrolled: c * kh * kw rows and oh * ow columns of floats. A caller "
    "with "
    "room for more images may pass it.";
constexpr const char* kOffsetHint =
    "Element (row, column) of image i lies at (i * rows + row) * columns + column, with rows = c * "
    "kh * kw and columns = oh * ow.";
constexpr const char* kOverflow =
    "The offset is computed in 32 bits and overflows: the matrix has more than 2^31 elements.";
constexpr const char* kOverflowHint =
    "A product of ints is an int, even where its result is stored in an int64_t: make the first "
    "factor 64 bits wide.";

const MistakeModel kUnrollMistakes[] = {
    CONVKIT_BOTH("channel_and_kernel_swapped",
                 "Channel and kernel place are exchanged in the rows: the channel changes fastest.",
                 kRowHint, model.rows = UnrollModel::Rows::channel_last),
    CONVKIT_BOTH("kernel_place_turned",
                 "Kernel row and column are exchanged in the rows of the matrix.", kRowHint,
                 model.rows = UnrollModel::Rows::kernel_turned),
    CONVKIT_BOTH(
        "columns_of_wrong_height",
        "The columns follow the output column by column: j * oh + i instead of i * ow + j.",
        kColumnHint, model.columns = UnrollModel::Columns::by_columns),
    CONVKIT_BOTH("matrix_turned",
                 "The matrix is transposed: a window lies in a row instead of a column.",
                 "u[row][column] lies at row * columns + column: neighbouring outputs are "
                 "neighbours in memory, so that neighbouring threads can store them together.",
                 model.turned = true),
    CONVKIT_BOTH("window_turned", kKernelFlipped, kPlaceHint, model.flipped = true),
    CONVKIT_BOTH("dilation_forgotten", "The dilation is not used: the window has no gaps.",
                 kPlaceHint, model.dilation = (Pair{1, 1})),
    CONVKIT_BOTH("pad_forgotten", "The padding is ignored: the first window begins at x[0][0].",
                 kPlaceHint, model.pad = (Pair{0, 0})),
    CONVKIT_BOTH("stride_forgotten",
                 "The stride is not used: neighbouring windows are one element apart.", kPlaceHint,
                 model.stride = (Pair{1, 1})),
    CONVKIT_BOTH("image_missing", "Every matrix belongs to the first image.", kImageHint,
                 model.image_missing = true),
    CONVKIT_BOTH("channel_missing", "Every channel is the first one.", kImageHint,
                 model.channel_missing = true),
    {"remainder_ignored", "roll_gather",
     "Elements between the places of a window collect as well: the remainder of the division by "
     "the stride is not looked at.",
     "Only if (row + pad_h - p * dilation_h) % stride_h "
     "is 0 is there a window whose p-th row is this one.",
     remainder_ignored<UnrollModel::RoundedDown::windows>},
    {"remainder_ignored", "roll_gather", kBetweenTaps, kTapHint,
     remainder_ignored<UnrollModel::RoundedDown::taps>},
    {"remainder_ignored", "roll_gather", kBetweenTaps, kTapHint,
     remainder_ignored<UnrollModel::RoundedDown::taps_of_windows>},
    {"index_overflow", "unroll_offset", kOverflow, kOverflowHint, all_in_32_bits},
    {"index_overflow", "unroll_offset", kOverflow, kOverflowHint, matrix_in_32_bits},
    {"index_overflow", "unroll_offset", kOverflow, kOverflowHint, place_in_32_bits},
    {"other_layout", "unroll_offset",
     "The matrices of the images lie side by side, [rows][n][columns]: one wide matrix for the "
     "whole batch instead of one matrix after the other, [n][rows][columns].",
     kOffsetHint, images_side_by_side},
    {"other_layout", "unroll_offset",
     "The images change fastest, [rows][columns][n]: each image has a whole matrix, [n][rows]["
     "columns].",
     kOffsetHint, images_innermost},
    {"other_layout", "unroll_offset",
     "The matrix is transposed: [n][columns][rows] instead of [n][rows][columns].", kOffsetHint,
     matrix_transposed},
    {"other_layout", "unroll_offset",
     "A row is taken to be as long as the matrix has rows: it has one element for each column.",
     kOffsetHint, rows_of_rows},
    {"other_layout", "unroll_offset",
     "The image does not count: the matrix of image 0 is used for all of them.", kOffsetHint,
     image_left_out},
    {"other_layout", "unroll_offset",
     "An image is taken to be one row of the matrix: it has c * kh * kw rows.", kOffsetHint,
     image_of_columns},
    {"offset_in_bytes", "unroll_offset",
     "Every offset is 4 times too large: it counts bytes, and elements are asked for.", kOffsetHint,
     offset_in_bytes},
    {"size_overflow", "workspace_size", "The bytes are computed in 32 bits and overflow.",
     kOverflowHint, elements_in_32_bits},
    {"size_overflow", "workspace_size", "The bytes are computed in 32 bits and overflow.",
     kOverflowHint, bytes_in_32_bits},
    {"size_overflow", "workspace_size", "The bytes are computed in 32 bits and overflow.",
     kOverflowHint, unsigned_bytes_in_32_bits},
    {"size_in_elements", "workspace_size", "These are elements, not bytes.",
     "An element has sizeof(float) bytes.", elements_for_bytes},
    {"size_of_another", "workspace_size",
     "These are the bytes of the matrices of all n images: the workspace is that of one image.",
     kMatrixHint, matrices_of_all_images},
    {"size_of_another", "workspace_size",
     "These are the bytes for one channel: the matrix has kh * kw rows for each of the c channels.",
     kMatrixHint, matrix_of_one_channel},
    {"size_of_another", "workspace_size",
     "The columns are counted by the elements of the input, h * w, instead of by the outputs, oh * "
     "ow.",
     kMatrixHint, column_for_each_element},
    {"size_of_another", "workspace_size",
     "These are the bytes of an image, c * h * w floats; the unrolled matrix is larger.",
     kMatrixHint, bytes_of_image},
    {"size_of_another", "workspace_size",
     "These are twice the bytes: elements are counted as doubles; they are floats.", kMatrixHint,
     doubles},
};

const RegisterMistakes kUnrollMistakesRegistered(kUnrollMistakes);

}  // namespace
}  // namespace convkit::stage_04

// SPDX-License-Identifier: MIT
#include "cpu_device/check/tensors.h"

#include <algorithm>

#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {
namespace {

std::string bare(const std::string& name) {
  const bool quoted = name.size() > 2 && name.front() == '`' && name.back() == '`';
  return quoted ? name.substr(1, name.size() - 2) : name;
}

int64_t product(std::vector<int64_t>::const_iterator begin,
                std::vector<int64_t>::const_iterator end) {
  int64_t all = 1;
  for (; begin != end; ++begin) all *= *begin;
  return all;
}

// A dimension of a tensor, and the threads of a grid along one axis that are to cover it.
struct Axis {
  char name;  // 'x'
  int64_t extent;
  std::string what;  // "columns"
  int64_t block;     // threads of a block along it
  int64_t blocks;

  int64_t threads() const { return block * blocks; }
  bool is_too_short() const { return threads() < extent; }
  // One block less would not cover it.
  bool is_smallest_cover() const { return threads() >= extent && (blocks - 1) * block < extent; }
};

std::vector<Axis> axes_of(const std::vector<int64_t>& dims, const GridShape& grid) {
  std::vector<Axis> axes;
  if (dims.empty()) return axes;
  const size_t count = dims.size();
  axes.push_back(
      {'x', dims.back(), count == 1 ? "elements" : "columns", grid.threads.x, grid.blocks.x});
  if (count < 2) return axes;
  axes.push_back({'y', dims[count - 2], "rows", grid.threads.y, grid.blocks.y});
  if (count < 3) return axes;
  const int64_t planes = product(dims.begin(), dims.end() - 2);
  axes.push_back({'z', planes, "planes", grid.threads.z, grid.blocks.z});
  return axes;
}

bool is_one_row(const GridShape& grid) {
  return grid.blocks.y * grid.threads.y * grid.blocks.z * grid.threads.z == 1;
}

// All elements one after the other, for a grid that is a row of threads.
Axis all_elements(const std::vector<int64_t>& dims, const GridShape& grid) {
  return {'x', product(dims.begin(), dims.end()), "elements", grid.threads.x, grid.blocks.x};
}

std::string has(const std::string& name, const Axis& axis) {
  return name + " has " + std::to_string(axis.extent) + " " + axis.what;
}

std::string counted(int64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// threadIdx, blockIdx, blockDim, gridDim
uint3 built_in(size_t number) {
  const auto* numbers = static_cast<const unsigned*>(builtin_variables()[number]);
  return {numbers[0], numbers[1], numbers[2]};
}

}  // namespace

std::string coordinates(const std::string& name, const std::vector<int64_t>& dims,
                        int64_t element) {
  if (dims.empty() || element < 0) return "";
  std::vector<int64_t> at(dims.size(), 0);
  size_t outermost = 0;
  while (outermost + 1 < dims.size() && dims[outermost] == 1) ++outermost;
  for (size_t i = dims.size() - 1; i > outermost; --i) {
    if (dims[i] <= 0) return "";
    at[i] = element % dims[i];
    element /= dims[i];
  }
  const auto text = [&] {
    std::string indices;
    for (const int64_t index : at) indices += (indices.empty() ? "" : ",") + std::to_string(index);
    return bare(name) + "[" + indices + "]";
  };
  at[outermost] = element;
  const std::string first = text();
  if (outermost == 0 || element < dims[outermost]) return first;
  at[outermost] = element % dims[outermost];
  at[0] = element / dims[outermost];
  return first + " or " + text();
}

std::string column_too_far(const std::string& name, const std::vector<int64_t>& dims,
                           int64_t element) {
  const int64_t all = product(dims.begin(), dims.end());
  if (dims.size() < 2 || dims.back() < 2 || element != all) return "";
  std::string last = coordinates(name, dims, all - 1);
  last.resize(last.rfind(',') + 1);
  return " (or " + last + std::to_string(dims.back()) + "], a column too far)";
}

namespace {

// "images", "channels", "rows" and "columns"; none where it is not known what they are.
std::vector<std::string> names_of_axes(const std::string& name, size_t count) {
  const bool of_filters = bare(name) == "w" || bare(name) == "dw";
  const bool of_outputs = bare(name).find('y') != std::string::npos;
  if (count == 1) return {"elements"};
  if (count == 2) return {"rows", "columns"};
  if (count != 4) return {};
  if (of_filters) return {"feature maps", "channels", "kernel rows", "kernel columns"};
  return {"images", of_outputs ? "feature maps" : "channels", "rows", "columns"};
}

}  // namespace

std::vector<EndOfAxis> ends_before(const std::string& name, const std::vector<int64_t>& dims,
                                   int64_t element) {
  std::vector<EndOfAxis> ends;
  const std::vector<std::string> axes = names_of_axes(name, dims.size());
  int64_t step = 1;
  for (size_t axis = axes.size(); axis-- > 0; step *= dims[axis]) {
    const int64_t extent = dims[axis];
    if (extent < 2 || element < step || element / step % extent != 0) continue;
    ends.push_back({element - step, axes[axis].substr(0, axes[axis].size() - 1), extent});
  }
  return ends;
}

std::string beyond_end_text(const std::string& thread, const std::string& name,
                            const std::vector<int64_t>& dims, const EndOfAxis& end) {
  return thread + " also stores " + coordinates(name, dims, end.element) + ", in the last " +
         end.what + ": where it computes neighbours of one row or map, none may be stored beyond " +
         end.what + " " + std::to_string(end.extent - 1) + ". ";
}

std::string beyond_dimension(const std::string& name, const std::vector<int64_t>& dims) {
  if (dims.size() < 2) return "";
  const std::vector<std::string> axes = names_of_axes(name, dims.size());
  size_t outermost = 0;
  while (outermost + 1 < dims.size() && dims[outermost] == 1) ++outermost;
  if (outermost >= axes.size() || dims[outermost] < 2) return "";
  std::string text = ": " + bare(name) + " has ";
  for (size_t i = 0; i < outermost; ++i) {
    text += "one " + axes[i].substr(0, axes[i].size() - 1) + (i + 1 < outermost ? ", " : " and ");
  }
  return text + axes[outermost] + " 0 to " + std::to_string(dims[outermost] - 1) + " only";
}

std::string shape_text(const std::vector<int64_t>& dims) {
  std::string text;
  for (size_t i = 0; i < dims.size(); ++i) text += (i == 0 ? "" : " x ") + std::to_string(dims[i]);
  return text;
}

std::string beyond_text(const std::string& name, const std::vector<int64_t>& dims,
                        const GridShape& grid, uint3 block, uint3 thread, int64_t element) {
  const int64_t at[] = {int64_t{block.x} * grid.threads.x + thread.x,
                        int64_t{block.y} * grid.threads.y + thread.y};
  std::vector<Axis> axes = axes_of(dims, grid);
  if (is_one_row(grid) && dims.size() > 1) axes = {all_elements(dims, grid)};
  for (size_t i = 0; i < std::min<size_t>(axes.size(), 2); ++i) {
    const Axis& axis = axes[i];
    if (!axis.is_smallest_cover() || at[i] < axis.extent) continue;
    if (dims.size() == 1 && element >= 0 && element != at[i]) continue;
    std::string last = axis.what;
    last.pop_back();
    return "The grid has " + std::to_string(axis.threads()) + " threads in " + axis.name +
           ", and " + has(name, axis) + ": a thread beyond the last " + last +
           " must not read or write. ";
  }
  return "";
}

bool is_in_rows_of_block_height(int64_t element, uint3 threads, uint3 thread) {
  return threads.z == 1 && threads.x > 1 && threads.y > 1 && threads.x != threads.y &&
         element == int64_t{thread.y} * threads.y + thread.x;
}

std::string exchanged_sizes(uint3 threads) {
  const std::string width = std::to_string(threads.x), height = std::to_string(threads.y);
  const std::string what = "The element lies where rows of " + height +
                           " have thread (x, y), at y * " + height + " + x, and the block has " +
                           width + " threads in x and " + height + " in y: ";
  // Blocks are wider than high, as rows are read along x.
  return what + (threads.x < threads.y
                     ? "the two have changed places. dim3 begins with x, the columns: dim3(" +
                           height + ", " + width + "). "
                     : "the array's two sizes have changed places. It has a row of " + width +
                           " elements for each y: [" + height + "][" + width + "]. ");
}

uint3 threads_of_block() {
  return built_in(2);
}

std::string beyond_outputs(uint3 block, uint3 thread, int64_t element) {
  const GridShape grid{built_in(3), built_in(2)};
  for (const NamedPart& output : named_outputs()) {
    std::string text = beyond_text(output.name, output.dims, grid, block, thread, element);
    if (!text.empty()) return text;
  }
  return "";
}

NotCovered not_covered(const std::string& name, const std::vector<int64_t>& dims,
                       const GridShape& grid, const std::vector<bool>& written) {
  const auto explains = [&](const auto& left_out) {
    for (size_t i = 0; i < written.size(); ++i) {
      if (written[i] == left_out(static_cast<int64_t>(i))) return false;
    }
    return true;
  };
  const auto told = [&](const std::vector<Axis>& axes, const std::vector<Axis>& all) {
    NotCovered result;
    result.is_rounded_down = std::all_of(all.begin(), all.end(), [](const Axis& axis) {
      return axis.is_too_short() ? axis.blocks == axis.extent / axis.block
                                 : axis.is_smallest_cover();
    });
    for (const Axis& axis : axes) {
      result.dimensions +=
          (result.dimensions.empty() ? "" : " and ") +
          (result.dimensions.empty() ? has(name, axis)
                                     : std::to_string(axis.extent) + " " + axis.what);
      const bool one = axis.blocks == 1;
      result.blocks += std::string(result.blocks.empty() ? "" : " ") + "In " + axis.name + ", " +
                       counted(axis.blocks, "block") + " of " + counted(axis.block, "thread") +
                       (one ? " covers " : " cover ") + std::to_string(axis.threads()) + ": " +
                       std::to_string((axis.extent + axis.block - 1) / axis.block) +
                       " would cover " + std::to_string(axis.extent) + ".";
    }
    result.has_flat_block =
        axes.size() == 1 && axes[0].name == 'y' && axes[0].block == 1 && grid.threads.x > 1;
    if (all.size() > 1) {
      const int64_t plane = all[0].extent * all[1].extent;
      result.has_enough_threads = all[0].threads() * all[1].threads() >= plane;
    }
    return result;
  };
  if (is_one_row(grid)) {
    const Axis all = all_elements(dims, grid);
    if (all.is_too_short() && explains([&](int64_t i) { return i >= all.threads(); })) {
      return told({all}, {all});
    }
  }
  const std::vector<Axis> axes = axes_of(dims, grid);
  for (unsigned chosen = (1u << axes.size()) - 1; chosen != 0; --chosen) {
    std::vector<Axis> too_short;
    bool all = true;
    for (size_t i = 0; i < axes.size(); ++i) {
      if (!(chosen >> i & 1)) continue;
      all = all && axes[i].is_too_short();
      too_short.push_back(axes[i]);
    }
    if (!all) continue;
    const int64_t columns = axes[0].extent, rows = axes.size() > 1 ? axes[1].extent : 1;
    const bool fits = explains([&](int64_t i) {
      const int64_t at[] = {i % columns, i / columns % rows, i / columns / rows};
      return std::any_of(too_short.begin(), too_short.end(),
                         [&](const Axis& axis) { return at[axis.name - 'x'] >= axis.threads(); });
    });
    if (fits) return told(too_short, axes);
  }
  return {};
}

}  // namespace convkit::simt::check

// SPDX-License-Identifier: MIT
#include "convkit/npy.h"

#include <stdexcept>

#include "convkit/atomic_file.h"
#include "convkit/checked_size.h"
#include "npy_header.h"

namespace convkit {
namespace {

NpyArray read_npy_array(const ByteSource& source, uint64_t byte_limit) {
  RangeStream stream(source, 0, source.size());
  NpyHeader header = read_npy_header(stream, source.size(), source.subject());
  require_within(header.data_bytes, byte_limit, source.subject());
  NpyArray array{header.dtype, std::move(header.dims), {}};
  array.bytes.resize(static_cast<size_t>(header.data_bytes));
  read_elements(stream, array.bytes, source.subject());
  return array;
}

}  // namespace

void NpyArray::require_dtype(DType wanted) const {
  if (dtype != wanted) {
    throw FormatError(std::string("An array of ") + name_of(dtype) + " was read as one of " +
                      name_of(wanted) + ".");
  }
}

void require_size(const std::vector<int64_t>& dims, DType dtype, size_t bytes) {
  const auto count = checked_product(dims);
  const auto needed =
      count ? checked_product({*count, static_cast<int64_t>(size_of(dtype))}) : count;
  if (!needed || static_cast<uint64_t>(*needed) != bytes) {
    throw std::invalid_argument("An array's dims do not hold " + std::to_string(bytes) +
                                " bytes of " + name_of(dtype) + ".");
  }
}

NpyArray read_npy(const std::filesystem::path& file, uint64_t byte_limit) {
  return read_npy_array(FileSource(file), byte_limit);
}

NpyArray parse_npy(std::span<const std::byte> memory, const std::string& name,
                   uint64_t byte_limit) {
  return read_npy_array(MemorySource(memory, name), byte_limit);
}

void write_npy(const std::filesystem::path& file, const NpyArray& array) {
  require_size(array.dims, array.dtype, array.bytes.size());
  const std::string header = make_npy_header(array.dtype, array.dims);
  AtomicFile out(file);
  out.append(std::as_bytes(std::span(header)));
  out.append(array.bytes);
  out.commit();
}

}  // namespace convkit

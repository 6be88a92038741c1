// SPDX-License-Identifier: MIT
// NumPy's .npz files: a zip archive of .npy members, stored (np.savez) or deflated
// (np.savez_compressed).
//
// Input is hostile: every size is checked against the file, the limits and what deflate can do
// before anything is allocated; checksums are verified; duplicate, overlapping, encrypted and
// otherwise packed members are refused.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "convkit/npy.h"

namespace convkit {

struct NpzLimits {
  uint64_t member_bytes = uint64_t{1} << 30;  // one member, unpacked
  uint64_t total_bytes = uint64_t{4} << 30;   // all members, unpacked
  uint64_t members = 1000;
};

// An open archive: the directory is read and checked at once, members when they are asked for, so
// a large archive costs no more memory than the members in use. Member names are without ".npy".
// Every function but those marked throws FormatError.
class NpzArchive {
 public:
  explicit NpzArchive(const std::filesystem::path& file, const NpzLimits& limits = {});
  // From memory, which must outlive the archive; `name` stands for the file in error messages.
  NpzArchive(std::span<const std::byte> memory, const std::string& name,
             const NpzLimits& limits = {});
  NpzArchive(NpzArchive&&) noexcept;
  NpzArchive& operator=(NpzArchive&&) noexcept;
  ~NpzArchive();

  std::vector<std::string> names() const;  // sorted
  bool contains(std::string_view name) const;
  NpyHeader header(std::string_view name) const;
  NpyArray read(std::string_view name) const;
  // Reads the elements straight to where they are needed (shared memory, a tensor). Throws
  // std::invalid_argument unless `into` holds exactly header(name).data_bytes. After a FormatError
  // the contents of `into` are unspecified.
  void read_into(std::string_view name, std::span<std::byte> into) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// All members at once. Throws FormatError.
std::map<std::string, NpyArray> read_npz(const std::filesystem::path& file,
                                         const NpzLimits& limits = {});
std::map<std::string, NpyArray> parse_npz(std::span<const std::byte> memory,
                                          const std::string& name, const NpzLimits& limits = {});

enum class Compression { stored, deflated };

// Writes the members in the order of their names, to a temporary name that is renamed when
// complete. Dates are fixed: stored archives depend on nothing but the arrays, deflated ones on
// zlib's version too. Archives of 4 GiB and more are refused. Throws std::runtime_error naming the
// file.
void write_npz(const std::filesystem::path& file, const std::map<std::string, NpyArray>& arrays,
               Compression compression = Compression::stored);

}  // namespace convkit

// SPDX-License-Identifier: MIT
// From what a student handed in to a clean folder of regular files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace convkit {

// The submission cannot be read at all; what() is one sentence for the student that names the
// object. Exit code 1: the submission falls short.
struct SubmissionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The machine or the kit failed, not the submission: `into` cannot be written, the disk is full, or
// this build has no libarchive. Exit code 3; it never costs a student points.
struct IntakeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct IntakeLimits {
  uint64_t total_bytes = 64ull << 20;  // of an archive, and of everything in it once unpacked
  uint64_t file_bytes = 16ull << 20;   // of one file
  unsigned files = 2000;
  unsigned depth = 12;  // folders above a file
};

struct SubmittedFile {
  std::string path;  // relative, '/' separators, normalised UTF-8, never leaves the root
  uint64_t bytes = 0;
  int64_t modified = 0;  // when it was saved, as what was handed in says; seconds, 0: unknown
};

struct Submission {
  std::string name;                  // the last component of what was given
  std::string sha256;                // of the archive; of a folder: over sorted paths and contents
  std::filesystem::path root;        // a private folder holding only regular files
  std::vector<SubmittedFile> files;  // sorted by path
  std::vector<std::string> notes;    // what was left out, repaired or is odd, one sentence each
};

// Takes a folder, zip, tar, tar.gz or tar.xz (tar.bz2, tar.zst; or one source file by itself) and
// lays its regular files under `into`, which must exist and be empty. The bytes of a file decide
// what kind of archive it is, not its name. Links, devices, absolute paths and ".." are refused by
// name; version control, build results and the like are left out with a note; limits are enforced
// while unpacking, never after. Sources are kept byte for byte. Nothing is written outside `into`,
// and on an error `into` is left empty. Throws SubmissionError, or IntakeError where the submission
// is not to blame.
Submission take_in(const std::filesystem::path& submission, const std::filesystem::path& into,
                   const IntakeLimits& limits = {});

// What is needed to find a stage on disk.
struct StageFiles {
  std::string id;                     // "01_blur"
  std::vector<std::string> required;  // file names: "conv2d.cpp", ...
};

struct FoundStage {
  std::string id;
  std::string folder;                // relative to Submission::root, "" is the root itself
  std::vector<std::string> files;    // all files of the stage, relative to `folder`
  std::vector<std::string> missing;  // required files that are not there
  std::vector<std::string> nearest;  // for each missing one: the nearest name found, or ""
};

struct FoundStages {
  std::vector<FoundStage> stages;     // sorted by id; only those found, each in one place
  std::vector<std::string> problems;  // sentences: a stage in two places, or no stage at all
  std::vector<std::string> notes;     // which place was taken of a stage in several
};

// Finds the stages whether or not there is a top folder: by folder name (01_blur, 01, stage1,
// ...), else by the required file names lying in one folder. Of a stage in several places the one
// with the most required files is taken, and of these the one saved last. Where that does not tell
// either and they do not hold the same files, it is a problem, and not among the stages.
FoundStages find_stages(const Submission& submission, const std::vector<StageFiles>& stages);

// Packs `files` (relative to `folder`) under the top folder `top` into a zip that take_in() reads.
// The same files always give the same bytes: entries are sorted and carry no clock. Written to a
// temporary name and renamed over `archive`; whether an older one may go, the caller asks first.
// Those that `programs` names, too, may be executed once they are unpacked. Throws
// std::runtime_error naming the path.
void pack_zip(const std::filesystem::path& archive, const std::filesystem::path& folder,
              const std::string& top, const std::vector<std::string>& files,
              const std::set<std::string>& programs = {});

}  // namespace convkit

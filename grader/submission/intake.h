// SPDX-License-Identifier: MIT
// From what a student handed in to a clean folder of regular files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace convkit {

// The submission cannot be read at all; what() is one sentence for the student that names the
// object. Exit code 1: the submission falls short.
struct SubmissionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct IntakeLimits {
  uint64_t total_bytes = 64ull << 20;   // unpacked
  uint64_t file_bytes = 16ull << 20;
  unsigned files = 2000;
  unsigned depth = 12;
};

struct SubmittedFile {
  std::string path;       // relative, '/' separators, normalised, never leaves the root
  uint64_t bytes = 0;
};

struct Submission {
  std::string name;                    // the last component of what was given
  std::string sha256;                  // of the archive's bytes; of a folder: over sorted paths and contents
  std::filesystem::path root;          // a private folder holding only regular files
  std::vector<SubmittedFile> files;    // sorted by path
  std::vector<std::string> notes;      // what was left out or repaired, one sentence each
};

// Takes a folder, zip, tar, tar.gz or tar.xz and lays its regular files under `into` (which must
// exist and be empty). Links, devices, absolute paths and ".." are refused by name; limits are
// enforced while unpacking, never after. Throws SubmissionError.
Submission take_in(const std::filesystem::path& submission, const std::filesystem::path& into,
                   const IntakeLimits& limits = {});

// What a stage looks like on disk, as far as finding it goes.
struct StageFiles {
  std::string id;                     // "01_cpu_conv"
  std::vector<std::string> required;  // file names: "conv2d.cpp", ...
};

struct FoundStage {
  std::string id;
  std::string folder;                      // relative to Submission::root, "" is the root itself
  std::vector<std::string> files;          // all files of the stage, relative to `folder`
  std::vector<std::string> missing;        // required files that are not there
  std::vector<std::string> nearest;        // for each missing one: the nearest name found, or ""
};

struct FoundStages {
  std::vector<FoundStage> stages;    // sorted by id; only those that were found at all
  std::vector<std::string> problems; // e.g. two files for one stage; one sentence each
};

// Finds the stages whether or not there is a top folder: by folder name (01_cpu_conv, 01, stage1,
// ...), else by the required file names lying in one folder.
FoundStages find_stages(const Submission& submission, const std::vector<StageFiles>& stages);

// Packs `files` (relative to `folder`) under the top folder `top` into a zip that take_in() reads.
// Written to a temporary name and renamed. Throws std::runtime_error naming the path.
void pack_zip(const std::filesystem::path& archive, const std::filesystem::path& folder,
              const std::string& top, const std::vector<std::string>& files);

}  // namespace convkit

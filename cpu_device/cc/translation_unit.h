// SPDX-License-Identifier: MIT
// A .cu file with the files it includes by "..." or from a folder named with -I, rewritten for the
// CPU device. All of them are compiled from copies in a scratch folder; each copy begins with a
// #line, so that messages and debuggers name the original.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cpu_device/rewrite/rewrite.h"

namespace convkit {

struct TranslationUnitRequest {
  std::filesystem::path folder;  // where the compiler will run: relative names begin here
  std::string file;              // the .cu file, as messages shall name it
  std::vector<std::filesystem::path> include_folders;  // -I, as given
  std::vector<std::string> macros;                     // names from -D
  rewrite::DeviceCode device_code = rewrite::DeviceCode::whole;
  // Kernels whose threads wait at most at barriers can run them as loops (rewrite/thread_loops.h).
  bool thread_loops = false;
  std::filesystem::path scratch;  // copies go here
  // Includes of untrusted submissions are followed only below these folders; if empty, everywhere.
  std::vector<std::filesystem::path> roots;
};

// One file of the unit.
struct RewrittenFile {
  std::filesystem::path copy;  // in the scratch folder, not written yet
  std::string name;            // of the original in messages
  std::string original;        // its text
  std::string text;            // of the copy
  rewrite::ColumnMap columns;
  std::vector<rewrite::Diagnostic> diagnostics;
};

struct TranslationUnit {
  std::vector<RewrittenFile> files;  // the .cu file first
  bool failed = false;               // some diagnostic is an error
  bool inline_ptx = false;           // the copies need simt/ptx.h
  // Launches name template arguments, and nothing is called `requires` or `concept`: then C++17 may
  // get concepts, without which g++ 13 refuses some of these launches (simt/launch.h).
  bool wants_concepts = false;

  const RewrittenFile* find(const std::string& name) const;
  // All diagnostics with the lines they are about, as a compiler prints them.
  std::string messages() const;
};

// Reads and rewrites; writes nothing. Throws UsageError where the .cu file cannot be read. Included
// files that cannot be found or read are left to the compiler.
TranslationUnit read_translation_unit(const TranslationUnitRequest& request);

}  // namespace convkit

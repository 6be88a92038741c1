// SPDX-License-Identifier: MIT
// How the files of a translation unit declare each name.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cpu_device/rewrite/kernel_parameters.h"
#include "cpu_device/rewrite/launch_bounds.h"
#include "cpu_device/rewrite/scopes.h"
#include "cpu_device/rewrite/source.h"

namespace convkit::rewrite {

// A variable in device memory, outside of functions and classes.
struct DeviceMemory {
  const Source* source = nullptr;
  size_t name = 0;        // its declaration in the source, a token
  size_t space = kNone;   // the brace of the named namespace that it is in
  size_t dimensions = 0;  // of an array
  bool constant = false;  // `__constant__`
};

class Names {
 public:
  // A source of the translation unit; it must outlive this.
  void add(const Source& source);
  // A macro from the command line.
  void add_macro(std::string_view name);
  // When everything was added, and before anything is asked: what the declarations mean depends on
  // the macros of all files.
  void finish();

  const std::set<std::string_view>& macros() const { return macros_; }

  // Whether every declaration of the name says this. False where the name may mean something else
  // as well (a variable, a parameter, a macro), and where it is not declared at all.
  bool is_only_kernel(std::string_view name) const;
  bool is_only_ordinary_function(std::string_view name) const;  // no kernel; host or device
  // Whether some declaration gives the name a `__device__`, or may.
  bool may_run_on_device(std::string_view name) const;

  // The bounds of the one kernel of this name, for a launch in the namespaces "a::b". Null where
  // the name may mean something else as well, and for a launch outside of the kernel's namespace.
  const LaunchBound* launch_bound(std::string_view name, std::string_view space) const;
  const std::map<std::string_view, LaunchBound>& launch_bounds() const { return bounds_; }

  // The declarations of the kernels of this name, if a launch by it must ask which of them it is
  // and all of them can be asked. Null for the name of one function, too.
  const std::vector<KernelParameters>* kernel_parameters(std::string_view name) const;
  const std::map<std::string_view, std::vector<KernelParameters>>& kernel_parameters() const {
    return parameters_;
  }

  // Whether some file declares a variable of this name in device memory `extern`.
  bool is_external(std::string_view name) const { return external_.contains(name); }
  // Whether this is a macro that may be `static`, `extern` or the like.
  bool may_give_storage(std::string_view name) const { return storage_macros_.contains(name); }

  // The variable in device memory, not `__managed__`, that the name stands for wherever the files
  // use it. Null where the name may mean something else as well.
  const DeviceMemory* device_memory(std::string_view name) const;
  // Whether a class may have a static member of this name.
  bool may_be_static_member(std::string_view name) const { return statics_.contains(name); }

  // Whether this macro turns an argument into text, and gets a launch somewhere.
  bool tells_launches(std::string_view name) const { return tell_launches_.contains(name); }

  // Names of what other threads may change while a loop looks at it (waiting_loops.h).
  const std::set<std::string_view>& shared() const { return shared_; }

  // Whether these files declare the name in any way.
  bool is_declared(std::string_view name) const;

  const std::vector<const Source*>& sources() const { return sources_; }
  // The scopes of a source that was added.
  const Scopes& scopes(const Source& source) const { return scopes_.at(&source); }

 private:
  struct Meaning {
    unsigned kernels = 0, device_functions = 0, host_functions = 0;
    unsigned others = 0;  // anything else, and functions that may be anything
  };

  void read_macros(const Source& source);
  void read_declarations(const Source& source);
  void read_kernel(const Source& source, const Stream& stream, const FunctionHead& head);
  void note_unasked(const Stream& stream, const Scopes& scopes);
  void read_device_memory(const Source& source);
  void drop_doubtful_device_memory(const Source& source);
  const Meaning* meaning(std::string_view name) const;

  // Texts of macros' names from the command line; the other names point into sources.
  std::set<std::string> given_;
  std::set<std::string_view> macros_, storage_macros_;
  std::set<std::string_view> external_, statics_, tell_launches_, shared_;
  std::map<std::string_view, DeviceMemory> device_memory_;
  std::map<std::string_view, Meaning> meanings_;
  std::map<std::string_view, LaunchBound> bounds_;
  std::map<std::string_view, std::vector<KernelParameters>> parameters_;
  // Kernels of which not every declaration can be asked.
  std::set<std::string_view> unasked_;
  std::map<const Source*, Scopes> scopes_;
  std::vector<const Source*> sources_;
  bool macros_make_kernels_ = false, macros_make_names_ = false;
};

}  // namespace convkit::rewrite

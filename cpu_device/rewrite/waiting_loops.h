// SPDX-License-Identifier: MIT
// Loops in device code that may wait for another thread without saying so, as in
// `while (atomicCAS(lock, 0, 1) != 0);`. A GPU runs the other thread meanwhile; the CPU device must
// be told.
#pragma once

#include <cstddef>
#include <set>
#include <string_view>

#include "cpu_device/rewrite/edits.h"
#include "cpu_device/rewrite/scopes.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// The variable that a `volatile` at `i` belongs to, a token; kNone: there is none in a cast.
size_t volatile_variable(const Stream& s, size_t i);

// Names that stand for what other threads may change while a loop looks at it: variables declared
// `volatile`, and functions that read such a variable or call an atomic function.
std::set<std::string_view> shared_names(const Stream& s, const Scopes& scopes);

// `while (x)` becomes `while (::convkit_simt_spin(), x)` where x or the body uses such a name or an
// atomic function; `for` likewise, if not its condition ends it in any case. `scopes`: null in the
// body of a macro, which may be used anywhere.
void mark_waiting_loops(const Stream& s, const Scopes* scopes,
                        const std::set<std::string_view>& names, Edits& edits);

// Whether [begin, end) has a loop that mark_waiting_loops() would change.
bool has_waiting_loop(const Stream& s, size_t begin, size_t end,
                      const std::set<std::string_view>& names);

}  // namespace convkit::rewrite

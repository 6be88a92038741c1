// SPDX-License-Identifier: MIT
// Whether a name is used where it stands, or may be declared anew.
#pragma once

#include <cstddef>
#include <set>
#include <string_view>

#include "cpu_device/rewrite/scopes.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// Whether the identifier at `i` is the name of something that is declared elsewhere, for sure.
// False where it may be declared here, or be the name of a member or of something in a namespace.
bool is_certain_use(const Stream& stream, const Scopes& scopes,
                    const std::set<std::string_view>& macros, size_t i);

}  // namespace convkit::rewrite

// SPDX-License-Identifier: MIT
// toml++, compiled once for all that include its header.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>

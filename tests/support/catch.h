// SPDX-License-Identifier: MIT
// The one include of Catch2 in the kit: version 2 is a single header, version 3 a library.
#pragma once

#if CONVKIT_CATCH2_MAJOR >= 3
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

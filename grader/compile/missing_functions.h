// SPDX-License-Identifier: MIT
// Functions that a submission calls and that are in no object of it: their source did not compile,
// or nobody wrote them. A generated stub stands for each, so that the rest can be linked and
// graded.
//
// A stub leaves "convkit: missing function 3" in the text of the runner's flight record and aborts.
// A submission may do the same by itself: the grader reads only the number, has the words of its
// own, and a case that ended so earns nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convkit {

// The symbols that a linker did not find, in the order of its complaints, each once; as it spells
// them, so to be called with --no-demangle. Names that no compiler makes are left out: the log may
// hold anything.
std::vector<std::string> undefined_symbols(const std::string& log);

// C++ source of a stub for each symbol. Stubs are weak, so that nothing is ever defined twice, and
// hidden, so that a runner which looks for the function does not find it.
std::string stubs_for(const std::vector<std::string>& symbols);

// Which stub left this text, or none.
std::optional<size_t> reached_stub(std::string_view record_text);

// "_Z4gonef" -> "gone(float)"; a name of C as it is.
std::string demangled(const std::string& symbol);

}  // namespace convkit

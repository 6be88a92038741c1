// SPDX-License-Identifier: MIT
// Objects that libraries have created for the program, such as cuDNN's descriptors.
#pragma once

namespace convkit::simt::check {

// Tells of handles and descriptors that were never destroyed.
void report_library_leaks();
// The same of texture and surface objects.
void report_texture_leaks();

}  // namespace convkit::simt::check

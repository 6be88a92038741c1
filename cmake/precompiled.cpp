// SPDX-License-Identifier: MIT
// The source of the targets that make the precompiled headers (CompileQuickly.cmake,
// Testing.cmake).

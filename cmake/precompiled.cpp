// SPDX-License-Identifier: MIT
// The source of the target that makes the precompiled header (CompileQuickly.cmake).

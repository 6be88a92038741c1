// SPDX-License-Identifier: MIT
// A submission whose static initialiser never ends.
namespace {

const int kNever = [] {
  for (volatile int i = 0;;) i = 1 - i;
  return 0;
}();

}  // namespace

extern "C" int never() {
  return kNever;
}

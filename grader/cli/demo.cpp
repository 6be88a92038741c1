#include "cli/commands.h"
namespace convkit {
int run_demo(const Kit&) {
  return 0;
}
}  // namespace convkit

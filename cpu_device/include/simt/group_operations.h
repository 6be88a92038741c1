// SPDX-License-Identifier: MIT
// The operations with which reductions and scans combine values. less and greater are the minimum
// and the maximum.
#pragma once

namespace cooperative_groups {

#define CONVKIT_SIMT_GROUP_OPERATION(name, expression)                                         \
  template <class Value>                                                                       \
  struct name {                                                                                \
    Value operator()(Value left, Value right) const { return static_cast<Value>(expression); } \
  };

CONVKIT_SIMT_GROUP_OPERATION(plus, left + right)
CONVKIT_SIMT_GROUP_OPERATION(less, right < left ? right : left)
CONVKIT_SIMT_GROUP_OPERATION(greater, left < right ? right : left)
CONVKIT_SIMT_GROUP_OPERATION(bit_and, left& right)
CONVKIT_SIMT_GROUP_OPERATION(bit_or, left | right)
CONVKIT_SIMT_GROUP_OPERATION(bit_xor, left ^ right)
#undef CONVKIT_SIMT_GROUP_OPERATION

}  // namespace cooperative_groups

// SPDX-License-Identifier: MIT
// [[adjoint]] of stage.toml: operations that must be the adjoints of another one, tested on random
// shapes without a stored reference.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "stage/sizes.h"

namespace convkit {

class TomlReader;

// An operation that is linear in each of its inputs, with one output. Its inputs bear the names of
// the table's tensors; so the harness must ask for them. The output has a name of its own, and the
// shape of the tensor `pair`, with which its inner product is taken.
struct AdjointOp {
  std::string op;
  std::vector<std::string> inputs;
  std::string output;
  std::string pair;
  SizeFormula terms;  // products in one element of the output
};

// A submission's operation, judged as a case.
struct AdjointCheck : AdjointOp {
  std::string task, group;
};

struct AdjointTensor {
  std::string name;
  std::vector<SizeFormula> dims;
};

struct ParamRange {
  int64_t low = 0, high = 0;  // both included
};

struct AdjointTable {
  std::string name;
  std::string title;   // the one sentence that is public even of hidden cases
  unsigned draws = 0;  // random shapes
  std::map<std::string, ParamRange> params;
  std::vector<std::map<std::string, ParamRange>> shapes;  // further ones, in part or wholly fixed
  std::vector<AdjointTensor> tensors;
  AdjointOp forward;                 // answered by the baseline
  std::vector<AdjointCheck> checks;  // answered by the submission
  std::string text;                  // all that the table says: TomlReader::text

  // How often each check is made.
  unsigned trials() const { return draws + static_cast<unsigned>(shapes.size()); }
  const AdjointTensor& tensor(const std::string& tensor_name) const;
};

// "adjoint_conv2d_wgrad": what a check is called among the cases.
std::string case_name(const AdjointTable& table, const AdjointCheck& check);

AdjointTable read_adjoint(const TomlReader& in);

}  // namespace convkit

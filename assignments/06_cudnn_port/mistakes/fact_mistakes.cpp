// SPDX-License-Identifier: MIT
// Messages about statuses, choices and tables that do not agree with the library.
#include "port_evidence.h"

namespace convkit::stage_06 {
namespace {

// All facts hold but those at the given places.
Prediction all_but(const Evidence& evidence, std::initializer_list<size_t> places) {
  std::vector<double> facts(evidence.reference.i32.begin(), evidence.reference.i32.end());
  for (const size_t place : places) {
    if (place >= facts.size()) return std::nullopt;
    facts[place] = 0;
  }
  return facts;
}

template <size_t... kPlaces>
Prediction without(const Evidence& evidence) {
  return all_but(evidence, {kPlaces...});
}

Prediction no_status(const Evidence& evidence) {
  return std::vector<double>(evidence.reference.i32.size(), 0.0);
}

// The table has four facts in each row: it is there once, status, workspace, place. Only one column
// may be wrong; all others must be right.
template <size_t kColumn>
Prediction column_is_wrong(const Evidence& evidence) {
  std::vector<double> facts(evidence.reference.i32.begin(), evidence.reference.i32.end());
  const auto got = evidence.got.i32;
  if (got.size() != facts.size() || facts.size() % 4 != 0) return std::nullopt;
  for (size_t at = kColumn; at < facts.size(); at += 4) facts[at] = got[at];
  return facts;
}

// In the column of places every wrong row is wrong in this way: Place of facts.h.
template <int32_t kPlace>
Prediction rows_stand(const Evidence& evidence) {
  std::vector<double> facts(evidence.reference.i32.begin(), evidence.reference.i32.end());
  const auto got = evidence.got.i32;
  if (got.size() != facts.size() || facts.size() % 4 != 0) return std::nullopt;
  for (size_t at = 3; at < facts.size(); at += 4) {
    if (got[at] != facts[at]) facts[at] = kPlace;
  }
  return facts;
}

// One algorithm that works stands behind one that failed, and all others stand right. Where times
// are sorted whatever the status, everything that works stands behind what failed.
Prediction one_row_stands_behind(const Evidence& evidence) {
  Prediction facts = rows_stand<2>(evidence);
  int wrong = 0;
  for (size_t at = 3; facts && at < facts->size(); at += 4) {
    wrong += (*facts)[at] != evidence.reference.i32[at];
  }
  return wrong == 1 ? facts : std::nullopt;
}

// The first entry that can be taken needs exactly as much as the limit, and another one was taken.
Prediction exactly_the_limit(const Evidence& evidence) {
  const auto exact = evidence.params.find("exact");
  if (exact == evidence.params.end() || exact->second == 0) return std::nullopt;
  return without<3>(evidence);
}

// Every wrong answer of a workspace query is wrong in this way: Said of facts.h.
template <int32_t kSaid>
Prediction queries_say(const Evidence& evidence) {
  std::vector<double> facts(evidence.reference.i32.begin(), evidence.reference.i32.end());
  const auto got = evidence.got.i32;
  if (facts.empty() || got.size() != facts.size()) return std::nullopt;
  for (size_t at = 0; at < facts.size(); ++at) {
    if (got[at] != facts[at]) facts[at] = kSaid;
  }
  return facts;
}

// Every wrong number of bytes in the table is wrong in this way: Said of facts.h.
template <int32_t kSaid>
Prediction table_bytes_are(const Evidence& evidence) {
  std::vector<double> facts(evidence.reference.i32.begin(), evidence.reference.i32.end());
  const auto got = evidence.got.i32;
  if (got.size() != facts.size() || facts.size() % 4 != 0) return std::nullopt;
  for (size_t at = 2; at < facts.size(); at += 4) {
    if (got[at] != facts[at]) facts[at] = kSaid;
  }
  return facts;
}

// Rows of zeros: algorithms that are missing.
Prediction rows_are_missing(const Evidence& evidence) {
  std::vector<double> facts(evidence.reference.i32.begin(), evidence.reference.i32.end());
  const auto got = evidence.got.i32;
  if (got.size() != facts.size() || facts.size() % 4 != 0) return std::nullopt;
  for (size_t row = 0; row < facts.size(); row += 4) {
    if (got[row] == 0) facts[row] = facts[row + 1] = facts[row + 2] = facts[row + 3] = 0;
  }
  return facts;
}

constexpr const char* kStatuses = "conv2d_*_statuses";
constexpr const char* kChoices = "conv2d_[hm]e*";
constexpr const char* kWorkspaces = "conv2d_*workspaces";
constexpr const char* kSameQuery =
    "Each pass has a query of its own, and it must be asked with the descriptors and the algorithm "
    "of the call.";
constexpr const char* kBytesNotWritten =
    "`bytes` was not written: it still held, after a success, what it held before the call.";
constexpr const char* kBytesAddedTo =
    "`bytes` depends on what it held before the call: it is read or added to, and not overwritten.";
constexpr const char* kOfOneImage =
    "These are the bytes for a batch of one image (n = 1): the query has to describe all n images.";
constexpr const char* kNotPadded = "These are the bytes for a convolution without padding.";
constexpr const char* kNotStrided = "These are the bytes for a convolution with stride 1.";
constexpr const char* kNotDilated = "These are the bytes for a convolution with dilation 1.";
constexpr const char* kOfOneChannel = "These are the bytes for images of one channel.";
constexpr const char* kWholeShape =
    "The query must be asked with the very descriptors of the call that uses the workspace.";
constexpr const char* kTable = "algorithm_table";
constexpr double kExact = 1;

const MistakeModel kFactMistakes[] = {
    {"status_ignored", kStatuses,
     "A call of the library failed, and the function returned CUDNN_STATUS_SUCCESS.",
     "Put every call of the library into CUDNN_TRY, and return the last one's status.", no_status,
     kExact, 1},
    {"status_ignored", kStatuses,
     "The library refused the workspace query, and the function returned CUDNN_STATUS_SUCCESS.",
     "Return the status of the query.", without<0>, kExact, 1},
    {"status_ignored", kStatuses,
     "The library refused to compute, and the function returned CUDNN_STATUS_SUCCESS.",
     "Return the status of cudnnConvolutionForward.", without<1>, kExact, 1},
    {"status_ignored", kStatuses, "No error comes back for a tensor without channels.",
     "cudnnSetTensorNdDescriptor returns a status like every other function.", without<2>, kExact,
     1},
    {"limit_ignored", kChoices, "The algorithm needs more workspace than the limit allows.",
     "Pass over entries whose `memory` is larger than limit_bytes.", without<0>, kExact, 1},
    {"limit_ignored", kChoices, "The algorithm needs more workspace than the limit allows.",
     "Pass over entries whose `memory` is larger than limit_bytes.", without<0, 3>, kExact, 1},
    {"unsupported_taken", kChoices,
     "The algorithm does not compute this convolution: its status is not CUDNN_STATUS_SUCCESS.",
     "Look at `status` of an entry before its time and memory, which mean nothing otherwise.",
     without<1>, kExact, 1},
    {"unsupported_taken", kChoices,
     "The algorithm does not compute this convolution: its status is not CUDNN_STATUS_SUCCESS.",
     "Look at `status` of an entry before its time and memory, which mean nothing otherwise.",
     without<1, 3>, kExact, 1},
    {"workspace_of_another_pass", kWorkspaces, "These are the bytes that the forward pass needs.",
     kSameQuery, queries_say<2>, kExact, 1},
    {"workspace_of_another_pass", kWorkspaces,
     "These are the bytes that the gradient of x needs (backward data).", kSameQuery,
     queries_say<3>, kExact, 1},
    {"workspace_of_another_pass", kWorkspaces,
     "These are the bytes that the gradient of w needs (backward filter).", kSameQuery,
     queries_say<4>, kExact, 1},
    {"workspace_of_one_algorithm", kWorkspaces,
     "Whichever algorithm is asked for, these are status and bytes of one and the same.",
     "Hand `algo` on to the query.", queries_say<5>, kExact, 1},
    {"workspace_of_turned_shape", kWorkspaces,
     "These are the bytes for a kernel with kw rows and kh columns.",
     "The order is m, c / groups, kh, kw.", queries_say<6>, kExact, 1},
    {"workspace_of_turned_shape", kWorkspaces,
     "These are the bytes for images with w rows and h columns.", "The order is n, c, h, w.",
     queries_say<7>, kExact, 1},
    {"workspace_of_other_sizes", kWorkspaces, kOfOneImage, kWholeShape, queries_say<12>, kExact, 1},
    {"workspace_of_other_sizes", kWorkspaces, kNotPadded, kWholeShape, queries_say<13>, kExact, 1},
    {"workspace_of_other_sizes", kWorkspaces, kNotStrided, kWholeShape, queries_say<14>, kExact, 1},
    {"workspace_of_other_sizes", kWorkspaces, kNotDilated, kWholeShape, queries_say<15>, kExact, 1},
    {"workspace_of_other_sizes", kWorkspaces, kOfOneChannel, kWholeShape, queries_say<16>, kExact,
     1},
    {"bytes_not_written", kWorkspaces, kBytesNotWritten,
     "Hand the pointer `bytes` on to the query, or write to *bytes after it.", queries_say<8>,
     kExact, 1},
    {"bytes_added_to", kWorkspaces, kBytesAddedTo,
     "Write *bytes = ...; what it holds before the call means nothing.", queries_say<9>, kExact, 1},
    {"status_ignored", kWorkspaces,
     "The library refuses some algorithms, and the function returned CUDNN_STATUS_SUCCESS for "
     "them.",
     "Return the status of the query.", queries_say<10>, kExact, 1},
    {"bytes_not_written", kChoices, kBytesNotWritten,
     "*bytes gets the memory of the entry that is chosen.", queries_say<8>, kExact, 1},
    {"bytes_added_to", kChoices, kBytesAddedTo,
     "Write *bytes = ...; what it holds before the call means nothing.", queries_say<9>, kExact, 1},
    {"limit_as_need", kChoices, "`bytes` is the limit, not what the chosen algorithm needs.",
     "*bytes gets the `memory` of the entry that is chosen, which is at most the limit.",
     queries_say<11>, kExact, 1},
    {"workspace_of_another", kChoices, "`bytes` is not what the chosen algorithm needs.",
     "Algorithm and memory must come from the same entry.", without<2>, kExact, 1},
    {"workspace_of_another", kChoices, "`bytes` is not what the chosen algorithm needs.",
     "Algorithm and memory must come from the same entry.", without<2, 3>, kExact, 1},
    {"limit_refused", kChoices,
     "The algorithm that comes first needs exactly as much as the limit, and was passed over: `>=` "
     "stands where `>` belongs, or `<` where `<=` belongs.",
     "What needs limit_bytes fits.", exactly_the_limit, kExact, 1},
    {"not_the_first", kChoices,
     "The algorithm works within the limit, but another one comes before it in the library's list.",
     "The list is sorted: take the first entry that can be used.", without<3>, kExact, 1},

    {"algorithms_missing", kTable, "Some algorithms have no row, or more than one.",
     "One row for each number from 0 to CUDNN_CONVOLUTION_FWD_ALGO_COUNT - 1, also for those that "
     "the library refuses.",
     rows_are_missing, kExact, 1},
    {"table_status_wrong", kTable, "The status of an algorithm is not the library's.",
     "What the workspace query says; and where it succeeds, what the convolution says.",
     column_is_wrong<1>, kExact, 1},
    {"table_workspace_wrong", kTable,
     "These are the bytes for a kernel with kw rows and kh columns.", kWholeShape,
     table_bytes_are<6>, kExact, 1},
    {"table_workspace_wrong", kTable, "These are the bytes for images with w rows and h columns.",
     kWholeShape, table_bytes_are<7>, kExact, 1},
    {"table_workspace_wrong", kTable, kOfOneImage, kWholeShape, table_bytes_are<12>, kExact, 1},
    {"table_workspace_wrong", kTable, kNotPadded, kWholeShape, table_bytes_are<13>, kExact, 1},
    {"table_workspace_wrong", kTable, kNotStrided, kWholeShape, table_bytes_are<14>, kExact, 1},
    {"table_workspace_wrong", kTable, kNotDilated, kWholeShape, table_bytes_are<15>, kExact, 1},
    {"table_workspace_wrong", kTable, kOfOneChannel, kWholeShape, table_bytes_are<16>, kExact, 1},
    {"table_workspace_wrong", kTable,
     "The workspaces are the library's, but they stand in the rows of other algorithms: where rows "
     "change places, all that belongs to an algorithm has to move with it.",
     "Exchange whole rows, std::swap(rows[i], rows[j]), or let std::sort() move them; a member "
     "that is left behind belongs to another algorithm then.",
     table_bytes_are<17>, kExact, 1},
    {"table_workspace_wrong", kTable,
     "The workspace of an algorithm is not what the library says of it.",
     "cudnnGetConvolutionForwardWorkspaceSize of that very algorithm; 0 where it is refused.",
     column_is_wrong<2>, kExact, 1},
    {"table_end_not_sorted", kTable,
     "One row of an algorithm that works stands behind one that failed, and the others stand "
     "right: "
     "what is sorted probably ends one row too early, or begins one too late.",
     "std::sort(first, last) sorts up to the element before `last`.", one_row_stands_behind, kExact,
     1},
    {"table_not_sorted", kTable,
     "A row of an algorithm that failed stands before one that works: rows are sorted without "
     "looking at the status.",
     "First what works, the fastest first. The 0 ms of an algorithm that failed are no time: sort "
     "by the status first, then by time.",
     rows_stand<2>, kExact, 1},
    {"table_not_sorted", kTable, "An algorithm stands behind one that is slower.",
     "Rows of algorithms that work are sorted by their time, the smallest first.", rows_stand<3>,
     kExact, 1},
    {"table_not_sorted", kTable,
     "Algorithms that failed do not stand in the order of their numbers.",
     "Behind all that work come those that failed, by their number.", rows_stand<4>, kExact, 1},
    {"table_not_sorted", kTable,
     "An algorithm that works has no time above 0, or one that failed has a time.",
     "A time is measured where the convolution succeeds; elsewhere it is 0.", rows_stand<0>, kExact,
     1},
    {"table_not_sorted", kTable, "Rows are out of order, or have a time where there is none.",
     "First what works, the fastest first, with a time above 0; "
     "then the others by their number, with 0.",
     column_is_wrong<3>, kExact, 1},
};

const RegisterMistakes kFactMistakesRegistered(kFactMistakes);

}  // namespace
}  // namespace convkit::stage_06

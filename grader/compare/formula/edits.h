// SPDX-License-Identifier: MIT
// Programs that are one mistake away from a formula.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/formula/formula.h"

namespace convkit {

struct Edit {
  enum class What {
    other_name,          // `argument` stands where the name belongs
    other_name_always,   // and so wherever that name belongs; `node` is the place of the name
    one_always,          // 1 stands there, wherever the name `node` belongs
    names_exchanged,     // and this one where `argument` belongs
    exchanged_in_parts,  // so, but only where parts of the formula are computed; twins, too
    other_tensor,
    complement,  // a where 1 - a belongs, and 1 - a where a is the factor
    no_left,     // a + b becomes b
    no_right,
    other_sign,
    multiplied_for_divided,  // and the other way round
    multiplied_by,           // the name `argument`
    divided_by,
    averaged,  // a sum: it is divided by the number of its terms that count
    scaled,    // what is read is halved, with `argument` 1 doubled
    half_of,   // the name `argument`, halved, stands there
    twice,     // of a padding's name: it is subtracted by two functions, say
    one_more,
    one_less,
    rounded_up,   // a quotient that is rounded down
    not_rounded,  // nor up
    // a + b * c where (a + b) * c belongs; `argument` is the child they are around. With `second` 1
    // it is a that is multiplied.
    no_brackets,
    other_number,  // that of node `argument`
    no_function,
    function_first,  // f(a) + b where f(a + b) belongs
    function_last,   // f(a + b) where f(a) + b belongs
    equal_counts,    // <= where < belongs, and the other way round
    equal_fails,
    always_then,
    always_else,
    other_way,   // then and else exchanged
    remainder,   // it is not tested
    truncation,  // nor is the quotient rounded down
    // Of axis `argument` of a read:
    untested,
    untested_below,
    untested_above,
    clamped,
    zero,  // what lies outside takes part as 0
    not_indexed,
    // Of a read: what lies outside along both of its last axes does not count. What lies outside
    // along one is the neighbour in memory; with `argument` 1 the nearest element inside. With 2
    // one number, made of both indices, is tested: what lies beside a row is the neighbouring row.
    either_inside,
    one_for_length,  // its length is left out: `node` is the length
    longer_rows,     // the step from one index of axis `argument` to the next is rounded up to a
                  // multiple of `parts`; with 1 it is one more. Of the output where node is kNoNode
    stored_as_read,       // the step of the output's axis `argument` is that of the read's; with
                          // `second` 1 those of the axes before it are made of it
    transposed_in_parts,  // of a copy that exchanges channels and pixels: so many pixels at a time,
                          // each part as if it were all of them
    other_plane,  // the plane of the output where the input's belongs, or the other way round, is
                  // the step of axis 1; with `second` 1 also of the axes before it
    counted_inside,  // of the weights: what lies in the padding does not count in their place,
                     // behind the axes before `argument`
    // Of the indices of a read made from two loops, one directly in the other:
    loops_exchanged,  // the outer one's variable stands for the inner one's, and the other way
                      // round
    loops_split,      // taken from one index with the outer one's length for the inner one's
    // Made from three loops, one in the other, which a program goes through in steps of `parts`
    // passes, without a division: at the end of the innermost loop (with `second` 1 of the middle
    // one) the one around it does not move on.
    carry_lost,
    taps_of_part,  // the taps are counted from the beginning of a part of `parts`
    // Of a read of [groups][...], made from an axis of the output and loops: of `parts` groups and
    // `second_parts` passes of the outermost loop at a time a program keeps a copy, the groups of
    // a place side by side. It is stored group by group, and read as it should be, with a step of
    // `argument` from place to place; with `second` 1 the other way round.
    copy_turned,
    // Of the name by which a variable is divided, wherever it is:
    split_by,         // the name `argument` stands there
    split_exchanged,  // and that name is exchanged with it
    phase_undilated,  // of `tap * dilation`, taken apart by `argument`, a stride: the dilation
                      // comes behind it
    // Of a padding's name, of a kernel's reach `dilation * (k - 1)`, and of exact():
    other_frame,       // what the kernel reaches beyond the padding
    reach_of_sum,      // k + dilation - 1
    reach_of_product,  // k * dilation
    other_remainder,   // is tested: of the variable (0), without the padding (1), without the tap
                       // (2), of the tap without its dilation (3)
    // Of a read, or of the output where node is kNoNode; `argument` numbers the permutations.
    other_layout,
    indices_exchanged,
    // Of a reduction:
    first_term,
    last_term,
    whole_parts,     // so many terms at a time; the rest is left out
    also_over,       // the output's axis `argument`
    carried,         // along that axis, never set to zero
    every_second,    // of the terms, numbered through nested loops, groups of `parts`: every second
                     // one does not count
    any_remainder,   // of nested sums whose index is an output's variable times a stride: what lies
                     // between two windows counts with both, as `second` names for the other axis
    taps_in_phases,  // a loop over taps, of which every stride-th one meets an element, ends at a
                     // multiple of the stride: rounded down, with `argument` 1 up. Also the loop
                     // `second`
    first_rounded,   // the first window that holds an element is found by a quotient, of a negative
                     // number, too, that is rounded towards 0; also that of the loop `second`
    squared,         // of a count over two axes: that along one of them (0 the outer one), squared
    again,           // of the last part, which is not full, the terms of the part before count, too
    reversed,        // of a variable's use
    // Of the output's axis `argument`:
    last_not_computed,
    first_not_computed,
    whole_parts_computed,
    unguarded,         // what lies beyond its end in the last block is computed and stored, too
    ends_exchanged,    // with axis `second`
    strips_overlap,    // in tiles of `parts`, threads with strips of `second_parts` are 1 apart
    interleaved,       // a thread's places, `parts` apart, are taken for `second_parts` neighbours
    not_stored_apart,  // the axis is missing in the place of a result
    parts_of_other,    // as many parts as axis `second` has of `second_parts`
    parts_exchanged,   // and so the other way round
    gaps,              // parts begin `parts` apart, and hold so many less the kernel's overlap;
    // along the next axis, too, if there are `second_parts`
    taken_apart,     // its index and those before it, from one flat index and the name `parts`
    rest_forgotten,  // its index is not the remainder by its length
    quarter,         // of all elements: so many bytes as there are elements
    // Of an output's variable multiplied by a name:
    part_unscaled,      // the first of each part is not multiplied
    within_unscaled,    // the place in the part is not
    part_unmultiplied,  // of axis `argument` of a read: a part, `parts` long, begins at so many
                        // elements
    counted_in_part,    // an output's variable counts from the beginning of its part
    first_of_part,      // and this is the first one of the part, for all of it
    pair_exchanged,     // of each part, the places `second` and `second_parts` are exchanged
    other_part,         // the part `argument` of the formula stands where the node's belongs
    other_part_always,  // and so in all uses of that part by the formula itself
    // In a loop: the part, which is of as many elements, is of those up to here. With `parts` 1, a
    // maximum, the sum so far is rescaled by exp(new - old): exp(x - so far + (top - so far)).
    part_so_far,
    // Of a reduction:
    ends_outside,  // at the first place outside of a tensor; so does the loop `second`. With
                   // `parts` 1 a division that leaves a rest ends nothing
    // Of nested sums:
    parts_rounded_down,  // `parts` parts share the sum, each of the quotient's length
    parts_overlap,       // behind the first `parts` terms each is added again by the next part, by
                         // at most `second_parts` of them
    // Of the index of a tested axis:
    start_clipped,  // where a window begins outside, it begins at 0, and ends as much later
    // Of axis `argument` of a read:
    other_step,  // of the length of axis `second` the name `parts` is a factor; kNoNode: none is
    only_first,  // the others are 0: a copy of the tensor ends behind it
    // Of a reduction as long as the output's axis `argument`:
    so_far,  // only up to the element at hand; with `second` 1 without that one
    // Of a reduction in whose terms a tested index is divided by the name `argument`, a stride; and
    // of the loop `second` in it:
    window_before,  // takes part, too, which ends before the element
    window_after,   // begins behind it
    only_quarter,   // of a read: as many bytes were copied as it has elements; the rest is 0
    // Of the output:
    only_inside_stored,  // what lies outside is not stored as 0
  } what;
  int node;
  int argument = 0;
  int parts = 0;
  int second = 0, second_parts = 0;
  bool on_both_axes = false;  // rows and columns alike
  bool everywhere = false;    // wherever the same expression stands
};

// The likeliest first.
std::vector<Edit> edits_of(const Formula& formula);
// Those of parts of a size that only an output tells: along each axis the first `sizes` are right.
std::vector<Edit> edits_of_parts(const Formula& formula, const std::vector<int64_t>& sizes);
Formula edited(const Formula& formula, const Edit& edit);

// What a student reads: what is done, what was to be done, and where.
std::string sentence_of(const Formula& formula, const Edit& edit);

}  // namespace convkit

// SPDX-License-Identifier: MIT
// The functions of the test submission: each misbehaves in one way, or not at all.
#pragma once

#define CONVKIT_TEST_FUNCTIONS(F)          \
  F(doubles)                               \
  F(changes_every_time)                    \
  F(predicts_the_signs)                    \
  F(remembers_magnitudes)                  \
  F(writes_nothing)                        \
  F(reads_past_the_end)                    \
  F(reads_before_the_beginning)            \
  F(writes_past_the_end)                   \
  F(writes_before_the_beginning)           \
  F(writes_just_past_the_end)              \
  F(writes_just_before_the_beginning)      \
  F(writes_to_its_input)                   \
  F(follows_null)                          \
  F(recurses)                              \
  F(has_a_large_array)                     \
  F(throws_text)                           \
  F(throws_a_number)                       \
  F(exits)                                 \
  F(loops)                                 \
  F(sleeps)                                \
  F(computes_for_a_while)                  \
  F(prints)                                \
  F(floods)                                \
  F(closes_the_channel)                    \
  F(writes_garbage_to_the_channel)         \
  F(writes_a_long_message_to_the_channel)  \
  F(replies_before_the_work)               \
  F(works_on_after_returning)              \
  F(works_when_continued)                  \
  F(empties_the_flight_record_and_crashes) \
  F(fills_the_flight_record_and_exits)     \
  F(throws_the_kits_error)                 \
  F(forges_a_complaint)                    \
  F(leaks_a_descriptor)                    \
  F(leaks_memory)                          \
  F(keeps_a_little_memory)                 \
  F(uses_much_memory)                      \
  F(leaves_a_thread_with_a_lock)           \
  F(takes_the_lock)                        \
  F(joins_a_thread)                        \
  F(counts_calls)

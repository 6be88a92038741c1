// SPDX-License-Identifier: MIT
#include "repair/cause_words.h"

namespace convkit::repair {

std::string_view words_of(Cause cause) {
  switch (cause) {
    case Cause::name:
      return "Another variable is meant";
    case Cause::constant:
      return "Another constant is meant";
    case Cause::number:
      return "The number is another one";
    case Cause::off_by_one:
      return "It is off by one";
    case Cause::operation:
      return "Another operator is meant";
    case Cause::call:
      return "The function is not the right one";
    case Cause::order:
      return "Two arguments are exchanged";
    case Cause::surplus_condition:
      return "A condition is too strict or not needed";
    case Cause::missing_condition:
      return "A part of the condition is missing";
    case Cause::joint:
      return "The conditions are joined the wrong way";
    case Cause::opposite:
      return "The condition is the wrong way round";
    case Cause::choice:
      return "The choice takes the wrong value";
    case Cause::surplus_statement:
      return "A statement should not be there";
    case Cause::statement_order:
      return "A statement stands in the wrong place";
    case Cause::repetition:
      return "It must be repeated as long as the condition holds";
    case Cause::guard:
      return "A test is missing";
    case Cause::barrier:
      return "A barrier is missing: threads must wait for each other";
    case Cause::atomic:
      return "Several threads add to one element, so the addition must be atomic";
    case Cause::assignment:
      return "The assignment is of the wrong kind";
    case Cause::surplus_term:
      return "A term should not be there";
    case Cause::missing_term:
      return "A term is missing";
    case Cause::surplus_factor:
      return "A factor should not be there";
    case Cause::missing_factor:
      return "A factor is missing";
    case Cause::grouping:
      return "The brackets of a sum or product are wrong";
    case Cause::rounding:
      return "A division of integers drops a remainder";
    case Cause::sign:
      return "The sign is wrong";
    case Cause::bytes:
      return "A size is counted in elements where bytes are wanted";
    case Cause::value:
      return "A constant and a variable are mistaken for each other";
    case Cause::stream:
      return "The stream is not the right one";
    case Cause::wait:
      return "The host must wait here for what the stream does";
    case Cause::clearing:
      return "An array must be set to zero first";
    case Cause::reset:
      return "A value must start anew in each turn of the loop";
    case Cause::last_part:
      return "The last part is smaller than the others";
    case Cause::layout:
      return "An index takes rows for columns";
  }
  return "";
}

}  // namespace convkit::repair

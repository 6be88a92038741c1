// SPDX-License-Identifier: MIT
// Reads a text of inline PTX, at compile time in kernels and at run time in the rewriter:
// instructions, predicates, blocks in braces, and declarations of registers. Labels are refused.
// Any text is accepted and either read or refused.
#pragma once

#include "simt/ptx/forms.h"
#include "simt/ptx/opcodes.h"

namespace convkit::simt::ptx {

class Parser {
 public:
  constexpr explicit Parser(std::string_view text) : text_(text) {}

  // The next instruction. False at the end and at a problem.
  constexpr bool next(Instruction& instruction) {
    while (!problem_) {
      skip_space();
      if (at_ >= text_.size()) {
        if (depth_ != 0) refuse(Problem::Kind::braces, "{");
        return false;
      }
      const char c = text_[at_];
      if (c == ';') {
        ++at_;
      } else if (c == '{') {
        open_block();
      } else if (c == '}') {
        close_block();
      } else if (c == '.') {
        read_declaration();
      } else {
        instruction = Instruction{};
        read_instruction(instruction);
        return !problem_;
      }
    }
    return false;
  }

  constexpr const Problem& problem() const { return problem_; }
  // Registers for all variables so far.
  constexpr int variables() const { return most_used_; }

 private:
  static constexpr int kDeepest = 8, kMostNames = 32;

  // Of `.reg .b32 r<4>` it stands for r0 to r3.
  struct Variable {
    std::string_view name;
    int first = 0, count = 0;  // 0: not of that form
    bool predicate = false;
  };

  constexpr void refuse(Problem::Kind kind, std::string_view subject) {
    if (!problem_) problem_ = {kind, subject};
  }

  constexpr char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  }

  constexpr void skip_space() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
        const std::string_view closing = peek(1) == '/' ? "\n" : "*/";
        const size_t end = text_.find(closing, at_ + 2);
        if (end == std::string_view::npos) {
          at_ = text_.size();
          return;
        }
        at_ = end + closing.size() - 1;
      } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
        return;
      }
    }
  }
  constexpr bool accept(char c) {
    skip_space();
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  constexpr void open_block() {
    ++at_;
    if (depth_ == kDeepest) return refuse(Problem::Kind::braces, "{");
    blocks_[depth_].names = name_count_;
    blocks_[depth_++].used = used_;
  }
  constexpr void close_block() {
    ++at_;
    if (depth_ == 0) return refuse(Problem::Kind::braces, "}");
    name_count_ = blocks_[--depth_].names;
    used_ = blocks_[depth_].used;
  }

  // A name, with the parts that dots divide.
  constexpr std::string_view word() {
    const size_t begin = at_;
    while (is_letter(peek()) || is_digit(peek()) || peek() == '.' ||
           (peek() == ':' && peek(1) == ':')) {
      at_ += peek() == ':' ? 2 : 1;
    }
    return text_.substr(begin, at_ - begin);
  }

  constexpr int small_number() {
    int number = 0;
    for (; is_digit(peek()) && number < 1000; ++at_) number = number * 10 + (peek() - '0');
    return number;
  }

  // `.reg .pred p, q;`
  constexpr void read_declaration() {
    const std::string_view directive = word();
    skip_space();
    const std::string_view type = word();
    if (directive != ".reg" || type.empty() || type[0] != '.' ||
        type_named(type.substr(1)) == Type::none) {
      return refuse(Problem::Kind::instruction, directive);
    }
    do {
      declare(type == ".pred");
    } while (!problem_ && accept(','));
    if (!accept(';')) refuse(Problem::Kind::end, directive);
  }

  constexpr void declare(bool predicate) {
    skip_space();
    while (peek() == '%') ++at_;
    Variable variable;
    variable.name = word();
    variable.first = used_;
    variable.predicate = predicate;
    if (variable.name.empty()) return refuse(Problem::Kind::end, ".reg");
    int registers = 1;
    if (accept('<')) {
      registers = variable.count = small_number();
      if (!accept('>')) return refuse(Problem::Kind::end, variable.name);
    }
    if (name_count_ == kMostNames || used_ + registers > kMostVariables) {
      return refuse(Problem::Kind::name, variable.name);
    }
    names_[name_count_++] = variable;
    used_ += registers;
    if (used_ > most_used_) most_used_ = used_;
  }

  // The register of a variable, or -1; `predicate` becomes whether it is one.
  constexpr int find_variable(std::string_view name, bool& predicate) const {
    for (int i = name_count_ - 1; i >= 0; --i) {
      const Variable& each = names_[i];
      predicate = each.predicate;
      if (each.count == 0) {
        if (each.name == name) return each.first;
        continue;
      }
      const size_t length = each.name.size();
      if (name.size() <= length || name.substr(0, length) != each.name) continue;
      int number = 0;
      for (const char c : name.substr(length)) {
        number = is_digit(c) && number < 1000 ? number * 10 + (c - '0') : 1000;
      }
      if (number < each.count) return each.first + number;
    }
    return -1;
  }

  constexpr void read_instruction(Instruction& instruction) {
    if (peek() == '@') {
      ++at_;
      instruction.guard = value();
      skip_space();
    }
    const size_t begin = at_;
    instruction.name = word();
    if (problem_) return;
    if (instruction.name.empty()) {
      return refuse(Problem::Kind::character, text_.substr(begin, 1));
    }
    if (accept(':')) return refuse(Problem::Kind::branch, instruction.name);
    find_in_table(instruction);
    read_operands(instruction);
    if (!problem_) check_operands(instruction);
  }

  constexpr void find_in_table(Instruction& instruction) {
    const std::string_view name = instruction.name, first = name.substr(0, name.find('.'));
    for (const std::string_view branch : {"bra", "brx", "call", "ret", "exit"}) {
      if (first == branch) return refuse(Problem::Kind::branch, name);
    }
    instruction.opcode = find_opcode(name);
    if (instruction.opcode == nullptr) return refuse(Problem::Kind::instruction, name);
    if (first == "cp" && !instruction.has("async")) return refuse(Problem::Kind::instruction, name);
    read_parts(instruction);
  }

  // What stands behind the first dot.
  constexpr void read_parts(Instruction& instruction) {
    const Opcode& opcode = *instruction.opcode;
    std::string_view rest = instruction.name.substr(opcode.name.size());
    while (!rest.empty()) {
      const size_t end = rest.find('.', 1);
      const std::string_view part = rest.substr(1, end == rest.npos ? rest.npos : end - 1);
      const Type type = type_named(part);
      if (!holds_word(type == Type::none ? opcode.modifiers : opcode.types, part) ||
          (type != Type::none && instruction.type_count == opcode.most_types)) {
        return refuse(Problem::Kind::modifier, instruction.name);
      }
      if (type != Type::none) instruction.types[instruction.type_count++] = type;
      rest = end == rest.npos ? std::string_view() : rest.substr(end);
    }
    if (instruction.type_count < opcode.fewest_types) {
      refuse(Problem::Kind::modifier, instruction.name);
    }
  }

  constexpr void read_operands(Instruction& instruction) {
    skip_space();
    while (!problem_ && at_ < text_.size() && peek() != ';' && peek() != '}') {
      if (instruction.operand_count == kMostOperands) {
        return refuse(Problem::Kind::operands, instruction.name);
      }
      instruction.operands[instruction.operand_count++] = operand();
      if (!accept(',')) break;
      skip_space();
    }
    if (problem_) return;
    // Without a semicolon the last instruction of a text or block is taken, too.
    skip_space();
    if (at_ < text_.size() && peek() != '}' && !accept(';')) {
      refuse(Problem::Kind::end, instruction.name);
    }
  }

  constexpr Operand operand() {
    Operand read;
    if (accept('{')) {
      read.kind = Operand::Kind::vector;
      read_elements(read, ',');
      if (!accept('}')) refuse(Problem::Kind::braces, "{");
    } else if (accept('[')) {
      read.kind = Operand::Kind::address;
      read_elements(read, '+');
      if (!accept(']')) refuse(Problem::Kind::braces, "[");
    } else {
      read.kind = Operand::Kind::single;
      read_elements(read, '|');
      if (read.count == 2) read.kind = Operand::Kind::pair;
    }
    const int most = read.kind == Operand::Kind::vector ? kMostElements : 2;
    if (read.count > most) refuse(Problem::Kind::operands, "[");
    return read;
  }

  constexpr void read_elements(Operand& read, char between) {
    do {
      skip_space();
      if (read.count == kMostElements) return refuse(Problem::Kind::operands, "{");
      read.elements[read.count++] = value();
      skip_space();
    } while (!problem_ && accept(between));
  }

  constexpr Value value() {
    skip_space();
    Value read;
    if (accept('!')) {
      read = value();
      read.negated = !read.negated;
      return read;
    }
    const size_t begin = at_;
    if (peek() == '%' && is_digit(peek(1))) {
      ++at_;
      read.kind = Value::Kind::argument;
      read.index = static_cast<unsigned short>(small_number());
    } else if (is_digit(peek()) || peek() == '-' || peek() == '+') {
      read_number(read);
    } else {
      read_name(read);
    }
    if (at_ == begin) refuse(Problem::Kind::character, text_.substr(begin, 1));
    return read;
  }

  constexpr void read_name(Value& read) {
    while (peek() == '%') ++at_;
    const std::string_view name = word();
    if (name == "_") {
      read.kind = Value::Kind::sink;
      return;
    }
    const int variable = find_variable(name, read.predicate);
    if (variable < 0) read.predicate = false;
    const int special = find_special(name);
    if (variable >= 0) {
      read.kind = Value::Kind::variable;
      read.index = static_cast<unsigned short>(variable);
    } else if (special >= 0) {
      read.kind = Value::Kind::special;
      read.index = static_cast<unsigned short>(special);
    } else if (!name.empty()) {
      refuse(Problem::Kind::name, name);
    }
  }

  static constexpr int digit(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
  }

  constexpr unsigned long long digits(int base) {
    unsigned long long number = 0;
    for (; digit(peek()) < base; ++at_) {
      number = number * static_cast<unsigned>(base) + static_cast<unsigned>(digit(peek()));
    }
    return number;
  }

  // Integers in any base of C, 0f and 0d with the bits of a float and a double, and 1.5.
  constexpr void read_number(Value& read) {
    const bool minus = peek() == '-';
    if (minus || peek() == '+') ++at_;
    if (!is_digit(peek())) return refuse(Problem::Kind::character, minus ? "-" : "+");
    read.kind = Value::Kind::constant;
    const char base = peek() == '0' ? peek(1) : '\0';
    if (base == 'f' || base == 'F' || base == 'd' || base == 'D') {
      at_ += 2;
      read.kind = Value::Kind::real;
      read.single = base == 'f' || base == 'F';
      read.bits = digits(16);
      if (minus) read.bits ^= 1ull << (read.single ? 31 : 63);
      return;
    }
    if (base == 'x' || base == 'X' || base == 'b' || base == 'B') {
      at_ += 2;
      read.bits = digits(base == 'x' || base == 'X' ? 16 : 2);
    } else {
      const size_t begin = at_;
      read.bits = digits(10);
      if (peek() == '.') return read_decimal(read, minus);
      if (text_[begin] == '0' && at_ > begin + 1) {
        at_ = begin;
        read.bits = digits(8);
      }
    }
    if (peek() == 'U') ++at_;
    if (minus) read.bits = 0 - read.bits;
  }

  constexpr void read_decimal(Value& read, bool minus) {
    double number = static_cast<double>(read.bits), scale = 1;
    for (++at_; is_digit(peek()); ++at_) {
      number = number * 10 + (peek() - '0');
      scale *= 10;
    }
    read.kind = Value::Kind::real;
    read.bits = bits_of_double(minus ? -(number / scale) : number / scale);
  }

  // C++17 has no constexpr way to look at them.
  static constexpr unsigned long long bits_of_double(double value) {
    const unsigned long long sign = value < 0 ? 1ull << 63 : 0;
    if (value < 0) value = -value;
    if (value == 0) return sign;
    int exponent = 0;
    for (; value >= 2; ++exponent) value /= 2;
    for (; value < 1; --exponent) value *= 2;
    const auto fraction = static_cast<unsigned long long>((value - 1) * 0x1p52);
    return sign | static_cast<unsigned long long>(exponent + 1023) << 52 | fraction;
  }

  constexpr void check_operands(const Instruction& instruction) {
    const Opcode& opcode = *instruction.opcode;
    const int count = instruction.operand_count;
    if (count < opcode.fewest_operands || count > opcode.most_operands ||
        !has_right_operands(instruction)) {
      return refuse(Problem::Kind::operands, instruction.name);
    }
    if (!has_right_form(instruction)) refuse(Problem::Kind::form, instruction.name);
  }

  struct Block {
    int names = 0, used = 0;
  };

  std::string_view text_;
  size_t at_ = 0;
  Problem problem_;
  Variable names_[kMostNames];
  int name_count_ = 0, used_ = 0, most_used_ = 0;
  Block blocks_[kDeepest];
  int depth_ = 0;
};

// At least as many as the text has instructions.
constexpr int most_instructions(std::string_view text) {
  int count = 1;
  for (const char c : text) count += c == ';' || c == '}';
  return count;
}

template <int most>
constexpr Program<most> parse(std::string_view text) {
  Program<most> program;
  Parser parser(text);
  Instruction instruction;
  while (program.size < most && parser.next(instruction)) {
    program.instructions[program.size++] = instruction;
  }
  program.problem = parser.problem();
  program.variables = parser.variables();
  return program;
}

// The first operand of the asm statement beyond those it has, as a problem.
constexpr Problem missing_argument(const Instruction& instruction, int arguments) {
  for (int i = 0; i < instruction.operand_count; ++i) {
    for (int e = 0; e < instruction.operands[i].count; ++e) {
      const Value& value = instruction.operands[i].elements[e];
      if (value.kind == Value::Kind::argument && value.index >= arguments) {
        return {Problem::Kind::argument, instruction.name};
      }
    }
  }
  const Value& guard = instruction.guard;
  if (guard.kind == Value::Kind::argument) return {Problem::Kind::operands, instruction.name};
  return {};
}

}  // namespace convkit::simt::ptx

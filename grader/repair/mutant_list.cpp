// SPDX-License-Identifier: MIT
#include "repair/mutant_list.h"

#include <utility>

namespace convkit::repair {

Mutant MutantList::changed(size_t begin, size_t end, std::string other, Reason reason) {
  return {{{begin, end, std::move(other)}}, reason.rank, reason.cause, {}, body_};
}

void MutantList::replace(Part expression, std::string other, Reason reason) {
  const size_t begin = code_.tokens()[expression.begin].begin;
  const size_t end = code_.tokens()[expression.end - 1].end;
  Mutant mutant = changed(begin, end, other, reason);
  std::string type = code_.joined(expression);
  if (type.find('{') != type.npos) type.clear();  // two lambdas have two types
  mutant.sites.push_back({begin, end, Mutant::Form::expression, std::move(other), std::move(type)});
  found_.push_back(std::move(mutant));
}

void MutantList::replace_value(Part expression, std::string other, Reason reason) {
  replace(expression, std::move(other), reason);
  found_.back().sites[0].type.clear();
}

void MutantList::replace_operator(size_t k, std::string other, Reason reason) {
  const rewrite::Token& token = code_.tokens()[k];
  Mutant mutant = changed(token.begin, token.end, other, reason);
  mutant.sites.push_back({token.begin, token.end, Mutant::Form::infix, std::move(other), ""});
  found_.push_back(std::move(mutant));
}

void MutantList::exchange(Part one, Part other, Reason reason) {
  const std::string a = code_.joined(one), b = code_.joined(other);
  if (a == b || a.find('{') != a.npos || b.find('{') != b.npos) return;
  const rewrite::Stream& s = code_.tokens();
  Mutant mutant =
      changed(s[one.begin].begin, s[other.end - 1].end,
              code_.text(other) + code_.between(one.end, other.begin) + code_.text(one), reason);
  mutant.sites.push_back({s[one.begin].begin, s[one.end - 1].end, Mutant::Form::expression, b, a});
  mutant.sites.push_back(
      {s[other.begin].begin, s[other.end - 1].end, Mutant::Form::expression, a, b});
  found_.push_back(std::move(mutant));
}

void MutantList::replace_in_statement(Part statement, Part within, std::string other,
                                      Reason reason) {
  const rewrite::Stream& s = code_.tokens();
  const size_t from = s[statement.begin].begin, to = s[statement.end - 1].end;
  const size_t begin = s[within.begin].begin, end = s[within.end - 1].end;
  const std::string& all = code_.source().text();
  std::string version = all.substr(from, begin - from) + other + all.substr(end, to - end);
  Mutant mutant = changed(begin, end, std::move(other), reason);
  mutant.sites.push_back({from, to, Mutant::Form::statement, std::move(version), ""});
  found_.push_back(std::move(mutant));
}

void MutantList::put_before(size_t k, const std::string& statement, Reason reason) {
  const size_t at = code_.tokens()[k].begin;
  Mutant mutant = changed(at, at, statement + " ", reason);
  mutant.sites.push_back({at, at, Mutant::Form::before, statement, ""});
  found_.push_back(std::move(mutant));
}

void MutantList::exchange_statements(Part one, Part other, Reason reason) {
  const rewrite::Stream& s = code_.tokens();
  const std::string a = code_.text(one), b = code_.text(other);
  if (a == b) return;
  Mutant mutant = changed(s[one.begin].begin, s[other.end - 1].end,
                          b + code_.between(one.end, other.begin) + a, reason);
  mutant.sites.push_back({s[one.begin].begin, s[one.end - 1].end, Mutant::Form::statement, b, ""});
  mutant.sites.push_back(
      {s[other.begin].begin, s[other.end - 1].end, Mutant::Form::statement, a, ""});
  found_.push_back(std::move(mutant));
}

void MutantList::move(Part statement, size_t k, Reason reason) {
  const rewrite::Stream& s = code_.tokens();
  const size_t begin = s[statement.begin].begin, end = s[statement.end - 1].end;
  const std::string text = code_.text(statement);
  const size_t to = s[k].begin;
  Mutant mutant = changed(begin, end, "", reason);
  mutant.edits.insert(to < begin ? mutant.edits.begin() : mutant.edits.end(), {to, to, text + " "});
  mutant.sites.push_back({begin, end, Mutant::Form::statement, ";", ""});
  mutant.sites.push_back({to, to, Mutant::Form::before, text, ""});
  found_.push_back(std::move(mutant));
}

}  // namespace convkit::repair

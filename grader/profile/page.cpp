// SPDX-License-Identifier: MIT
#include "profile/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "profile/pictures.h"
#include "profile/words.h"

namespace convkit {
namespace {

const char* const kHead = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{0}</title>
<style>
:root {{ color-scheme: light dark; --text: #1b1b1b; --page: #fdfdfd; --dim: #595959; --rule: #d9d9d9;
  --heat: 214 66 31; }}
@media (prefers-color-scheme: dark) {{ :root {{ --text: #ececec; --page: #161616; --dim: #a8a8a8;
  --rule: #3c3c3c; --heat: 255 120 80; }} }}
body {{ max-width: 72rem; margin: 0 auto; padding: 1rem; color: var(--text); background: var(--page);
  font: 1rem/1.5 system-ui, sans-serif; }}
h2 {{ border-top: 1px solid var(--rule); padding-top: 1rem; }}
h3 {{ font-family: ui-monospace, monospace; overflow-wrap: anywhere; }}
.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font: .85rem/1.5 ui-monospace, monospace; width: 100%; }}
caption {{ text-align: left; color: var(--dim); }}
th, td {{ text-align: left; vertical-align: top; padding: 0 .5rem; }}
td.number {{ text-align: right; color: var(--dim); user-select: none; }}
td.code {{ white-space: pre; }}
td.cost {{ color: var(--dim); white-space: pre-wrap; min-width: 22rem; }}
tr.hot td {{ background: rgb(var(--heat) / calc(var(--share) * 55%)); color: var(--text); }}
</style>
<h1>{0}</h1>
<p>Counted by convkit's CPU device. The share of a line is its part of the kernel's requests, sectors and
wavefronts; it is no time. <a href="#words">Words</a> are explained below.</p>
)";

const char* const kWords = R"(<h2 id="words">Words</h2>
<dl>
<dt>request</dt><dd>one load, store or atomic instruction of a warp, with the lanes that take part</dd>
<dt>sector</dt><dd>32 bytes of global memory that move</dd>
<dt>wavefront</dt><dd>one turn of the 32 banks of shared memory; each one beyond the first of a request is a
bank conflict</dd>
<dt>word</dt><dd>4 bytes of constant memory, which go to all lanes that load them; each one beyond the first of a
request is a turn more</dd>
<dt>arithmetic</dt><dd>floating-point operations that threads execute: fma is a fused multiply-add, special a
division, a square root or a function such as exp()</dd>
<dt>ridge</dt><dd>the FLOP for each byte from which on the arithmetic, and not memory, sets the limit</dd>
</dl>
)";

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// As in the model by which the device says what limits a kernel.
double cost(const ProfiledLine& line) {
  return static_cast<double>(line.requests + line.sectors + line.wavefronts + line.words +
                             4 * line.passes);
}

struct Row {
  double cost = 0;
  std::string words;
};

std::string table(const std::string& file, const std::map<int, Row>& rows, double all) {
  constexpr int kAround = 3;  // lines of the source
  const int first = std::max(1, rows.begin()->first - kAround),
            last = rows.rbegin()->first + kAround;
  const std::map<int, std::string> source = source_lines(file, first, last);
  std::string text = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\"><table><caption>{}</caption>\n<thead><tr><th "
      "scope=\"col\">line</th><th scope=\"col\">share</th><th scope=\"col\">source</th><th "
      "scope=\"col\">what was counted</th></tr></thead>\n<tbody>\n",
      escaped(file_words(file)));
  for (int number = first; number <= last; ++number) {
    const auto row = rows.find(number);
    const auto line = source.find(number);
    if (row == rows.end() && line == source.end()) continue;
    const double share = row == rows.end() || all == 0 ? 0 : row->second.cost / all;
    text += fmt::format(
        "<tr{}><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
        "class=\"code\">{}</td><td "
        "class=\"cost\">{}</td></tr>\n",
        share == 0 ? "" : fmt::format(" class=\"hot\" style=\"--share:{:.3f}\"", share), number,
        row == rows.end() ? "" : fmt::format("{:.0f} %", 100 * share),
        line == source.end() ? "" : escaped(line->second),
        row == rows.end() ? "" : escaped(row->second.words));
  }
  return text + "</tbody></table></div>\n";
}

std::string kernel_part(const ProfiledKernel& kernel) {
  std::map<std::string, std::map<int, Row>> files;
  double all = 0;
  const auto note = [&](const std::string& file, int number, double cost,
                        const std::string& words) {
    Row& row = files[file][number];
    row.cost += cost;
    row.words += (row.words.empty() ? "" : "\n") + words;
    all += cost;
  };
  for (const ProfiledLine& line : kernel.lines) {
    note(line.file, line.line, cost(line), access_words(line));
  }
  for (const ProfiledArithmetic& line : kernel.arithmetic) {
    note(line.file, line.line, 0, arithmetic_words(line.counts));
  }
  for (const ProfiledBarrier& barrier : kernel.barriers) {
    note(barrier.file, barrier.line, 0, barrier_words(barrier));
  }
  std::string text =
      fmt::format("<h3>{}</h3>\n<p>{}</p>\n<p><strong>{}</strong></p>\n", escaped(kernel.name),
                  launch_words(kernel), escaped(kernel.sentence));
  for (const std::string& words : {roofline_words(kernel), occupancy_words(kernel)}) {
    if (!words.empty()) text += fmt::format("<p>{}</p>\n", escaped(words));
  }
  if (kernel.roofline) {
    text += "<div class=\"scroll\" tabindex=\"0\">" + draw_roofline(kernel.name, *kernel.roofline) +
            "</div>\n";
  }
  for (const auto& [file, rows] : files) text += table(file, rows, all);
  return text;
}

}  // namespace

std::string profile_page(const std::string& title, const std::vector<ProfiledCase>& cases) {
  std::string page = fmt::format(fmt::runtime(kHead), escaped(title));
  for (const ProfiledCase& one : cases) {
    page += fmt::format("<h2>{}, case {}</h2>\n<p>{}</p>\n", escaped(one.op), escaped(one.name),
                        escaped(one.problem.empty() ? one.sizes : one.problem));
    for (const ProfiledKernel& kernel : one.kernels) page += kernel_part(kernel);
  }
  return page + kWords + "</html>\n";
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
#include "progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace convkit::train {

ProgressBar::ProgressBar(std::string title, int64_t total, int64_t later, bool terminal)
    : title_(std::move(title)), total_(total), later_(later), terminal_(terminal) {}

// Work after the last step, such as a test, is not counted.
void ProgressBar::measure(int64_t images) {
  if (first_images_ < 0) first_images_ = images, start_ = Clock::now();
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (seconds > 0) rate_ = double(images - first_images_) / seconds;
}

double ProgressBar::seconds_left(int64_t images) const {
  return rate_ > 0 ? double(total_ - images + later_) / rate_ : 0;
}

std::string duration_text(double seconds) {
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  const auto minutes = static_cast<int64_t>(std::lround(seconds / 60));
  if (minutes < 100) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string ProgressBar::line(int64_t images, double loss, double accuracy) const {
  constexpr int kWidth = 24;
  const double share = double(images) / double(std::max<int64_t>(total_, 1));
  const int full = std::clamp(static_cast<int>(share * kWidth), 0, kWidth);
  const std::string bar = terminal_
                              ? fmt::format("[{}{}] ", std::string(static_cast<size_t>(full), '#'),
                                            std::string(static_cast<size_t>(kWidth - full), '.'))
                              : "";
  const double left = seconds_left(images);
  return fmt::format("{}  {}{:3.0f} %  loss {:.4f}  accuracy {:5.2f} %  {:.0f} images/s{}", title_,
                     bar, 100 * share, loss, 100 * accuracy, rate_,
                     left > 0 ? fmt::format("  {} left", duration_text(left)) : "");
}

void ProgressBar::show(int64_t images, double loss, double accuracy) {
  measure(images);
  if (terminal_) {
    // Ten times a second: nobody can see more, and terminals are slow.
    const Clock::time_point now = Clock::now();
    if (now - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    std::fputs(("\r" + line(images, loss, accuracy) + "\x1b[K").c_str(), stdout);
  } else {
    const int quarter = static_cast<int>(4 * images / std::max<int64_t>(total_, 1));
    if (quarter <= quarter_ || quarter >= 4) return;
    quarter_ = quarter;
    std::puts(line(images, loss, accuracy).c_str());
  }
  std::fflush(stdout);
}

void ProgressBar::say(const std::string& sentence) {
  std::puts((terminal_ ? "\r" + sentence + "\x1b[K" : sentence).c_str());
  std::fflush(stdout);
}

void ProgressBar::finish(int64_t images, double loss, double accuracy, const std::string& tail) {
  const std::string text = line(images, loss, accuracy) + tail;
  std::puts((terminal_ ? "\r" + text + "\x1b[K" : text).c_str());
  std::fflush(stdout);
}

}  // namespace convkit::train

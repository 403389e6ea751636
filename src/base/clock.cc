#include "base/clock.h"

#include <time.h>

#include <cstdio>

namespace vernier {
namespace {

std::chrono::microseconds Read(clockid_t id) {
  timespec time{};
  clock_gettime(id, &time);
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::microseconds(time.tv_nsec / 1000);
}

}  // namespace

Timestamp SystemClock::Now() const { return Timestamp(Read(CLOCK_REALTIME)); }

// CLOCK_MONOTONIC would stand still while the machine is suspended.
SteadyTime SystemClock::Steady() const {
  return SteadyTime{Read(CLOCK_BOOTTIME)};
}

std::string FormatTimestamp(Timestamp time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ",
                static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()),
                static_cast<int>(clock.subseconds().count()));
  return text;
}

}  // namespace vernier

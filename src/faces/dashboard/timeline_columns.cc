#include "faces/dashboard/timeline_columns.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "study/trial_end.h"

namespace vernier {
namespace {

constexpr double kRuns = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostBars = 20000;

struct Bar {
  std::int32_t trial = 0;
  std::int32_t attempt = 0;
  double start = 0;
  double end = kRuns;
  std::uint8_t state = 0;
  std::uint8_t cause = 0;
  DeviceId device;  // Empty: none.
  std::int32_t slot = 0;
};

void AddAttempts(const TrialRecord& trial, std::vector<Bar>* bars) {
  for (const AttemptRecord& attempt : trial.attempts) {
    Bar bar;
    bar.trial = static_cast<std::int32_t>(ToInt(trial.id));
    bar.attempt = attempt.number;
    bar.start = Milliseconds(attempt.running_at.value_or(attempt.intended_at));
    if (attempt.ended_at) bar.end = Milliseconds(*attempt.ended_at);
    bar.state = static_cast<std::uint8_t>(attempt.state);
    bar.cause = static_cast<std::uint8_t>(attempt.end_cause);
    if (attempt.devices.empty()) bars->push_back(bar);
    for (const DeviceId& device : attempt.devices) {
      bar.device = device;
      bars->push_back(bar);
    }
  }
}

void AddClientsTrial(const TrialRecord& trial, std::vector<Bar>* bars) {
  if (!trial.started_at.has_value() || IsDeleted(trial)) return;
  Bar bar;
  bar.trial = static_cast<std::int32_t>(ToInt(trial.id));
  bar.start = Milliseconds(*trial.started_at);
  if (trial.ended_at) bar.end = Milliseconds(*trial.ended_at);
  bar.state = static_cast<std::uint8_t>(
      trial.ended_at ? AttemptState::kExited : AttemptState::kRunning);
  bar.cause = static_cast<std::uint8_t>(trial.end_cause);
  bars->push_back(bar);
}

/// Gives each bar its row, and returns the names of the rows.
std::vector<std::string> AssignSlots(std::vector<Bar>* bars) {
  std::map<DeviceId, std::int32_t> devices;
  for (const Bar& bar : *bars) {
    if (!bar.device.empty()) devices.try_emplace(bar.device, 0);
  }
  std::vector<std::string> names;
  for (auto& [device, slot] : devices) {
    slot = static_cast<std::int32_t>(names.size());
    names.push_back(device);
  }
  const std::size_t first_free = names.size();
  // The times when the rows without a device are free again. A bar takes the
  // first free row.
  std::vector<double> free_at;
  for (Bar& bar : *bars) {
    if (!bar.device.empty()) {
      bar.slot = devices[bar.device];
      continue;
    }
    std::size_t row = 0;
    while (row < free_at.size() && !(free_at[row] <= bar.start)) ++row;
    if (row == free_at.size()) {
      free_at.push_back(0);
      names.push_back(absl::StrCat("slot ", row + 1));
    }
    free_at[row] = bar.end;  // NaN: never.
    bar.slot = static_cast<std::int32_t>(first_free + row);
  }
  return names;
}

template <typename T>
void Add(std::string_view name, const std::vector<Bar>& bars, T Bar::*part,
         ColumnWriter* columns) {
  std::vector<T> values;
  values.reserve(bars.size());
  for (const Bar& bar : bars) values.push_back(bar.*part);
  columns->Add(name, values);
}

}  // namespace

void WriteTimelineColumns(const StudySnapshot& study, ColumnWriter* columns) {
  std::vector<Bar> bars;
  for (std::size_t n = study.trials.size(); n > 0 && bars.size() < kMostBars;
       --n) {
    const std::shared_ptr<const TrialRecord> trial =
        study.trials.Share(TrialId(static_cast<std::int64_t>(n)));
    IsJob(study) ? AddAttempts(*trial, &bars) : AddClientsTrial(*trial, &bars);
  }
  std::sort(bars.begin(), bars.end(), [](const Bar& a, const Bar& b) {
    return a.start != b.start ? a.start < b.start : a.trial < b.trial;
  });
  columns->Set("slots", AssignSlots(&bars));
  columns->SetDictionary("state", NamesUpTo(AttemptState::kLost, &ToString));
  columns->SetDictionary("cause", NamesUpTo(kLastEndCause, &ToString));
  Add("trial", bars, &Bar::trial, columns);
  Add("attempt", bars, &Bar::attempt, columns);
  Add("start", bars, &Bar::start, columns);
  Add("end", bars, &Bar::end, columns);
  Add("state", bars, &Bar::state, columns);
  Add("cause", bars, &Bar::cause, columns);
  Add("slot", bars, &Bar::slot, columns);
}

}  // namespace vernier

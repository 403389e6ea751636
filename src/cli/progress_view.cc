#include "cli/progress_view.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "cli/duration_text.h"
#include "cli/resource_tables.h"
#include "study/json.h"
#include "study/status_macros.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxRunning = 16;
constexpr std::size_t kBarWidth = 30;

std::string Parameters(const Json& trial) {
  std::string text;
  for (const Json& parameter : trial.value("parameters", Json::array())) {
    std::string value = parameter.value("value", "");
    if (!parameter.value("isText", false) && value.size() > 8) {
      value = ShortNumber(std::strtod(value.c_str(), nullptr));
    }
    absl::StrAppend(&text, text.empty() ? "" : " ", parameter.value("name", ""),
                    "=", value);
  }
  return text;
}

/// "0.93 at step 12", or empty.
std::string MeasurementText(const Json& trial, const std::string& key) {
  const Json measurement = trial.value(key, Json());
  if (!measurement.is_object()) return "";
  return absl::StrCat(ShortNumber(measurement.value("value", 0.0)), " at step ",
                      measurement.value("step", "0"));
}

std::int64_t Number(const Json& trial) {
  return std::strtoll(trial.value("trialId", "0").c_str(), nullptr, 10);
}

bool HasLiveAttempt(const Json& trial) {
  const Json attempts = trial.value("attempts", Json::array());
  if (attempts.empty()) return false;
  const std::string state = attempts.back().value("state", "");
  return state != "EXITED" && state != "KILLED" && state != "LOST";
}

std::string EndLine(const Json& trial) {
  const std::string objective = MeasurementText(trial, "finalMeasurement");
  const std::string cause = trial.value("endCause", "");
  std::string line = absl::StrCat(
      "trial ", Number(trial), "  ",
      absl::AsciiStrToLower(trial.value("state", "")),
      objective.empty() ? "" : "  ", objective, "  ", Parameters(trial));
  if (cause != "success") {
    const std::string message = trial.value("message", "");
    absl::StrAppend(&line, "  (", cause, message.empty() ? "" : ": ",
                    message.substr(0, message.find('\n')), ")");
  }
  return line;
}

std::string Bar(std::int64_t done, std::int64_t total) {
  const double part = total > 0 ? static_cast<double>(std::min(done, total)) /
                                      static_cast<double>(total)
                                : 0;
  const auto full =
      static_cast<std::size_t>(part * static_cast<double>(kBarWidth));
  return "[" + std::string(full, '#') + std::string(kBarWidth - full, '.') +
         "]";
}

}  // namespace

bool ProgressView::is_final() const {
  return state_ == "SUCCEEDED" || state_ == "FAILED" || state_ == "CANCELLED";
}

absl::Status ProgressView::TakeJob(std::string_view text) {
  VERNIER_ASSIGN_OR_RETURN(const Json job, ParseJson(text));
  if (!job.is_object()) return absl::InvalidArgumentError("not a job");
  const Json vernier = job.value("vernier", Json::object());
  job_id_ = job.value("jobId", "");
  state_ = job.value("state", "");
  error_message_ = job.value("errorMessage", "");
  waiting_for_ = vernier.value("waitingFor", "");
  is_paused_ = vernier.value("wanted", "") == "PAUSE";
  max_trials_ = vernier.value("maxTrials", std::int64_t{0});
  minimize_ = job.value("trainingInput", Json::object())
                  .value("hyperparameters", Json::object())
                  .value("goal", "") == "MINIMIZE";
  counts_.clear();
  const Json counts = vernier.value("trialCounts", Json::object());
  for (const auto& [state, count] : counts.items()) {
    counts_[state] = count.get<std::int64_t>();
  }
  return absl::OkStatus();
}

absl::Status ProgressView::TakeTrials(std::string_view answer,
                                      std::vector<std::string>* ended) {
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(answer));
  running_.clear();
  has_live_attempt_ = false;
  for (const Json& trial : document.value("trials", Json::array())) {
    const std::int64_t number = Number(trial);
    if (trial.value("endCause", "").empty()) {
      has_live_attempt_ = has_live_attempt_ || HasLiveAttempt(trial);
      std::string now = MeasurementText(trial, "lastMeasurement");
      if (now.empty()) now = trial.value("waitingFor", "");
      running_.push_back(
          {number, absl::StrCat("trial ", number, "  ",
                                absl::AsciiStrToLower(trial.value("state", "")),
                                "  ", Parameters(trial), "  ", now)});
      continue;
    }
    if (number < first_open_ || ended_[number]) continue;
    ended_[number] = true;
    ended->push_back(EndLine(trial));
    const Json metric = trial.value("finalMeasurement", Json());
    if (!metric.is_object()) continue;
    const double value = metric.value("value", 0.0);
    if (!has_best_ || (minimize_ ? value < best_ : value > best_)) {
      has_best_ = true;
      best_ = value;
      best_trial_ = number;
      best_text_ = Parameters(trial);
    }
  }
  // What lies before the first open trial need not be asked for again.
  while (!ended_.empty() && ended_.begin()->first == first_open_ &&
         ended_.begin()->second) {
    ended_.erase(ended_.begin());
    ++first_open_;
  }
  return absl::OkStatus();
}

std::vector<std::string> ProgressView::Lines(std::chrono::seconds elapsed,
                                             std::size_t width) const {
  const auto count = [this](const char* state) {
    const auto found = counts_.find(state);
    return found == counts_.end() ? 0 : found->second;
  };
  const std::int64_t failed = count("failed") + count("infeasible");
  const std::int64_t done = failed + count("completed") + count("stopped");
  std::vector<std::string> lines;
  lines.push_back(absl::StrCat(job_id_, "  ", state_,
                               is_paused_ ? " (paused)" : "", "  ",
                               Bar(done, max_trials_), " ", done, "/",
                               max_trials_, "  ", running_.size(), " running  ",
                               failed, " failed  ", FormatDuration(elapsed)));
  if (has_best_) {
    lines.push_back(absl::StrCat("best so far  ", ShortNumber(best_),
                                 "  (trial ", best_trial_, ")  ", best_text_));
  }
  for (std::size_t i = 0; i < running_.size() && i < kMaxRunning; ++i) {
    lines.push_back("  " + running_[i].text);
  }
  if (running_.size() > kMaxRunning) {
    lines.push_back(
        absl::StrCat("  and ", running_.size() - kMaxRunning, " more"));
  }
  if (running_.empty() && !waiting_for_.empty()) {
    lines.push_back("  " + waiting_for_);
  }
  for (std::string& line : lines) {
    for (char& c : line) {
      if (static_cast<unsigned char>(c) < ' ') c = ' ';
    }
    if (line.size() <= width) continue;
    // Not within a character of several bytes.
    std::size_t end = width;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) {
      --end;
    }
    line.resize(end);
  }
  return lines;
}

}  // namespace vernier

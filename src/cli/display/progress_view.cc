#include "cli/display/progress_view.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "base/timestamp_text.h"
#include "cli/display/duration_text.h"
#include "cli/display/end_reason.h"
#include "cli/display/resource_tables.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxRunning = 16;
constexpr std::size_t kWidestBar = 30;
constexpr std::size_t kNarrowestBar = 10;
constexpr std::size_t kBlanks = 2;  // Between parts of a line.

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

std::optional<Timestamp> TimeOf(const Json& trial, const char* key) {
  return ParseTimestamp(trial.value(key, ""));
}

/// "trial 3  completed  0.93 at step 12  lr=0.1". The parameters come last, so
/// a narrow screen cuts them off first.
std::vector<Span> TrialSpans(const Json& trial,
                             const std::string& measurement) {
  const std::string state = absl::AsciiStrToLower(trial.value("state", ""));
  std::string rest;
  for (const std::string& part : {measurement, Parameters(trial)}) {
    if (!part.empty()) absl::StrAppend(&rest, "  ", part);
  }
  return {{absl::StrCat("trial ", Number(trial), "  ")},
          {state, ColourOfState(state)},
          {rest}};
}

std::string EndLine(const Json& trial, Palette palette) {
  std::vector<Span> spans =
      TrialSpans(trial, MeasurementText(trial, "finalMeasurement"));
  const std::string reason =
      EndReason(trial.value("endCause", ""), trial.value("message", ""));
  if (!reason.empty()) spans.push_back({absl::StrCat("  (", reason, ")")});
  return RenderLine(spans, std::string::npos, palette);
}

std::vector<Span> OpenSpans(const Json& trial) {
  std::string now = MeasurementText(trial, "lastMeasurement");
  const bool has_value = !now.empty();
  std::vector<Span> spans = TrialSpans(trial, now);
  spans.insert(spans.begin(), {"  "});
  now = trial.value("waitingFor", "");
  if (!has_value && !now.empty()) spans.push_back({"  " + now});
  return spans;
}

std::string Bar(std::int64_t done, std::int64_t total, std::size_t width) {
  const double part = total > 0 ? static_cast<double>(std::min(done, total)) /
                                      static_cast<double>(total)
                                : 0;
  const auto full = static_cast<std::size_t>(part * static_cast<double>(width));
  return "[" + std::string(full, '#') + std::string(width - full, '.') + "]";
}

/// A part of a line. Parts of the lowest rank are always shown, others as long
/// as there is room.
struct Part {
  Span span;
  int rank = 0;
};

std::vector<Span> FitParts(const std::vector<Part>& parts,
                           std::size_t columns) {
  std::vector<bool> is_in(parts.size(), false);
  std::size_t used = 0;
  for (int rank = 0; rank <= static_cast<int>(parts.size()); ++rank) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].rank != rank || parts[i].span.text.empty()) continue;
      const std::size_t width =
          DisplayWidth(parts[i].span.text) + (used > 0 ? kBlanks : 0);
      if (rank > 0 && used + width > columns) continue;
      is_in[i] = true;
      used += width;
    }
  }
  std::vector<Span> line;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!is_in[i]) continue;
    if (!line.empty()) line.push_back({std::string(kBlanks, ' ')});
    line.push_back(parts[i].span);
  }
  return line;
}

std::size_t WidthOf(const std::vector<Span>& spans) {
  std::size_t width = 0;
  for (const Span& span : spans) width += DisplayWidth(span.text);
  return width;
}

}  // namespace

bool ProgressView::is_final() const {
  return state_ == "SUCCEEDED" || state_ == "FAILED" || state_ == "CANCELLED";
}

std::string ProgressView::EndText() const {
  const std::string state = is_paused_ && !is_final() ? "paused" : state_;
  // "paused by the user" says both, so the state is not repeated.
  if (error_message_.rfind(state + " ", 0) == 0) return error_message_;
  return error_message_.empty() ? state
                                : absl::StrCat(state, ": ", error_message_);
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
  const Json tuning = job.value("trainingInput", Json::object())
                          .value("hyperparameters", Json::object());
  is_tuning_ = !tuning.empty();
  minimize_ = tuning.value("goal", "") == "MINIMIZE";
  max_parallel_ = tuning.value("maxParallelTrials", std::int64_t{1});
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
      running_.push_back({TimeOf(trial, "startTime"), OpenSpans(trial)});
      continue;
    }
    if (number < first_open_ || ended_[number]) continue;
    ended_[number] = true;
    ended->push_back(EndLine(trial, palette_));
    const auto started_at = TimeOf(trial, "startTime");
    const auto ended_at = TimeOf(trial, "endTime");
    if (started_at && ended_at && trial.value("state", "") == "COMPLETED") {
      time_left_.Add(*ended_at - *started_at);
    }
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
  most_running_ = std::max(most_running_, running_.size());
  // Trials before the first open one need not be requested again.
  while (!ended_.empty() && ended_.begin()->first == first_open_ &&
         ended_.begin()->second) {
    ended_.erase(ended_.begin());
    ++first_open_;
  }
  return absl::OkStatus();
}

std::int64_t ProgressView::CountOf(const char* state) const {
  const auto found = counts_.find(state);
  return found == counts_.end() ? 0 : found->second;
}

std::optional<std::chrono::seconds> ProgressView::Left(std::int64_t done,
                                                       Timestamp now) const {
  if (is_paused_ || state_ != "RUNNING") return std::nullopt;
  std::vector<TimeLeft::Seconds> ages;
  for (const Running& each : running_) {
    ages.push_back(now - each.started_at.value_or(now));
  }
  const auto open = static_cast<std::int64_t>(running_.size());
  return time_left_.Estimate(
      max_trials_ - done - open, ages,
      std::min(max_parallel_, static_cast<std::int64_t>(most_running_)));
}

std::vector<Span> ProgressView::HeadLine(std::chrono::seconds elapsed,
                                         Timestamp now,
                                         std::size_t columns) const {
  const std::int64_t failed = CountOf("failed") + CountOf("infeasible");
  const std::int64_t done = failed + CountOf("completed") + CountOf("stopped");
  const auto left = Left(done, now);
  const std::string state = state_ + (is_paused_ ? " (paused)" : "");
  const std::string tries = absl::StrCat(done, "/", max_trials_);
  std::vector<Part> parts = {
      {{job_id_}, 0},
      {{state, ColourOfState(state)}, 0},
      {{tries}, 0},
      {{absl::StrCat(running_.size(), " running")}, 1},
      {{absl::StrCat(failed, " failed"),
        failed > 0 ? Colour::kRed : Colour::kNone},
       failed > 0 ? 2 : 5},
      {{FormatDuration(elapsed)}, 4},
      {{left.has_value() ? absl::StrCat("~", FormatDuration(*left), " left")
                         : ""},
       3},
  };
  std::vector<Span> line = FitParts(parts, columns);
  const std::size_t used = WidthOf(line);
  // The bar gets the remaining width and stands before the counts.
  constexpr std::size_t kAround = 3;  // "[", "]" and a blank.
  if (used + kAround + kNarrowestBar > columns) return line;
  const std::size_t width = std::min(kWidestBar, columns - used - kAround);
  parts[2].span.text = Bar(done, max_trials_, width) + " " + tries;
  return FitParts(parts, columns);
}

std::vector<std::string> ProgressView::Lines(std::chrono::seconds elapsed,
                                             Timestamp now,
                                             const DisplayArea& area) const {
  std::vector<std::vector<Span>> lines = {HeadLine(elapsed, now, area.columns)};
  if (has_best_) {
    lines.push_back(
        {{"best so far  "},
         {ShortNumber(best_), Colour::kBold},
         {absl::StrCat("  (trial ", best_trial_, ")  ", best_text_)}});
  }
  std::size_t shown = std::min(running_.size(), kMaxRunning);
  if (lines.size() + running_.size() > area.rows) {
    const std::size_t room =
        area.rows > lines.size() + 1 ? area.rows - lines.size() - 1 : 0;
    shown = std::min(shown, room);
  }
  for (std::size_t i = 0; i < shown; ++i) lines.push_back(running_[i].spans);
  if (running_.size() > shown) {
    lines.push_back({{absl::StrCat("  and ", running_.size() - shown,
                                   shown > 0 ? " more" : " running")}});
  }
  if (running_.empty() && !waiting_for_.empty()) {
    // Lines of a log may follow the first.
    const std::size_t first = waiting_for_.find('\n');
    std::string line = "  waits for " + waiting_for_.substr(0, first);
    if (first != std::string::npos) line += " see vernier why " + job_id_;
    lines.push_back({{std::move(line)}});
  }
  if (lines.size() > area.rows)
    lines.resize(std::max<std::size_t>(area.rows, 1));
  std::vector<std::string> texts;
  texts.reserve(lines.size());
  for (const std::vector<Span>& line : lines) {
    texts.push_back(RenderLine(line, area.columns, area.palette));
  }
  return texts;
}

}  // namespace vernier

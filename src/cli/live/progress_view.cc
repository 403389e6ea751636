#include "cli/live/progress_view.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/display/duration_text.h"
#include "cli/display/resource_tables.h"
#include "cli/live/line_parts.h"
#include "cli/live/time_left.h"
#include "study/words/end_words.h"
#include "study/words/shown_job_state.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxRunning = 16;
constexpr std::size_t kWidestBar = 30;
constexpr std::size_t kNarrowestBar = 10;
constexpr std::size_t kWidestChart = 30;
constexpr std::size_t kNarrowestChart = 5;

}  // namespace

bool ProgressView::is_final() const {
  return state_ == "SUCCEEDED" || state_ == "FAILED" || state_ == "CANCELLED";
}

std::string ProgressView::EndText() const {
  const std::string state = is_paused_ && !is_final() ? "paused" : state_;
  // "paused by the user" contains the state, which is therefore not repeated.
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
  error_message_ = PlainEnd(job.value("errorMessage", ""));
  waiting_for_ = vernier.value("waitingFor", "");
  is_paused_ = vernier.value("wanted", "") == "PAUSE";
  max_trials_ = vernier.value("maxTrials", std::int64_t{0});
  const Json tuning = job.value("trainingInput", Json::object())
                          .value("hyperparameters", Json::object());
  is_tuning_ = !tuning.empty();
  has_front_ = vernier.value("objectives", Json::array()).size() > 1;
  minimize_ = tuning.value("goal", "") == "MINIMIZE";
  time_left_ = ReadTimeLeft(vernier);
  counts_.clear();
  const Json counts = vernier.value("trialCounts", Json::object());
  for (const auto& [state, count] : counts.items()) {
    counts_[state] = count.get<std::int64_t>();
  }
  return absl::OkStatus();
}

absl::Status ProgressView::TakeTrials(std::string_view answer,
                                      std::vector<std::string>* ended) {
  VERNIER_ASSIGN_OR_RETURN(const std::vector<LiveTrial> trials,
                           ReadLiveTrials(answer));
  running_.clear();
  has_live_attempt_ = false;
  at_work_ = 0;
  for (const LiveTrial& trial : trials) {
    if (!trial.has_ended) {
      has_live_attempt_ = has_live_attempt_ || trial.has_live_attempt;
      at_work_ += trial.runs ? 1 : 0;
      std::vector<Span> line = LineOf(trial);
      line.insert(line.begin(), {"  "});
      running_.push_back(std::move(line));
      continue;
    }
    if (trial.number < first_open_ || ended_[trial.number]) continue;
    ended_[trial.number] = true;
    ended->push_back(RenderLine(LineOf(trial), std::string::npos, palette_));
    TakeEnded(trial);
  }
  // Trials before the first open one need not be requested again.
  while (!ended_.empty() && ended_.begin()->first == first_open_ &&
         ended_.begin()->second) {
    ended_.erase(ended_.begin());
    ++first_open_;
  }
  return absl::OkStatus();
}

void ProgressView::TakeEnded(const LiveTrial& trial) {
  const std::string failure = FailureText(trial);
  if (!failure.empty()) last_failure_ = failure;
  if (trial.value && MayBeBest(trial) && !has_front_ &&
      history_.Add(*trial.value, minimize_)) {
    best_trial_ = trial.number;
    best_text_ = trial.parameters;
  }
}

std::int64_t ProgressView::CountOf(const char* state) const {
  const auto found = counts_.find(state);
  return found == counts_.end() ? 0 : found->second;
}

std::vector<Span> ProgressView::HeadLine(std::chrono::seconds elapsed,
                                         std::size_t columns) const {
  const std::int64_t failed = CountOf("failed");
  const std::int64_t infeasible = CountOf("infeasible");
  const std::int64_t done =
      failed + infeasible + CountOf("completed") + CountOf("stopped");
  const std::string state(ShownState(state_, is_paused_ ? "PAUSE" : ""));
  const std::string tries = absl::StrCat(done, "/", max_trials_);
  std::vector<Part> parts = {
      {{job_id_}, 0},
      {{state, ColourOfState(state)}, 0},
      {{tries}, 0},
      {{absl::StrCat(at_work_, " running")}, 1},
      {{absl::StrCat(failed, " failed"),
        failed > 0 ? Colour::kRed : Colour::kNone},
       failed > 0 ? 2 : 5},
      {{infeasible > 0 ? absl::StrCat(infeasible, " infeasible") : ""}, 5},
      {{FormatDuration(elapsed)}, 4},
      {{time_left_.has_value()
            ? absl::StrCat("~", FormatDuration(*time_left_), " left")
            : ""},
       3},
  };
  std::vector<Span> line = FitParts(parts, columns);
  const std::size_t used = WidthOf(line);
  // The bar gets the remaining width and comes before the counts.
  constexpr std::size_t kAround = 3;  // "[", "]" and a blank.
  if (used + kAround + kNarrowestBar > columns) return line;
  const std::size_t width = std::min(kWidestBar, columns - used - kAround);
  parts[2].span.text = ProgressBar(done, max_trials_, width) + " " + tries;
  return FitParts(parts, columns);
}

std::vector<Span> ProgressView::BestLine(const DisplayArea& area) const {
  std::vector<Span> line = {{"best so far  "},
                            {ShortNumber(history_.best()), Colour::kBold}};
  const Span trial{absl::StrCat("  (trial ", best_trial_, ")")};
  // If there is little room, the chart is left out before the trial's number,
  // and the parameters before the chart.
  const std::size_t used = WidthOf(line) + DisplayWidth(trial.text) + 2;
  const std::size_t room = area.columns > used ? area.columns - used : 0;
  const std::vector<double> bests = history_.Sample(
      std::min(kWidestChart, std::max(room / 2, kNarrowestChart)));
  if (bests.size() > 1 && bests.size() <= room) {
    line.push_back({"  " + Sparkline(bests, area.glyphs), Colour::kCyan});
  }
  line.push_back(trial);
  line.push_back({"  " + best_text_});
  return line;
}

std::vector<std::string> ProgressView::Lines(std::chrono::seconds elapsed,
                                             const DisplayArea& area) const {
  std::vector<std::vector<Span>> lines = {HeadLine(elapsed, area.columns)};
  if (history_.has_best()) lines.push_back(BestLine(area));
  // On a low screen the running trials are more important.
  if (!last_failure_.empty() &&
      lines.size() + running_.size() + 1 <= area.rows) {
    lines.push_back({{"last failure", Colour::kRed}, {"  " + last_failure_}});
  }
  std::size_t shown = std::min(running_.size(), kMaxRunning);
  if (lines.size() + running_.size() > area.rows) {
    const std::size_t room =
        area.rows > lines.size() + 1 ? area.rows - lines.size() - 1 : 0;
    shown = std::min(shown, room);
  }
  for (std::size_t i = 0; i < shown; ++i) lines.push_back(running_[i]);
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

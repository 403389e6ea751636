#include "suggest/stopping/front_policy.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "suggest/curves/curve_model.h"
#include "suggest/front/free_boxes.h"
#include "suggest/front/pareto_front.h"
#include "suggest/gp/training_data.h"
#include "suggest/stopping/front_chance.h"
#include "suggest/stopping/giving_up.h"

namespace vernier {
namespace {

using Eigen::Index;

// The prediction of a metric without curves uses so many of the newest ends.
constexpr std::size_t kMaxEnds = 128;

// One metric in a judgement. It has a model of curves, or a surface.
struct JudgedMetric {
  const MetricCurves* curves = nullptr;
  CurveModel* model = nullptr;
  const FinalSurface* ends = nullptr;

  // Larger is better on the scale.
  double ToScale(double value) const {
    return model != nullptr ? model->scale().ToScale(value)
                            : MeritOf(curves->study->goal, value);
  }
  double ToValue(double scaled) const {
    return model != nullptr ? model->scale().ToValue(scaled)
                            : MeritOf(curves->study->goal, scaled);
  }
};

// The curves of a trial, one for each judged metric; null: it has none.
using CurvesOfTrial = std::vector<const TrialCurve*>;

std::map<std::int64_t, CurvesOfTrial> CurvesByTrial(
    const std::vector<JudgedMetric>& metrics) {
  std::map<std::int64_t, CurvesOfTrial> trials;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    for (const TrialCurve& trial : metrics[i].curves->study->trials) {
      CurvesOfTrial& curves = trials[trial.trial];
      curves.resize(metrics.size());
      curves[i] = &trial;
    }
  }
  return trials;
}

// Returns the number of trials on a front that are compared with. The number of
// boxes grows with its power.
std::size_t MostOnFront(std::size_t num_metrics) {
  constexpr std::size_t kMost[] = {200, 200, 200, 48, 16};
  return num_metrics < std::size(kMost) ? kMost[num_metrics] : 8;
}

// Returns the front of the complete trials that break no constraint, on the
// metrics' scales; without rows if there are none. Of a long front it has an
// even part, which is easier to enter.
Eigen::MatrixXd FrontOf(const std::vector<JudgedMetric>& metrics,
                        const std::map<std::int64_t, CurvesOfTrial>& trials) {
  std::vector<std::vector<double>> merits;
  for (const auto& [id, curves] : trials) {
    std::vector<double> row;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      const TrialCurve* const trial = curves[i];
      if (trial == nullptr || !trial->final_value.has_value() ||
          trial->breaks_constraint) {
        break;
      }
      row.push_back(metrics[i].ToScale(*trial->final_value));
    }
    if (row.size() == metrics.size()) merits.push_back(std::move(row));
  }
  std::vector<std::size_t> front = NondominatedRows(merits);
  std::sort(front.begin(), front.end(), [&](std::size_t a, std::size_t b) {
    return merits[a] < merits[b];
  });
  const std::size_t count = std::min(front.size(), MostOnFront(metrics.size()));
  Eigen::MatrixXd rows(static_cast<Index>(count),
                       static_cast<Index>(metrics.size()));
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t at =
        count < 2 ? 0 : row * (front.size() - 1) / (count - 1);
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      rows(static_cast<Index>(row), static_cast<Index>(i)) =
          merits[front[at]][i];
    }
  }
  return rows;
}

// What is predicted of a trial.
struct FrontOutlook {
  std::vector<NormalValue> finals;
  // From its parameters and the other trials alone; empty if that is not known
  // of every metric.
  std::vector<NormalValue> before;
  bool keeps_up = false;  // In one metric.
};

// Returns nullopt if something cannot be predicted.
std::optional<FrontOutlook> Predict(const std::vector<JudgedMetric>& metrics,
                                    const CurvesOfTrial& curves,
                                    const Parameters& parameters) {
  FrontOutlook outlook;
  bool is_before_known = true;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const JudgedMetric& metric = metrics[i];
    std::optional<NormalValue> before;
    if (metric.model == nullptr) {
      before = metric.ends->Predict(
          SearchSpaceEncoding(metric.curves->study->space).Encode(parameters));
      outlook.finals.push_back(*before);
    } else if (curves[i] == nullptr || curves[i]->reports.empty()) {
      before = metric.model->Foresee(parameters);
      if (!before.has_value()) return std::nullopt;
      outlook.finals.push_back(*before);
    } else {
      const auto judged = metric.model->Judge(*curves[i]);
      if (!judged.has_value()) return std::nullopt;
      before = judged->before;
      outlook.finals.push_back({judged->final.mean, judged->final.variance});
      outlook.keeps_up =
          outlook.keeps_up || KeepsUp(*metric.model, *curves[i], judged->final);
    }
    is_before_known = is_before_known && before.has_value();
    if (is_before_known) outlook.before.push_back(*before);
  }
  if (!is_before_known) outlook.before.clear();
  return outlook;
}

// Returns "accuracy 0.81 (0.79 to 0.83) and latency 12 (11 to 13)".
std::string FinalsText(const std::vector<JudgedMetric>& metrics,
                       const std::vector<NormalValue>& finals) {
  std::string text;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const double deviation = std::sqrt(finals[i].variance);
    const double one = metrics[i].ToValue(finals[i].mean - deviation);
    const double other = metrics[i].ToValue(finals[i].mean + deviation);
    absl::StrAppend(
        &text,
        i == 0                    ? ""
        : i + 1 == metrics.size() ? " and "
                                  : ", ",
        metrics[i].curves->name,
        absl::StrFormat(" %.4g (%.4g to %.4g)",
                        metrics[i].ToValue(finals[i].mean),
                        std::min(one, other), std::max(one, other)));
  }
  return text;
}

// Judges the trials of one study at one moment.
class FrontJudgement {
 public:
  FrontJudgement(const EarlyStoppingOptions& options,
                 const std::vector<JudgedMetric>& metrics)
      : options_(options), metrics_(metrics), trials_(CurvesByTrial(metrics)) {
    const Eigen::MatrixXd front = FrontOf(metrics, trials_);
    num_on_front_ = front.rows();
    if (num_on_front_ == 0) return;
    free_ = DecomposeFree(
        front, Eigen::RowVectorXd::Constant(
                   front.cols(), -std::numeric_limits<double>::max()));
    for (const JudgedMetric& metric : metrics) {
      left_after_stops_ = std::min(left_after_stops_,
                                   LeftAfterStopsInARow(*metric.curves->study));
    }
  }

  std::vector<StoppingVerdict> Take(int free_slots) && {
    if (num_on_front_ == 0) return {};
    for (const auto& [id, curves] : trials_) Judge(curves);
    return std::move(verdicts_).Take(free_slots);
  }

 private:
  bool can_resume() const { return metrics_[0].curves->study->can_resume; }

  void Judge(const CurvesOfTrial& curves) {
    const JudgedMetric* leading = nullptr;  // The first that has reported.
    const TrialCurve* trial = nullptr;
    double threshold = 1;
    bool may_be_given_up = true;
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
      const JudgedMetric& metric = metrics_[i];
      if (metric.model == nullptr || curves[i] == nullptr ||
          curves[i]->reports.empty()) {
        continue;
      }
      threshold = std::min(
          threshold, GivingUpThreshold(options_, *metric.model, *curves[i]));
      may_be_given_up =
          may_be_given_up && MayBeGivenUp(options_, *metric.model,
                                          *metric.curves->study, *curves[i]);
      if (trial != nullptr) continue;
      leading = &metric;
      trial = curves[i];
    }
    if (trial == nullptr) return;
    const bool is_asked =
        trial->state == CurveState::kRunning
            ? may_be_given_up
            : trial->state == CurveState::kPaused && can_resume();
    if (!is_asked) return;
    const auto outlook = Predict(metrics_, curves, trial->parameters);
    if (!outlook.has_value()) return;
    const double rest =
        std::max(1 - leading->model->PartOf(*trial),
                 1.0 / static_cast<double>(leading->model->last_step()));
    const Prospect prospect = ProspectOf(*outlook, rest);
    if (trial->state == CurveState::kPaused) {
      if (prospect.win_probability < ResumingThreshold(threshold)) return;
      verdicts_.AddResume(
          prospect.win_probability / rest, trial->trial,
          absl::StrCat("The decay curve rule resumes it at ",
                       StepText(*leading->model, *trial),
                       ": by what was learnt since, ",
                       Text(*outlook, prospect, "may"),
                       ", so its steps are worth more than a new trial's."));
      return;
    }
    if (prospect.win_probability >= threshold * left_after_stops_ ||
        IsWorthGoingOn(prospect, threshold) || outlook->keeps_up) {
      return;
    }
    verdicts_.Add(
        {trial->trial, can_resume() ? TrialAdvice::kPause : TrialAdvice::kStop,
         absl::StrCat(
             "The decay curve rule ", can_resume() ? "paused" : "stopped",
             " it at ", StepText(*leading->model, *trial), ": ",
             Text(*outlook, prospect, UnlikelyText(prospect.win_probability)),
             ", so its steps are better spent on another "
             "trial.")});
  }

  Prospect ProspectOf(const FrontOutlook& outlook, double rest) const {
    Prospect prospect{ChanceToEnter(free_, outlook.finals), std::nullopt};
    if (outlook.before.empty()) return prospect;
    const double before = ChanceToEnter(free_, outlook.before);
    if (before > 0) prospect.worth = prospect.win_probability / rest / before;
    return prospect;
  }

  std::string Text(const FrontOutlook& outlook, const Prospect& prospect,
                   const char* likelihood) const {
    return absl::StrCat("it is expected to end with ",
                        FinalsText(metrics_, outlook.finals), " and ",
                        likelihood, " enter the front of ", num_on_front_,
                        num_on_front_ == 1 ? " trial (" : " trials (",
                        ChanceText(prospect.win_probability), ")");
  }

  const EarlyStoppingOptions& options_;
  const std::vector<JudgedMetric>& metrics_;
  const std::map<std::int64_t, CurvesOfTrial> trials_;
  Index num_on_front_ = 0;
  FreeBoxes free_;
  double left_after_stops_ = 1;
  VerdictList verdicts_;
};

// Returns the final values of the newest complete trials, by trial.
std::vector<std::pair<std::int64_t, double>> NewestFinals(
    const CurveStudy& study) {
  std::vector<std::pair<std::int64_t, double>> finals;
  for (auto trial = study.trials.rbegin();
       trial != study.trials.rend() && finals.size() < kMaxEnds; ++trial) {
    if (trial->final_value.has_value()) {
      finals.emplace_back(trial->trial, *trial->final_value);
    }
  }
  std::reverse(finals.begin(), finals.end());
  return finals;
}

bool Varies(const std::vector<std::pair<std::int64_t, double>>& finals) {
  return std::any_of(finals.begin(), finals.end(), [&](const auto& final) {
    return final.second != finals.front().second;
  });
}

std::optional<FinalSurface> SurfaceOf(
    const CurveStudy& study,
    const std::vector<std::pair<std::int64_t, double>>& finals) {
  const SearchSpaceEncoding encoding(study.space);
  const Index n = std::ssize(finals);
  RegressionData data;
  data.groups = MakeLengthScaleGroups(encoding);
  data.inputs.resize(n, encoding.num_columns());
  data.targets.resize(n);
  data.noise_scale = Eigen::VectorXd::Ones(n);
  data.known_noise = Eigen::VectorXd::Zero(n);
  Index row = 0;
  for (const TrialCurve& trial : study.trials) {
    if (row == n) break;
    const auto& [id, value] = finals[static_cast<std::size_t>(row)];
    if (trial.trial != id) continue;
    data.inputs.row(row) = encoding.Encode(trial.parameters);
    data.targets[row] = MeritOf(study.goal, value);
    ++row;
  }
  return FinalSurface::Create(std::move(data));
}

}  // namespace

const FinalSurface* FrontPolicy::EndModelOf(const CurveStudy& study,
                                            EndModel* kept) const {
  auto finals = NewestFinals(study);
  if (finals != kept->finals) {
    kept->surface = SurfaceOf(study, finals);
    kept->finals = std::move(finals);
  }
  return kept->surface.has_value() ? &*kept->surface : nullptr;
}

std::vector<StoppingVerdict> FrontPolicy::Judge(
    const std::vector<MetricCurves>& metrics, int free_slots) {
  std::vector<JudgedMetric> judged;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const CurveStudy& study = *metrics[i].study;
    if (CurveModel* const model = models_[i]->Get(study)) {
      judged.push_back({&metrics[i], model, nullptr});
      continue;
    }
    // A metric in which all trials are equal decides nothing.
    const auto finals = NewestFinals(study);
    if (finals.empty()) return {};
    if (!Varies(finals)) continue;
    const FinalSurface* const ends = EndModelOf(study, &ends_[i]);
    if (ends == nullptr) return {};
    judged.push_back({&metrics[i], nullptr, ends});
  }
  if (judged.empty()) return {};
  return FrontJudgement(options_, judged).Take(free_slots);
}

}  // namespace vernier

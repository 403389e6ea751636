#include "trials/engine/result_models.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/calls/call_meter.h"
#include "base/status_macros.h"
#include "suggest/suggester_factory.h"
#include "trials/engine/study_view.h"
#include "trials/results/front.h"

namespace vernier {
namespace {

// Beyond this number the recommendation of the oldest study is forgotten, which
// costs no more than asking its model again.
constexpr std::size_t kMostRecommended = 100;

ResultModels::InsightsAnswer WithoutParameters() {
  auto nothing = std::make_shared<StudyInsights>();
  nothing->insights.reason = "it tunes no parameters";
  return nothing;
}

// Returns ViewOfMetric of `view`, and reduces `observed` to the trials that it
// keeps.
StudyView ViewOfMetricAmong(const StudyView& view, std::size_t metric,
                            std::vector<TrialId>* observed) {
  std::vector<TrialId> kept;
  for (std::size_t i = 0; i < observed->size(); ++i) {
    if (SaysSomethingOf(view.completed[i], metric)) {
      kept.push_back((*observed)[i]);
    }
  }
  *observed = std::move(kept);
  return ViewOfMetric(view, metric);
}

void AddFront(const StudySnapshot& study, StudyInsights* to) {
  if (study.spec->metrics.size() < 2) return;
  const std::optional<Front> front = FrontOf(study);
  if (!front.has_value()) return;
  to->growth = GrowthOf(study, *front);
  to->trade_offs = TradeOffsOf(study, *front);
}

}  // namespace

ResultModels::ResultModels()
    : ResultModels([] { return MakeSuggester(Algorithm::kDefault); }) {}

std::shared_ptr<ResultModels::Model> ResultModels::ModelOf(
    const StudySnapshot& study, std::size_t metric) {
  const MutexLock lock(mu_);
  Kept& kept = models_[{study.id, metric}];
  if (kept.model == nullptr ||
      kept.spec->parameters != study.spec->parameters) {
    kept.model = std::make_shared<Model>(make_());
    kept.spec = study.spec;
  }
  kept.last_use = ++uses_;
  const std::shared_ptr<Model> model = kept.model;
  if (models_.size() > kMostModels) {
    models_.erase(std::min_element(
        models_.begin(), models_.end(), [](const auto& a, const auto& b) {
          return a.second.last_use < b.second.last_use;
        }));
  }
  return model;
}

ResultModels::InsightsAnswer ResultModels::Examine(
    const StudySnapshot& study, const InsightsRequest& request,
    std::size_t metric) {
  if (study.spec->parameters.empty()) return WithoutParameters();
  std::vector<TrialId> observed = ObservedTrials(study);
  const std::shared_ptr<Model> model = ModelOf(study, metric);
  const MutexLock lock(model->mu);
  // Another call may have used the model for longer than this one may wait.
  VERNIER_RETURN_IF_ERROR(UseInCall({}));
  if (model->observed != observed) {
    model->answers.clear();
    model->observed = observed;
  }
  for (const auto& [asked, answer] : model->answers) {
    if (asked == request) return answer;
  }
  // The model is made from all of these results. How often its fit reads them
  // is bounded, and so is the time that it takes.
  VERNIER_RETURN_IF_ERROR(UseInCall({std::ssize(observed), 0}));
  StudyView view = MakeStudyView(study, observed);
  // The first metric keeps the whole view, so that it has the constraints, too.
  if (metric > 0) view = ViewOfMetricAmong(view, metric, &observed);
  VERNIER_ASSIGN_OR_RETURN(Insights insights,
                           model->suggester->Examine(view, request));
  auto answer = std::make_shared<StudyInsights>(
      StudyInsights{metric, std::move(insights), std::move(observed)});
  AddFront(study, answer.get());
  answer->failures = ReportFailures(study, model->observed);
  if (model->answers.size() == kMostAnswers) {
    model->answers.erase(model->answers.begin());
  }
  model->answers.emplace_back(request, answer);
  return answer;
}

absl::StatusOr<ResultModels::Recommended> ResultModels::Recommend(
    const StudySnapshot& study, Patience patience) {
  const bool may_fit =
      patience == Patience::kWait || !HasMoreObservedThan(study, kFewTrials);
  // In most cases nobody has waited for this study's model, so that nothing is
  // remembered.
  if (!may_fit && !IsRemembered(study.id)) {
    return Recommended{false, std::nullopt};
  }
  std::vector<TrialId> observed = ObservedTrials(study);
  {
    const MutexLock lock(mu_);
    const auto found = recommended_.find(study.id);
    if (found != recommended_.end() && found->second.observed == observed &&
        found->second.spec->parameters == study.spec->parameters) {
      return Recommended{true, found->second.trial};
    }
  }
  if (!may_fit) return Recommended{false, std::nullopt};
  VERNIER_ASSIGN_OR_RETURN(const std::optional<RecommendedTrial> trial,
                           ComputeRecommended(study, observed));
  const MutexLock lock(mu_);
  recommended_[study.id] = {std::move(observed), trial, study.spec};
  if (recommended_.size() > kMostRecommended) {
    recommended_.erase(recommended_.begin());
  }
  return Recommended{true, trial};
}

absl::StatusOr<std::optional<RecommendedTrial>>
ResultModels::ComputeRecommended(const StudySnapshot& study,
                                 const std::vector<TrialId>& observed) {
  // A study of several metrics has a front instead.
  if (study.spec->metrics.size() > 1 || observed.empty() ||
      study.spec->parameters.empty()) {
    return std::nullopt;
  }
  const std::shared_ptr<Model> model = ModelOf(study, 0);
  const MutexLock lock(model->mu);
  VERNIER_ASSIGN_OR_RETURN(
      const std::optional<Recommendation> recommendation,
      model->suggester->Recommend(MakeStudyView(study, observed)));
  if (!recommendation.has_value()) return std::nullopt;
  return RecommendedTrial{observed[recommendation->completed],
                          recommendation->prediction};
}

bool ResultModels::IsRemembered(StudyId study) const {
  const MutexLock lock(mu_);
  return recommended_.count(study) > 0;
}

}  // namespace vernier

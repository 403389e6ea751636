#include "trials/insights_cache.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/calls/call_meter.h"
#include "base/status_macros.h"
#include "suggest/suggester_factory.h"
#include "trials/results/front.h"
#include "trials/study_view.h"

namespace vernier {
namespace {

InsightsCache::Answer WithoutParameters() {
  auto nothing = std::make_shared<StudyInsights>();
  nothing->insights.reason = "it tunes no parameters";
  return nothing;
}

// ViewOfMetric, and the trials that it keeps.
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

InsightsCache::InsightsCache()
    : InsightsCache([] { return MakeSuggester(Algorithm::kDefault); }) {}

std::shared_ptr<InsightsCache::Entry> InsightsCache::EntryOf(
    StudyId study, std::size_t metric) {
  const MutexLock lock(mu_);
  Kept& kept = entries_[{study, metric}];
  if (kept.entry == nullptr) kept.entry = std::make_shared<Entry>(make_());
  kept.last_use = ++uses_;
  const std::shared_ptr<Entry> entry = kept.entry;
  if (entries_.size() > kMostModels) {
    entries_.erase(std::min_element(
        entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
          return a.second.last_use < b.second.last_use;
        }));
  }
  return entry;
}

InsightsCache::Answer InsightsCache::Of(const StudySnapshot& study,
                                        const InsightsRequest& request,
                                        std::size_t metric) {
  if (study.spec->parameters.empty()) return WithoutParameters();
  std::vector<TrialId> observed = ObservedTrials(study);
  const std::shared_ptr<Entry> entry = EntryOf(study.id, metric);
  const MutexLock lock(entry->mu);
  // Another call's models may have taken longer than this one may wait.
  VERNIER_RETURN_IF_ERROR(UseInCall({}));
  if (entry->observed != observed) {
    entry->answers.clear();
    entry->observed = observed;
  }
  for (const auto& [asked, answer] : entry->answers) {
    if (asked == request) return answer;
  }
  // The model is made from all of them; how often its fit looks at them is
  // bounded, and so is the time that it takes.
  VERNIER_RETURN_IF_ERROR(UseInCall({std::ssize(observed), 0}));
  StudyView view = MakeStudyView(study, observed);
  // That of the first metric has its constraints, too.
  if (metric > 0) view = ViewOfMetricAmong(view, metric, &observed);
  VERNIER_ASSIGN_OR_RETURN(Insights insights,
                           entry->suggester->Examine(view, request));
  auto answer = std::make_shared<StudyInsights>(
      StudyInsights{metric, std::move(insights), std::move(observed)});
  AddFront(study, answer.get());
  if (entry->answers.size() == kMostAnswers) {
    entry->answers.erase(entry->answers.begin());
  }
  entry->answers.emplace_back(request, answer);
  return answer;
}

}  // namespace vernier

#include "trials/insights_cache.h"

#include <algorithm>
#include <iterator>

#include "base/calls/call_meter.h"
#include "base/status_macros.h"
#include "suggest/suggester_factory.h"
#include "trials/study_view.h"

namespace vernier {
namespace {

InsightsCache::Answer WithoutParameters() {
  auto nothing = std::make_shared<StudyInsights>();
  nothing->insights.reason = "it tunes no parameters";
  return nothing;
}

}  // namespace

InsightsCache::InsightsCache()
    : InsightsCache([] { return MakeSuggester(Algorithm::kDefault); }) {}

std::shared_ptr<InsightsCache::Entry> InsightsCache::EntryOf(StudyId study) {
  const MutexLock lock(mu_);
  Kept& kept = entries_[study];
  if (kept.entry == nullptr) kept.entry = std::make_shared<Entry>(make_());
  kept.last_use = ++uses_;
  const std::shared_ptr<Entry> entry = kept.entry;
  if (entries_.size() > kMostStudies) {
    entries_.erase(std::min_element(
        entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
          return a.second.last_use < b.second.last_use;
        }));
  }
  return entry;
}

InsightsCache::Answer InsightsCache::Of(const StudySnapshot& study,
                                        const InsightsRequest& request) {
  if (study.spec->parameters.empty()) return WithoutParameters();
  std::vector<TrialId> observed = ObservedTrials(study);
  const std::shared_ptr<Entry> entry = EntryOf(study.id);
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
  VERNIER_ASSIGN_OR_RETURN(
      Insights insights,
      entry->suggester->Examine(MakeStudyView(study, observed), request));
  auto answer = std::make_shared<const StudyInsights>(
      StudyInsights{std::move(insights), std::move(observed)});
  if (entry->answers.size() == kMostAnswers) {
    entry->answers.erase(entry->answers.begin());
  }
  entry->answers.emplace_back(request, answer);
  return answer;
}

}  // namespace vernier

#include "suggest/stopping/every_metric_policy.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "suggest/stopping/giving_up.h"
#include "suggest/stopping/stopping_policy_factory.h"

namespace vernier {

EveryMetricPolicy::EveryMetricPolicy(StoppingRule rule,
                                     const EarlyStoppingOptions& options,
                                     std::size_t num_metrics) {
  for (std::size_t i = 0; i < num_metrics; ++i) {
    policies_.push_back(MakeStoppingPolicy(rule, options));
  }
}

std::vector<StoppingVerdict> EveryMetricPolicy::Judge(
    const std::vector<MetricCurves>& metrics, int free_slots) {
  struct Opinion {
    std::size_t gives_up = 0;  // By so many metrics.
    bool resumes = false;
    TrialAdvice advice = TrialAdvice::kContinue;
    std::string reasons = "";
  };
  std::map<std::int64_t, Opinion> opinions;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    for (const StoppingVerdict& verdict :
         policies_[i]->Judge(*metrics[i].study, free_slots)) {
      Opinion& opinion = opinions[verdict.trial];
      if (verdict.advice == TrialAdvice::kResume) {
        opinion.resumes = true;
      } else if (verdict.advice != TrialAdvice::kContinue) {
        ++opinion.gives_up;
        opinion.advice = verdict.advice;
      }
      absl::StrAppend(&opinion.reasons, opinion.reasons.empty() ? "" : " ",
                      "By ", metrics[i].name, ": ", verdict.reason);
    }
  }
  VerdictList verdicts;
  for (auto& [trial, opinion] : opinions) {
    if (opinion.resumes) {
      verdicts.AddResume(0, trial, std::move(opinion.reasons));
    } else if (opinion.gives_up == metrics.size()) {
      verdicts.Add({trial, opinion.advice, std::move(opinion.reasons)});
    }
  }
  return std::move(verdicts).Take(free_slots);
}

}  // namespace vernier

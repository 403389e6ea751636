#include "trials/engine/prior_results.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "store/study_names.h"
#include "study/find_by_name.h"
#include "study/metric_renames.h"
#include "trials/engine/study_view.h"
#include "trials/results/end_values.h"
#include "trials/results/final_values.h"

namespace vernier {
namespace {

absl::StatusOr<std::shared_ptr<const StudySnapshot>> FindPrior(
    const StoreSnapshot& snapshot, const std::string& project,
    const std::string& name) {
  const bool is_resource = name.find('/') != std::string::npos;
  auto found = FindStudy(snapshot,
                         is_resource ? name : absl::StrCat(name, "@", project));
  // Whether another project has such a study is nobody's business here.
  if (absl::IsNotFound(found.status()) ||
      (found.ok() && ProjectOf(**found) != project)) {
    return absl::NotFoundError(
        absl::StrCat("there is no job or study \"", ShowText(name), "\""));
  }
  return found;
}

// Returns the ObservedTrials of `other` that had ended when `study` was made.
std::vector<TrialId> EndedBefore(const StudySnapshot& study,
                                 const StudySnapshot& other) {
  std::vector<TrialId> trials = ObservedTrials(other);
  std::erase_if(trials, [&](TrialId id) {
    return other.trials.Brief(id).ended_at > study.created_at;
  });
  return trials;
}

// Returns how many parameters of `study` the other one has, by their names
// here.
std::size_t CountShared(const StudySnapshot& study,
                        const StudySnapshot& other) {
  const auto& rename = study.spec->prior_studies.rename;
  std::size_t shared = 0;
  for (const ParameterSpec& theirs : other.spec->parameters) {
    const auto renamed = rename.find(theirs.name);
    const std::string& name =
        renamed == rename.end() ? theirs.name : renamed->second;
    if (FindByName(study.spec->parameters, name) != nullptr) ++shared;
  }
  return shared;
}

std::vector<std::shared_ptr<const StudySnapshot>> FindLikeStudies(
    const StoreSnapshot& snapshot, const StudySnapshot& study) {
  struct Like {
    std::size_t shared;
    std::shared_ptr<const StudySnapshot> study;
  };
  std::vector<Like> all;
  const std::string project = ProjectOf(study);
  for (const auto& [id, other] : snapshot) {
    if (id >= study.id || ProjectOf(*other) != project) continue;
    const std::size_t shared = CountShared(study, *other);
    const bool is_like = 2 * shared >= study.spec->parameters.size() &&
                         shared > 0 &&
                         EndedBefore(study, *other).size() >= kFewestLikeTrials;
    if (is_like) all.push_back({shared, other});
  }
  // Ids grow with time.
  std::sort(all.begin(), all.end(), [](const Like& a, const Like& b) {
    return std::pair(a.shared, a.study->id) > std::pair(b.shared, b.study->id);
  });
  std::vector<std::shared_ptr<const StudySnapshot>> found;
  for (const Like& each : all) {
    if (found.size() == kMostLikeStudies) break;
    found.push_back(each.study);
  }
  return found;
}

// Returns the metric of `prior` that is the objective of `study`, else its own.
// Renaming either must not change which one is meant, so the names that both
// had count, too, and the first one of this study's first.
const MetricGoal& MetricOf(const StudySnapshot& prior,
                           const StudySnapshot& study) {
  const std::vector<MetricGoal>& metrics = prior.spec->metrics;
  const std::string& objective = ObjectiveOf(*study.spec).name;
  std::vector<std::string> names;
  const auto former = study.spec->renamed_from.find(objective);
  if (former != study.spec->renamed_from.end()) names = former->second;
  names.push_back(objective);
  for (const std::string& name : names) {
    const std::string& meant = NameOfReported(*prior.spec, name);
    const MetricGoal* const same = FindByName(metrics, meant);
    if (same != nullptr) return *same;
  }
  return metrics.front();
}

// Returns the parameters under their names in the later study.
Parameters Renamed(Parameters parameters,
                   const std::map<std::string, std::string>& rename) {
  for (NamedValue& each : parameters) {
    const auto ours = rename.find(each.name);
    if (ours != rename.end()) each.name = ours->second;
  }
  return parameters;
}

PriorStudy ResultsOf(const StudySnapshot& study, const StudySnapshot& prior,
                     std::size_t most) {
  const MetricGoal& metric = MetricOf(prior, study);
  PriorStudy results{DisplayNameOf(prior), metric.goal, {}};
  for (const TrialId id : EndedBefore(study, prior)) {
    if (results.trials.size() >= most) break;
    const auto trial = prior.trials.Share(id);
    PriorTrial result;
    if (HasEndValue(BriefOf(*trial))) {
      if (trial->state == TrialState::kStopped) continue;
      result.objective = FinalValueOf(*prior.spec, *trial, metric.name);
      if (!result.objective.has_value()) continue;
    }
    result.parameters =
        Renamed(trial->parameters, study.spec->prior_studies.rename);
    results.trials.push_back(std::move(result));
  }
  return results;
}

}  // namespace

absl::Status CheckPriorNames(const StoreSnapshot& snapshot,
                             const std::string& project,
                             const PriorStudySettings& priors) {
  if (FindsLikeStudies(priors)) return absl::OkStatus();
  for (std::size_t i = 0; i < priors.studies.size(); ++i) {
    const auto found = FindPrior(snapshot, project, priors.studies[i]);
    if (found.ok()) continue;
    return absl::Status(
        found.status().code(),
        absl::StrCat("priorStudies[", i, "]: ", found.status().message()));
  }
  return absl::OkStatus();
}

std::vector<std::shared_ptr<const StudySnapshot>> FindPriorStudies(
    const StoreSnapshot& snapshot, const StudySnapshot& study) {
  if (FindsLikeStudies(study.spec->prior_studies)) {
    return FindLikeStudies(snapshot, study);
  }
  std::vector<std::shared_ptr<const StudySnapshot>> found;
  for (const std::string& name : study.spec->prior_studies.studies) {
    auto prior = FindPrior(snapshot, ProjectOf(study), name);
    if (prior.ok() && (*prior)->id != study.id) {
      found.push_back(*std::move(prior));
    }
  }
  return found;
}

std::vector<PriorStudy> PriorResults(
    const StudySnapshot& study,
    const std::vector<std::shared_ptr<const StudySnapshot>>& priors) {
  std::vector<PriorStudy> results;
  std::size_t left = kMostPriorTrials;
  for (const auto& prior : priors) {
    if (prior->spec->parameters.empty()) continue;
    results.push_back(ResultsOf(study, *prior, left));
    left -= results.back().trials.size();
  }
  return results;
}

}  // namespace vernier

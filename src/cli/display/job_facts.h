#ifndef VERNIER_CLI_DISPLAY_JOB_FACTS_H_
#define VERNIER_CLI_DISPLAY_JOB_FACTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "study/metrics/metric_goal.h"

namespace vernier {

/// What the tables of a job's trials need to know of the job.
struct JobFacts {
  /// Its vernier.outputDir. If programs run in place, it is the folder of their
  /// files, which no attempt has for itself.
  std::string outputs;
  std::vector<OutcomeConstraint> constraints;
};

/// Returns the facts in a job's JSON; none if it is not a job, such as the
/// answer about a study that clients run.
JobFacts JobFactsIn(std::string_view job_json);

/// Says what a trial breaks: "breaks the constraint memory <= 2500"; or, if
/// `constraints` do not tell which, "breaks a constraint on its metrics". Empty
/// if the service does not say that it breaks one.
std::string BreaksText(const Json& trial,
                       const std::vector<OutcomeConstraint>& constraints);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_JOB_FACTS_H_

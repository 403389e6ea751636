#ifndef VERNIER_SUGGEST_SPACE_PRIOR_STUDY_H_
#define VERNIER_SUGGEST_SPACE_PRIOR_STUDY_H_

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "study/job_spec.h"
#include "study/parameter.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// A trial of an earlier study.
struct PriorTrial {
  /// Values under the names of the later study's parameters. Some of these may
  /// be missing, and numbers may lie outside of their ranges. A number is a
  /// double or an integer, whatever the later parameter's type.
  std::vector<NamedValue> parameters;
  /// In the user's own sign; nullopt: infeasible. Finite.
  std::optional<double> objective;
};

/// An earlier study, from which another one learns.
struct PriorStudy {
  std::string name;
  Goal goal = Goal::kMaximize;
  std::vector<PriorTrial> trials;
};

/// Returns the row of a prior trial in the later study's encoding. A number is
/// placed by its parameter's scale, also beyond the range. What is inactive or
/// missing, or is no possible category, is imputed.
Eigen::RowVectorXd EncodePrior(const std::vector<NamedValue>& parameters,
                               const SearchSpaceEncoding& encoding);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_PRIOR_STUDY_H_

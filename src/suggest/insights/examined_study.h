#ifndef VERNIER_SUGGEST_INSIGHTS_EXAMINED_STUDY_H_
#define VERNIER_SUGGEST_INSIGHTS_EXAMINED_STUDY_H_

#include <Eigen/Core>
#include <vector>

#include "suggest/gp/feasibility_model.h"
#include "suggest/gp/surrogate_model.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// A study and its models, all borrowed. The model has at least two different
/// values, and nothing is hallucinated into it. Pending trials are ignored:
/// insights follow from results alone.
struct ExaminedStudy {
  const StudyView& view;
  const SearchSpaceEncoding& encoding;
  const SurrogateModel& model;
  const FeasibilityModel* feasibility;  ///< Null: no trial failed.
};

/// Returns rows of the model, best posterior mean first; the first of ties.
std::vector<Eigen::Index> BestRowsFirst(const SurrogateModel& model);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_INSIGHTS_EXAMINED_STUDY_H_

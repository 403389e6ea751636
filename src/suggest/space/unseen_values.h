#ifndef VERNIER_SUGGEST_SPACE_UNSEEN_VALUES_H_
#define VERNIER_SUGGEST_SPACE_UNSEEN_VALUES_H_

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "study/parameter.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// The values of categorical parameters with many values that no trial has had.
/// A model cannot tell them from one another and expects them to be like the
/// others, so the one good value among many would be met late, or never.
class UnseenValues {
 public:
  /// All trials of `view` count, with or without a result. Borrows `encoding`.
  UnseenValues(const StudyView& view, const SearchSpaceEncoding& encoding);

  /// Adds a trial. The parameters must fit the space.
  void Add(const Parameters& parameters);

  /// True if each value of each such parameter was seen.
  bool is_empty() const { return num_unseen_ == 0; }

  /// Returns whether an active coordinate of `row`, which is valid, has an
  /// unseen value.
  bool IsIn(const Eigen::RowVectorXd& row) const;

 private:
  const SearchSpaceEncoding& encoding_;
  // For each coordinate, and each level of one with many.
  std::vector<std::vector<bool>> is_unseen_;
  std::size_t num_unseen_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_UNSEEN_VALUES_H_

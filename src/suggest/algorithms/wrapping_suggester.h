#ifndef VERNIER_SUGGEST_ALGORITHMS_WRAPPING_SUGGESTER_H_
#define VERNIER_SUGGEST_ALGORITHMS_WRAPPING_SUGGESTER_H_

#include <memory>
#include <optional>
#include <vector>

#include "suggest/algorithms/suggester.h"

namespace vernier {

/// Wraps a suggester and puts points of its own first; the wrapped one chooses
/// the rest, so that no worker waits, and answers everything else. Thread-safe
/// if the derived class is.
class WrappingSuggester : public Suggester {
 public:
  absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView& view,
                                                  int count) const final;
  absl::StatusOr<std::optional<Recommendation>> Recommend(
      const StudyView& view) const final;
  absl::StatusOr<std::vector<Prediction>> Predict(
      const StudyView& view, const std::vector<Parameters>& points) const final;
  absl::StatusOr<Insights> Examine(const StudyView& view,
                                   const InsightsRequest& request) const final;

 protected:
  explicit WrappingSuggester(std::unique_ptr<Suggester> inner);

  const Suggester& inner() const { return *inner_; }

 private:
  /// Returns whether the study is one that the class is for; others are left to
  /// the wrapped suggester as they are.
  virtual bool Concerns(const StudyView& view) const = 0;

  /// Returns up to `count` points that come before those of the wrapped
  /// suggester. `count` may be anything.
  virtual absl::StatusOr<std::vector<Suggestion>> FirstPoints(
      const StudyView& view, int count) const = 0;

  /// Returns the study as the wrapped suggester sees it once `first` are given.
  virtual StudyView After(const StudyView& view,
                          const std::vector<Suggestion>& first) const = 0;

  const std::unique_ptr<Suggester> inner_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_WRAPPING_SUGGESTER_H_

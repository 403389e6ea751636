#ifndef VERNIER_TESTS_SUGGEST_INSIGHTS_EXAMPLE_STUDY_H_
#define VERNIER_TESTS_SUGGEST_INSIGHTS_EXAMPLE_STUDY_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "suggest/algorithms/quasi_random_suggester.h"
#include "suggest/insights/examined_study.h"
#include "tests/suggest/study_examples.h"

namespace vernier {

/// `n` evenly spread trials; `objective(parameters)` returns an
/// optional<double>.
template <typename Objective>
StudyView SpreadStudy(std::vector<ParameterSpec> space, int n,
                      const Objective& objective, Goal goal = Goal::kMaximize) {
  StudyView view;
  view.space = std::move(space);
  view.goal = goal;
  view.seed = 11;
  const auto points = PointsOf(QuasiRandomSuggester().Suggest(view, n));
  EXPECT_TRUE(points.ok()) << points.status();
  if (!points.ok()) return view;
  for (const Parameters& point : *points) {
    Complete(&view, point, objective(point));
  }
  return view;
}

/// A study and its models.
class ExampleStudy {
 public:
  explicit ExampleStudy(StudyView view)
      : view_(std::move(view)), encoding_(view_.space) {
    const bool models_failures = ModelsFailures(view_);
    const auto model = objective_.Get(
        models_failures ? WithoutFailures(view_) : view_, encoding_);
    EXPECT_TRUE(model.ok()) << model.status();
    if (model.ok()) model_ = *model;
    if (!models_failures) return;
    const auto feasibility = failures_.Get(view_, encoding_);
    EXPECT_TRUE(feasibility.ok()) << feasibility.status();
    if (feasibility.ok()) feasibility_ = *feasibility;
  }
  ExampleStudy(const ExampleStudy&) = delete;
  ExampleStudy& operator=(const ExampleStudy&) = delete;

  ExaminedStudy Examined() const {
    return {view_, encoding_, *model_, feasibility_};
  }
  const SearchSpaceEncoding& encoding() const { return encoding_; }
  const SurrogateModel& model() const { return *model_; }
  const StudyView& view() const { return view_; }

 private:
  const StudyView view_;
  const SearchSpaceEncoding encoding_;
  SurrogateCache objective_;
  FeasibilityCache failures_;
  SurrogateModel* model_ = nullptr;
  const FeasibilityModel* feasibility_ = nullptr;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_SUGGEST_INSIGHTS_EXAMPLE_STUDY_H_

#include "suggest/algorithms/stale_values.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace vernier {
namespace {

// Returns how many of the results with these values of the second metric stay.
std::size_t NumLeft(const std::vector<double>& values) {
  StudyView view;
  view.metrics.resize(2);
  for (const double value : values) {
    Observation observation;
    observation.objective = 1;
    observation.values = {1, value};
    view.completed.push_back(observation);
  }
  return WithoutStaleValues(view, 1).value_or(view).completed.size();
}

TEST(StaleValuesTest, AConstantThatNeverCameBackIsLeftOut) {
  EXPECT_EQ(NumLeft({7, 7, 7, 7, 7, 1, 2, 3, 4, 5}), 5);
}

TEST(StaleValuesTest, AValueThatComesBackStays) {
  EXPECT_EQ(NumLeft({7, 7, 7, 7, 7, 1, 2, 3, 4, 5, 7}), 11);
}

TEST(StaleValuesTest, FewResultsAreNoEvidence) {
  EXPECT_EQ(NumLeft({7, 7, 7, 7, 1, 2, 3, 4, 5, 6}), 10);
  EXPECT_EQ(NumLeft({7, 7, 7, 7, 7, 7, 1, 2, 3, 4}), 10);
}

TEST(StaleValuesTest, LevelsStay) {
  EXPECT_EQ(NumLeft({0, 0, 0, 0, 0, 1, 2, 1, 1, 2, 1}), 11);
}

}  // namespace
}  // namespace vernier

#include "suggest/algorithms/failure_caution.h"

#include <gtest/gtest.h>

#include "suggest/acquisition/weighted_gain.h"
#include "suggest/design/initial_design.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

StudyView CautionView() {
  StudyView view;
  view.space = UnitCubeSpace(3);
  return view;
}

class FailureCautionTest : public testing::Test {
 protected:
  FailureCautionTest()
      : view_(CautionView()),
        encoding_(view_.space),
        design_(DesignFor(view_, encoding_)) {}

  void Add(int count, std::optional<double> objective) {
    for (int i = 0; i < count; ++i) {
      Complete(&view_, {{"x0", 0.5}, {"x1", 0.5}, {"x2", 0.5}}, objective);
    }
  }
  double Caution() const { return FailureCaution(view_, encoding_); }

  StudyView view_;
  const SearchSpaceEncoding encoding_;
  const InitialDesign design_;
};

TEST_F(FailureCautionTest, FailuresOfTheDesignAreNobodysFault) {
  EXPECT_EQ(Caution(), kUsualCaution);
  Add(design_.size, std::nullopt);
  EXPECT_EQ(Caution(), kUsualCaution);
}

TEST_F(FailureCautionTest, GrowsWithTheFailuresAndFallsWhenTheyArePast) {
  Add(design_.size, 1);
  Add(1, std::nullopt);
  EXPECT_EQ(Caution(), kUsualCaution);
  Add(1, std::nullopt);
  const double of_two = Caution();
  EXPECT_GT(of_two, kUsualCaution);
  Add(1, std::nullopt);
  EXPECT_GT(Caution(), of_two);
  Add(29, 1);
  EXPECT_EQ(Caution(), kUsualCaution);
}

}  // namespace
}  // namespace vernier

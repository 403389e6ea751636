#include "suggest/algorithms/unseen_first.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "suggest/algorithms/gaussian_process_suggester.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

// Falls with the column of x.
class Descent final : public AcquisitionFunction {
 public:
  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override {
    *values = -points.rightCols(1);
    if (gradients == nullptr) return;
    gradients->setZero(points.rows(), points.cols());
    gradients->rightCols(1).setConstant(-1);
  }
};

StudyView OneOfTwelve(std::size_t num_metrics) {
  StudyView view;
  view.space = {CategoricalParameter("c", 12), DoubleParameter("x", 0, 1)};
  view.metrics.assign(num_metrics, {Goal::kMaximize});
  view.seed = 3;
  return view;
}

std::string ChoiceOf(const Parameters& parameters) {
  return std::get<std::string>(parameters[0].value);
}

TEST(UnseenFirstTest, APointWithAnUnseenValueComesBeforeAllOthers) {
  StudyView view = OneOfTwelve(0);
  Complete(&view, {{"c", Text("c0")}, {"x", 0.5}}, 1);
  const SearchSpaceEncoding encoding(view.space);
  const UnseenValues unseen(view, encoding);
  Eigen::MatrixXd points(3, encoding.num_columns());
  points.row(0) = encoding.Encode({{"c", Text("c0")}, {"x", 0.0}});
  points.row(1) = encoding.Encode({{"c", Text("c1")}, {"x", 1.0}});
  points.row(2) = encoding.Encode({{"c", Text("c2")}, {"x", 0.5}});
  Eigen::VectorXd values;
  Eigen::MatrixXd gradients;
  const Descent descent;
  UnseenFirst(descent, unseen).Evaluate(points, &values, &gradients);
  EXPECT_LT(values[0], values[1]);
  EXPECT_EQ(values[1], -1);
  EXPECT_EQ(values[2], -0.5);
  EXPECT_EQ(gradients.rightCols(1), Eigen::VectorXd::Constant(3, -1));
}

TEST(UnseenFirstTest, EachFourthTrialIsForThemWhileThereAreAny) {
  StudyView view = OneOfTwelve(0);
  const SearchSpaceEncoding encoding(view.space);
  UnseenValues unseen(view, encoding);
  EXPECT_TRUE(IsForUnseenValue(8, unseen));
  EXPECT_FALSE(IsForUnseenValue(9, unseen));
  for (int i = 0; i < 12; ++i) {
    unseen.Add({{"c", absl::StrCat("c", i)}, {"x", 0.5}});
  }
  EXPECT_FALSE(IsForUnseenValue(8, unseen));
}

// All choices are alike, so that the model has no reason to leave the best.
class UnseenChoicesTest : public testing::TestWithParam<std::size_t> {};

TEST_P(UnseenChoicesTest, TheSearchMeetsEachChoiceAndSaysSo) {
  StudyView view = OneOfTwelve(GetParam());
  std::set<std::string> met;
  for (std::int64_t trial = 1; trial <= 48; ++trial) {
    const auto chosen = GaussianProcessSuggester().Suggest(view, 1);
    ASSERT_TRUE(chosen.ok()) << chosen.status();
    const Parameters& point = chosen->front().parameters;
    const bool is_new = met.insert(ChoiceOf(point)).second;
    if (chosen->front().record.method == SuggestionMethod::kUnseenValue) {
      EXPECT_TRUE(is_new) << trial;
      EXPECT_EQ(trial % 4, 0);
    }
    const double x = NumberOf(point, 1);
    Complete(&view, point, -x * x);
    view.completed.back().values.assign(GetParam(), -x * x);
    if (GetParam() > 1) view.completed.back().values[1] = x;
  }
  EXPECT_EQ(met.size(), 12);
}

INSTANTIATE_TEST_SUITE_P(Metrics, UnseenChoicesTest, testing::Values(0, 2));

}  // namespace
}  // namespace vernier

#include "suggest/space/unseen_values.h"

#include <gtest/gtest.h>

#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

Parameters Activation(const char* value) {
  return {{"activation", Text(value)}, {"x", 0.5}};
}

class UnseenValuesTest : public testing::Test {
 protected:
  UnseenValuesTest() {
    view_.space = {CategoricalParameter("activation", 6),
                   DoubleParameter("x", 0, 1)};
  }

  bool IsUnseen(const UnseenValues& unseen, const SearchSpaceEncoding& encoding,
                const char* value) {
    return unseen.IsIn(encoding.Encode(Activation(value)));
  }

  StudyView view_;
};

TEST_F(UnseenValuesTest, ATrialOfAnyKindHasSeenItsValue) {
  for (const char* value : {"c0", "c4", "c5"}) {
    Complete(&view_, Activation(value), 1);
  }
  view_.pending.push_back(Activation("c1"));
  view_.given_up.push_back(Activation("c2"));
  const SearchSpaceEncoding encoding(view_.space);
  UnseenValues unseen(view_, encoding);
  EXPECT_FALSE(IsUnseen(unseen, encoding, "c0"));
  EXPECT_FALSE(IsUnseen(unseen, encoding, "c1"));
  EXPECT_FALSE(IsUnseen(unseen, encoding, "c2"));
  EXPECT_TRUE(IsUnseen(unseen, encoding, "c3"));
  EXPECT_FALSE(unseen.is_empty());
  unseen.Add(Activation("c3"));
  EXPECT_FALSE(IsUnseen(unseen, encoding, "c3"));
  EXPECT_TRUE(unseen.is_empty());
}

// A place in an inactive coordinate is imputed, and stands for no value.
TEST_F(UnseenValuesTest, AnInactiveParameterHasNoValue) {
  view_.space.push_back(
      Below(CategoricalParameter("slope", 6), 0, {Text("c1")}));
  for (const char* value : {"c0", "c2", "c3", "c4", "c5"}) {
    Complete(&view_, Activation(value), 1);
  }
  const SearchSpaceEncoding encoding(view_.space);
  const UnseenValues unseen(view_, encoding);
  EXPECT_FALSE(IsUnseen(unseen, encoding, "c0"));
  Parameters with_slope = Activation("c1");
  with_slope.push_back({"slope", Text("c0")});
  EXPECT_TRUE(unseen.IsIn(encoding.Encode(with_slope)));
}

TEST(UnseenValuesOfOthersTest, NumbersAndFewValuesAreNotCounted) {
  StudyView view;
  view.space = {DoubleParameter("x", 0, 1), IntegerParameter("n", 1, 9),
                CategoricalParameter("method", 5)};
  const SearchSpaceEncoding encoding(view.space);
  const UnseenValues unseen(view, encoding);
  EXPECT_TRUE(unseen.is_empty());
}

}  // namespace
}  // namespace vernier

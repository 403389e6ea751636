#include "study/belief.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace vernier {
namespace {

using ::testing::HasSubstr;

std::vector<ParameterSpec> BelievedSpace() {
  ParameterSpec rate;
  rate.name = "rate";
  rate.min_value = 1e-5;
  rate.max_value = 0.1;
  rate.scale = ScaleType::kLog;
  ParameterSpec layers;
  layers.name = "layers";
  layers.type = ParameterType::kInteger;
  layers.min_value = -1;
  layers.max_value = 8;
  ParameterSpec batch;
  batch.name = "batch";
  batch.type = ParameterType::kDiscrete;
  batch.discrete_values = {16, 32, 64};
  ParameterSpec method;
  method.name = "method";
  method.type = ParameterType::kCategorical;
  method.categorical_values = {"adam", "sgd"};
  ParameterSpec fixed = layers;
  fixed.name = "fixed";
  fixed.min_value = fixed.max_value;
  // A second rate, which is there with sgd only.
  ParameterSpec other = rate;
  other.max_value = 10;
  other.condition = ParameterCondition{3, {std::string("sgd")}};
  return {rate, layers, batch, method, fixed, other};
}

Belief Believed(const char* name, BeliefText text) {
  const auto read = ReadBelief(BelievedSpace(), name, text);
  const auto* const belief = std::get_if<Belief>(&read);
  EXPECT_NE(belief, nullptr) << std::get<BeliefMistake>(read).message;
  return belief == nullptr ? Belief{} : *belief;
}

// The field and what is wrong with it.
std::string MistakeIn(const char* name, BeliefText text) {
  const auto read = ReadBelief(BelievedSpace(), name, text);
  const auto* const wrong = std::get_if<BeliefMistake>(&read);
  if (wrong == nullptr) return "none";
  return std::string(wrong->field) + " " + wrong->message;
}

TEST(BeliefTest, IsANumberOrACategoryWithAWidth) {
  EXPECT_EQ(Believed("rate", {"1e-3", "10x"}),
            (Belief{"rate", 1e-3, BeliefWidth{10, true}}));
  EXPECT_EQ(Believed("layers", {"4", "2"}),
            (Belief{"layers", 4.0, BeliefWidth{2, false}}));
  EXPECT_EQ(Believed("layers", {"4", "2X"}),
            (Belief{"layers", 4.0, BeliefWidth{2, true}}));
  EXPECT_EQ(Believed("batch", {"48", ""}),
            (Belief{"batch", 48.0, std::nullopt}));
  EXPECT_EQ(Believed("method", {"adam", ""}),
            (Belief{"method", "adam", std::nullopt}));
}

TEST(BeliefTest, OfParametersWithOneNameItFitsOne) {
  const Belief belief = Believed("rate", {"5", "2x"});
  const std::vector<ParameterSpec> space = BelievedSpace();
  EXPECT_FALSE(IsAbout(belief, space[0]));
  EXPECT_TRUE(IsAbout(belief, space[5]));
  EXPECT_FALSE(IsAbout(belief, space[3]));
}

TEST(BeliefTest, SaysWhatIsWrongAndWhatWouldBeRight) {
  EXPECT_THAT(MistakeIn("rat", {"1", ""}),
              HasSubstr("no such parameter; did you mean rate?"));
  EXPECT_THAT(MistakeIn("fixed", {"8", ""}), HasSubstr("one value only"));
  EXPECT_THAT(MistakeIn("layers", {"", "2"}), HasSubstr("near is required"));
  EXPECT_EQ(MistakeIn("layers", {"9", "2"}),
            "near must be a number from -1 to 8: \"9\"");
  EXPECT_THAT(MistakeIn("layers", {"many", ""}), HasSubstr("must be a number"));
  EXPECT_EQ(MistakeIn("batch", {"8", ""}),
            "near must be a number from 16 to 64: \"8\"");
  EXPECT_EQ(MistakeIn("method", {"adm", ""}),
            "near must be one of adam, sgd: \"adm\"; did you mean adam?");
  EXPECT_THAT(MistakeIn("method", {"adam", "2"}),
              HasSubstr("within is for numbers"));
  for (const char* const wrong :
       {"0", "-1", "wide", "1x", "0.5x", "x", "nan"}) {
    EXPECT_THAT(MistakeIn("layers", {"4", wrong}),
                HasSubstr("within must be a number > 0, or a factor > 1 such "
                          "as \"10x\": "))
        << wrong;
  }
  EXPECT_THAT(MistakeIn("rate", {"1e-3", "10"}),
              HasSubstr("within must be a factor > 1 such as \"10x\", because "
                        "the scale is logarithmic"));
  EXPECT_THAT(MistakeIn("layers", {"0", "2x"}),
              HasSubstr("within must be a number > 0, because a factor"));
}

TEST(BeliefTest, WidthsAreWrittenAsTheyAreRead) {
  for (const char* const text : {"10x", "2", "0.5", "1.5x"}) {
    const auto width = WidthFromText(text);
    ASSERT_TRUE(width.has_value()) << text;
    EXPECT_EQ(ToString(*width), text);
  }
}

}  // namespace
}  // namespace vernier

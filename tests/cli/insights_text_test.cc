#include "cli/verbs/insights_text.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace vernier {
namespace {

constexpr char kInsights[] = R"({
  "observationCount":"120","hasModel":true,"metric":"loss","goal":"MINIMIZE",
  "importance":[
    {"parameter":"lr","share":0.62,"low":0.55,"high":0.7},
    {"parameter":"batch","share":0.14,"low":0.09,"high":0.2},
    {"parameter":"a_parameter_whose_name_is_longer_than_a_column",
     "share":0.002,"high":0.01},
    {"parameter":"idle"}],
  "interactions":[{"first":"lr","second":"batch","share":0.09}],
  "slices":[{"parameter":"lr","x":[1],"mean":[2],"low":[1],"high":[3]}],
  "calibration":{"trials":["1","2","3"],"coverage":0.66,"logScore":0.41678},
  "predictedBest":{
    "parameters":[{"name":"lr","value":"0.0012345678"},
                  {"name":"opt","value":"adam","isText":true}],
    "prediction":{"mean":0.03123,"low":0.0298,"high":0.033}},
  "expectedGain":0.00034,"improvementProbability":0.12,
  "advice":[{"parameter":"lr","kind":"AT_LOWER_BOUND","text":
    "The predicted best lies at the lower bound of lr, 0.001; if smaller values make sense, widen its range, for example to 0.0003."}]})";

TEST(InsightsTextTest, SaysHowTheFrontCameToBe) {
  const auto text =
      InsightsText("two",
                   R"({"observationCount":"30","hasModel":true,"metric":"loss",
          "goal":"MINIMIZE","importance":[{"parameter":"lr","share":1}],
          "frontGrowth":{"trials":["2","7","9"],"hypervolume":[1,3.9,4]},
          "tradeOffs":["Against trial 7, the most balanced one, trial 9 gains 0.5 of loss and loses 12 of latency."]})",
                   80, Palette::kPlain);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_TRUE(text->starts_with(R"(two: 30 results of loss (minimize)

The front
  Its hypervolume is 4; trial 9 was the last to widen it, and 95 % of it were
  there with trial 7.
  Against trial 7, the most balanced one, trial 9 gains 0.5 of loss and loses 12
  of latency.

Share of the variation)"))
      << *text;
}

// Golden: every line is one that was read and found right.
TEST(InsightsTextTest, SaysAllInEightyColumns) {
  const auto text = InsightsText("digits", kInsights, 80, Palette::kPlain);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(*text, R"(digits: 120 results of loss (minimize)

Share of the variation, and its 90 % interval
  lr                        ###################...........  62 %     55 to 70 %
  batch                     ####..........................  14 %      9 to 20 %
  a_parameter_who~a_column  ..............................  <1 %       0 to 1 %
  idle                      ..............................   0 %       0 to 0 %

What two explain only together
  lr x batch                ###...........................   9 %

Predicted best
  loss 0.03123, most likely between 0.0298 and 0.033, with
    lr = 0.0012345678
    opt = adam

How far to trust it
  Of 3 results, each predicted from all others, 66 % lie within one standard
  deviation (68 % would be right); log score 0.417.

What the next trial promises
  It improves the best with a probability of 12 %; expected gain: 0.00034.

Advice
  - The predicted best lies at the lower bound of lr, 0.001; if smaller values
    make sense, widen its range, for example to 0.0003.
)");
}

// With a model and without one.
TEST(InsightsTextTest, SaysHowTrialsDied) {
  constexpr char kFailures[] = R"("failures":[{"kind":"OUT_OF_MEMORY","text":
    "9 of 40 trials (22 %) ran out of memory. Of trials with depth × width above 9000, 7 of 8 did, and 2 of 29 others."}])";
  for (const std::string& model :
       {std::string(R"("hasModel":true)"), std::string(R"("reason":"why")")}) {
    const auto text = InsightsText(
        "digits", "{" + model + "," + kFailures + "}", 60, Palette::kPlain);
    ASSERT_TRUE(text.ok()) << text.status();
    EXPECT_NE(text->find(R"(
Trials that died
  - 9 of 40 trials (22 %) ran out of memory. Of trials with
    depth × width above 9000, 7 of 8 did, and 2 of 29
    others.
)"),
              std::string::npos)
        << *text;
  }
}

TEST(InsightsTextTest, FitsItsColumns) {
  for (const std::size_t columns : {60U, 72U, 80U}) {
    const auto text =
        InsightsText("digits", kInsights, columns, Palette::kPlain);
    ASSERT_TRUE(text.ok()) << text.status();
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(DisplayWidth(line), columns) << line;
    }
  }
}

TEST(InsightsTextTest, PaintsOnlyWhereColoursAreWanted) {
  const auto plain = InsightsText("digits", kInsights, 80, Palette::kPlain);
  const auto painted = InsightsText("digits", kInsights, 80, Palette::kColours);
  ASSERT_TRUE(plain.ok() && painted.ok());
  EXPECT_EQ(plain->find('\x1b'), std::string::npos);
  EXPECT_NE(painted->find('\x1b'), std::string::npos);
}

TEST(InsightsTextTest, SaysWhyThereAreNone) {
  const auto text =
      InsightsText("digits",
                   R"({"observationCount":"1","metric":"loss","goal":"MAXIMIZE",
          "reason":"a model needs 4 results"})",
                   80, Palette::kPlain);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(*text,
            "digits: 1 result of loss (maximize). There are no insights yet: a "
            "model needs 4\nresults.\n");
}

// A name may be anything; a terminal gets nothing that moves its cursor.
TEST(InsightsTextTest, PrintsNoControlCharacters) {
  const auto text = InsightsText(
      "a\x1b[2J",
      R"({"hasModel":true,"importance":[{"parameter":"x\u001b[2Jy"}],
          "advice":[{"text":"a\u001b]0;b"}]})",
      80, Palette::kPlain);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(text->find('\x1b'), std::string::npos);
}

TEST(InsightsTextTest, RefusesWhatIsNoAnswer) {
  EXPECT_FALSE(InsightsText("a", "[]", 80, Palette::kPlain).ok());
  EXPECT_FALSE(InsightsText("a", "{", 80, Palette::kPlain).ok());
}

TEST(ImportanceTableTest, HasARowForEachParameter) {
  const auto table = ImportanceTable(kInsights);
  ASSERT_TRUE(table.ok()) << table.status();
  ASSERT_EQ(table->rows.size(), 4u);
  EXPECT_EQ(table->rows[0],
            (std::vector<std::string>{"lr", "0.62", "0.55", "0.7"}));
  EXPECT_EQ(table->rows[3], (std::vector<std::string>{"idle", "0", "0", "0"}));
}

}  // namespace
}  // namespace vernier

#include "cli/text/short_names.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "cli/text/terminal_text.h"

namespace vernier {
namespace {

using Names = std::vector<std::string>;

TEST(ShortNamesTest, NamesThatEndDifferentlyKeepTheirEnds) {
  Names names;
  for (int i = 0; i < 6; ++i) {
    names.push_back("resnet50_imagenet_ablation_learning_rate_seed_" +
                    std::to_string(i));
  }
  const Names shown = ShortNames(names, 24);
  EXPECT_EQ(shown.front(), "resnet50_imagenet_ab~d_0");
  EXPECT_EQ(std::set<std::string>(shown.begin(), shown.end()).size(), 6u);
}

TEST(ShortNamesTest, NamesThatDifferInTheirMiddleKeepIt) {
  const Names names = {"model.encoder.layers.0.attention.dropout_probability",
                       "model.encoder.layers.1.attention.dropout_probability",
                       "model.encoder.layers.10.attention.dropout_probability"};
  for (const std::size_t width : {24u, 12u, 8u}) {
    const Names shown = ShortNames(names, width);
    EXPECT_EQ(std::set<std::string>(shown.begin(), shown.end()).size(), 3u);
    EXPECT_NE(shown[2].find("10"), std::string::npos) << shown[2];
    for (const std::string& name : shown) {
      EXPECT_LE(DisplayWidth(name), width) << name;
    }
  }
}

TEST(ShortNamesTest, ANameByItselfKeepsBothEnds) {
  EXPECT_EQ(ShortNames({"learning_rate_of_the_second_optimizer"}, 16),
            Names{"learnin~ptimizer"});
}

TEST(ShortNamesTest, ShortAndEqualNamesStayAsTheyAre) {
  EXPECT_EQ(ShortNames({"lr", "", "lr"}, 8), (Names{"lr", "", "lr"}));
  const Names same =
      ShortNames({"a_name_of_some_length", "a_name_of_some_length"}, 9);
  EXPECT_EQ(same[0], same[1]);
}

TEST(ShortNamesTest, CharactersAreWholeAndHarmless) {
  const Names shown = ShortNames({"gr\xc3\xb6\xc3\x9f"
                                  "er_als_der_platz_\xe6\xbc\xa2\xe5\xad\x97",
                                  "\033[2Jx"},
                                 9);
  EXPECT_LE(DisplayWidth(shown[0]), 9u);
  EXPECT_EQ(Printable(shown[0], LineBreaks::kToBlanks), shown[0]);
  EXPECT_EQ(shown[1].find('\033'), std::string::npos);
}

TEST(ShortNamesTest, FitWhateverTheWidth) {
  const Names names = {"aaaaaaaa",   "aaaaaaaaa", "aaaaaaaaab",
                       "aaaaaaaabb", "x",         "aaaaaaaa_another_end_of_it"};
  for (std::size_t width = 0; width < 30; ++width) {
    for (const std::string& name : ShortNames(names, width)) {
      EXPECT_LE(name.size(), std::max(width, kFewestNameColumns)) << width;
    }
  }
}

}  // namespace
}  // namespace vernier

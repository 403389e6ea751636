#include "study/parameter_arrangement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

std::vector<ParameterSpec> Space() {
  ParameterSpec layers;
  layers.name = "layers";
  layers.type = ParameterType::kInteger;
  layers.min_value = 1;
  layers.max_value = 9;
  ParameterSpec kind;
  kind.name = "kind";
  kind.type = ParameterType::kCategorical;
  kind.categorical_values = {"a", "b"};
  ParameterSpec width;
  width.name = "width";
  width.type = ParameterType::kDiscrete;
  width.discrete_values = {1, 2.5};
  width.condition = ParameterCondition{1, {std::string("b")}};
  return {layers, kind, width};
}

TEST(ParameterArrangementTest, OrdersAndTypesTheValues) {
  const auto arranged = ArrangeParameters(Space(), {{"width", std::int64_t{1}},
                                                    {"kind", std::string("b")},
                                                    {"layers", 3.0}});
  ASSERT_TRUE(arranged.ok()) << arranged.status();
  EXPECT_EQ(*arranged, (Parameters{{"layers", std::int64_t{3}},
                                   {"kind", std::string("b")},
                                   {"width", 1.0}}));
}

TEST(ParameterArrangementTest, AnInactiveParameterHasNoValue) {
  EXPECT_TRUE(
      ArrangeParameters(Space(), {{"layers", 3.0}, {"kind", std::string("a")}})
          .ok());
  EXPECT_FALSE(ArrangeParameters(Space(), {{"layers", 3.0},
                                           {"kind", std::string("a")},
                                           {"width", 1.0}})
                   .ok());
}

TEST(ParameterArrangementTest, NamesWhatDoesNotFit) {
  const std::pair<Parameters, const char*> wrong[] = {
      {{{"kind", std::string("a")}}, "\"layers\" has no value"},
      {{{"layers", 3.5}, {"kind", std::string("a")}}, "is not: 3.5"},
      {{{"layers", 1e300}, {"kind", std::string("a")}},
       "\"layers\" is INTEGER"},
      {{{"layers", std::string("3")}, {"kind", std::string("a")}},
       "its value is text"},
      {{{"layers", 3.0}, {"kind", 1.0}}, "its value is no text"},
      {{{"layers", 3.0}, {"kind", std::string("a")}, {"other", 1.0}},
       "\"other\" is not one"},
      {{{"layers", 3.0}, {"layers", 4.0}}, "\"layers\" is there twice"},
  };
  for (const auto& [given, part] : wrong) {
    const absl::Status status = ArrangeParameters(Space(), given).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(part));
  }
}

}  // namespace
}  // namespace vernier

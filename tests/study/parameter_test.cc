#include "study/parameter.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "base/rng.h"

namespace vernier {
namespace {

std::string Format(ParameterType type, const ParameterValue& value) {
  ParameterSpec spec;
  spec.type = type;
  return FormatValue(spec, value);
}

TEST(FormatValueTest, PrintsAsTrainingProgramsExpect) {
  const auto kInteger = ParameterType::kInteger;
  const auto kDouble = ParameterType::kDouble;
  const auto kDiscrete = ParameterType::kDiscrete;
  const struct {
    ParameterType type;
    ParameterValue value;
    std::string text;
  } kCases[] = {
      {kInteger, std::int64_t{39}, "39"},
      {kInteger, std::int64_t{-7}, "-7"},
      {kInteger, std::int64_t{1} << 53, "9007199254740992"},
      {kDiscrete, 1024.0, "1024"},
      {kDiscrete, -3.0, "-3"},
      {kDiscrete, 0.0, "0"},
      {kDiscrete, 9007199254740991.0, "9007199254740991"},
      {kDiscrete, 0.5, "0.5"},
      {kDiscrete, 0.00001, "1e-05"},
      {kDouble, 0.1, "0.1"},
      {kDouble, 1.0, "1.0"},
      {kDouble, 0.0, "0.0"},
      {kDouble, 1024.0, "1024.0"},
      {kDouble, 0.1 + 0.2, "0.30000000000000004"},
      {kDouble, 0.0001, "0.0001"},
      {kDouble, 1e-5, "1e-05"},
      {kDouble, 123456789012.5, "123456789012.5"},
      {kDouble, 1e16, "1e+16"},
      {kDouble, -0.5, "-0.5"},
      {kDouble, -1e-5, "-0.00001"},
      {kDouble, -1.5e-7, "-0.00000015"},
      {kDouble, -1e17, "-100000000000000000.0"},
      {ParameterType::kCategorical, std::string("256 128 16"), "256 128 16"},
      {ParameterType::kCategorical, std::string("-x"), "-x"},
  };
  for (const auto& c : kCases) EXPECT_EQ(Format(c.type, c.value), c.text);
}

// Any bits, not only small numbers as RapidCheck's own generators prefer.
double AnyFinite() {
  std::mt19937_64 rng = MakeRng(*rc::gen::arbitrary<std::uint32_t>(),
                                *rc::gen::arbitrary<std::uint32_t>());
  const double value = std::bit_cast<double>(rng());
  RC_PRE(std::isfinite(value));
  return value;
}

RC_GTEST_PROP(FormatValueProperty, ReadsBackAsTheSameNumber, ()) {
  const double value = AnyFinite();
  const std::string text = Format(ParameterType::kDouble, value);
  RC_ASSERT(std::strtod(text.c_str(), nullptr) == value);
  if (value < 0) RC_ASSERT(text.find('e') == std::string::npos);
}

RC_GTEST_PROP(ParametersJsonProperty, RoundTrips, ()) {
  Parameters parameters;
  const auto count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i) {
    ParameterValue value;
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        value = AnyFinite();
        break;
      case 1:
        value = static_cast<double>(*rc::gen::arbitrary<int>());
        break;
      case 2:
        value = *rc::gen::arbitrary<std::int64_t>();
        break;
      default:
        value = *rc::gen::string<std::string>();
        // JSON holds text, not bytes.
        for (char& c : std::get<std::string>(value)) {
          c = static_cast<char>(c & 0x7f);
        }
    }
    parameters.push_back({"p" + std::to_string(i), value});
  }
  const auto read = ParametersFromJson(ParametersToJson(parameters));
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == parameters);
}

TEST(ParametersJsonTest, KeepsTypesApart) {
  const Parameters parameters = {{"d", 1.0},
                                 {"i", std::int64_t{1}},
                                 {"s", std::string("1")},
                                 {"tiny", 5e-324},
                                 {"zero", 0.0}};
  const std::string json = ParametersToJson(parameters);
  EXPECT_EQ(json, R"({"d":1.0,"i":1,"s":"1","tiny":5e-324,"zero":0.0})");
  const auto read = ParametersFromJson(json);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, parameters);
}

TEST(ParametersJsonTest, ReadsWhatIsNotPlainLikewise) {
  const std::pair<const char*, Parameters> cases[] = {
      {"{}", {}},
      {R"({"a":-0})", {{"a", std::int64_t{0}}}},
      {R"({"a":-0.0})", {{"a", -0.0}}},
      {R"({"a":1e3})", {{"a", 1000.0}}},
      {R"({"a":-9223372036854775808})", {{"a", INT64_MIN}}},
      {R"( { "a" : 1.5 } )", {{"a", 1.5}}},
      {R"({"a":"x\"y\u00e9"})", {{"a", std::string("x\"y\xc3\xa9")}}},
      {"{\"\xc3\xa9\":\"\xc3\xa9\"}", {{"\xc3\xa9", std::string("\xc3\xa9")}}},
      {R"({"a":",}"})", {{"a", std::string(",}")}}},
      {R"({"a":1,"b":2,"a":3})",
       {{"a", std::int64_t{3}}, {"b", std::int64_t{2}}}},
  };
  for (const auto& [text, parameters] : cases) {
    const auto read = ParametersFromJson(text);
    ASSERT_TRUE(read.ok()) << text << ": " << read.status();
    EXPECT_EQ(*read, parameters) << text;
  }
}

TEST(ParametersJsonTest, RefusesWhatItDidNotWrite) {
  for (const char* text : {"",
                           "[]",
                           "{\"a\":null}",
                           "{\"a\":[1]}",
                           "{\"a\":true}",
                           "{\"a\":18446744073709551615}",
                           "{",
                           "{\"a\":1",
                           "{\"a\":1,}",
                           "{\"a\":01}",
                           "{\"a\":+1}",
                           "{\"a\":1.}",
                           "{\"a\":.5}",
                           "{\"a\":1e}",
                           "{\"a\":1e999}",
                           "{\"a\":inf}",
                           "{\"a\":1}}",
                           "{\"a\":\"\x01\"}",
                           "{\"a\":\"\xff\"}",
                           "{\"a\" 1}"}) {
    EXPECT_EQ(ParametersFromJson(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

}  // namespace
}  // namespace vernier

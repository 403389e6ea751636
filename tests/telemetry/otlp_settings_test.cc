#include "telemetry/otlp_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

absl::StatusOr<std::optional<OtlpSettings>> Read(
    const std::string& flag,
    std::map<std::string, std::string> variables = {}) {
  return ReadOtlpSettings(
      flag, [variables](const std::string& name) -> std::string {
        const auto found = variables.find(name);
        return found == variables.end() ? "" : found->second;
      });
}

TEST(OtlpSettingsTest, WithoutAnEndpointThereAreNoTraces) {
  EXPECT_FALSE(Read("").value().has_value());
  EXPECT_FALSE(Read("", {{"OTEL_SERVICE_NAME", "x"}}).value().has_value());
}

TEST(OtlpSettingsTest, TheEndpointIsTheFlagsOrTheVariables) {
  const std::map<std::string, std::string> all = {
      {"OTEL_EXPORTER_OTLP_ENDPOINT", "http://h:4318/"}};
  EXPECT_EQ(Read("", all).value()->url, "http://h:4318/v1/traces");
  std::map<std::string, std::string> traces = all;
  // Of traces alone, it is taken as it is.
  traces["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = "https://t/own";
  EXPECT_EQ(Read("", traces).value()->url, "https://t/own");
  EXPECT_EQ(Read("http://f:1/base", traces).value()->url,
            "http://f:1/base/v1/traces");
  EXPECT_EQ(Read("http://f:1/v1/traces").value()->url, "http://f:1/v1/traces");
}

TEST(OtlpSettingsTest, VariablesSwitchTracesOffButTheFlagDoesNotAsk) {
  for (const auto& off : {std::pair{"OTEL_SDK_DISABLED", "TRUE"},
                          std::pair{"OTEL_TRACES_EXPORTER", "none"}}) {
    std::map<std::string, std::string> variables = {
        {"OTEL_EXPORTER_OTLP_ENDPOINT", "http://h:4318"}};
    variables[off.first] = off.second;
    EXPECT_FALSE(Read("", variables).value().has_value()) << off.first;
    EXPECT_TRUE(Read("http://h", variables).value().has_value()) << off.first;
  }
}

TEST(OtlpSettingsTest, ReadsWhatTheStandardNames) {
  const auto settings =
      Read("", {{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://h"},
                {"OTEL_EXPORTER_OTLP_HEADERS", "api-key=s%3Dcret%2C, b = 2 "},
                {"OTEL_EXPORTER_OTLP_PROTOCOL", "http/json"},
                {"OTEL_EXPORTER_OTLP_TIMEOUT", "2500"},
                {"OTEL_EXPORTER_OTLP_CERTIFICATE", "/ca.pem"},
                {"OTEL_SERVICE_NAME", "tuner"},
                {"OTEL_RESOURCE_ATTRIBUTES",
                 "service.name=other,deployment.environment=lab"}})
          .value();
  ASSERT_TRUE(settings.has_value());
  EXPECT_THAT(settings->headers, ElementsAre("api-key: s=cret,", "b: 2"));
  EXPECT_EQ(settings->encoding, OtlpSettings::Encoding::kJson);
  EXPECT_EQ(settings->time_limit, std::chrono::milliseconds(2500));
  EXPECT_EQ(settings->ca_file, "/ca.pem");
  ASSERT_EQ(settings->resource.size(), 3u);
  EXPECT_EQ(settings->resource[0].second, SpanValue(std::string("tuner")));
  EXPECT_EQ(settings->resource[1].first, "deployment.environment");
}

TEST(OtlpSettingsTest, AnErrorNamesTheVariableAndNoSecret) {
  const std::map<std::string, std::string> wrong = {
      {"OTEL_EXPORTER_OTLP_HEADERS", "secret"},
      {"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"},
      {"OTEL_EXPORTER_OTLP_TIMEOUT", "0"},
      {"OTEL_EXPORTER_OTLP_ENDPOINT", "https://user:secret@h"},
      {"OTEL_RESOURCE_ATTRIBUTES", "a=%zz"}};
  for (const auto& [name, value] : wrong) {
    std::map<std::string, std::string> variables = {
        {"OTEL_EXPORTER_OTLP_ENDPOINT", "http://h"}};
    variables[name] = value;
    const auto status = Read("", variables).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << name;
    EXPECT_THAT(std::string(status.message()), HasSubstr(name));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("secret")));
  }
  // A header's value could otherwise bring further headers.
  EXPECT_FALSE(
      Read("http://h", {{"OTEL_EXPORTER_OTLP_HEADERS", "a=b%0d%0ac: d"}}).ok());
  EXPECT_THAT(std::string(Read("ftp://h").status().message()),
              HasSubstr("--otlp-endpoint"));
}

}  // namespace
}  // namespace vernier

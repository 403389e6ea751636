#include "cluster/metrics/trackio/trackio_row.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TrackioRowTest : public testing::Test {
 protected:
  std::vector<std::string> Take(
      std::optional<std::int64_t> step, const std::string& metrics,
      const std::string& time = "2026-11-29T20:53:06.611322+00:00") {
    reading_ = FileReading();
    rows_.Take({++id_, step, time, metrics}, reading_);
    std::vector<std::string> texts;
    for (const Measurement& one : reading_.measurements) {
      EXPECT_EQ(one.road, MetricRoad::kTrackio);
      texts.push_back(absl::StrCat(one.metric, "@", one.step, "=", one.value));
    }
    return texts;
  }

  std::int64_t id_ = 0;
  TrackioRows rows_;
  FileReading reading_;
};

TEST_F(TrackioRowTest, TakesNumbersByTheirKeys) {
  EXPECT_THAT(
      Take(4, R"({"loss":0.5,"n":3,"val":{"acc":1,"deep":{"a":2}},)"
              R"("text":"0.7","on":true,"none":null,"list":[1],)"
              R"("bad":"NaN","high":"Infinity","low":"-Infinity",)"
              R"("hist":{"_type":"trackio.histogram","bins":3}})"),
      ElementsAre("loss@4=0.5", "n@4=3", "val.acc@4=1", "val.deep.a@4=2",
                  "bad@4=nan", "high@4=inf", "low@4=-inf"));
  EXPECT_THAT(reading_.problems, IsEmpty());
}

TEST_F(TrackioRowTest, RowsOfOneTimeAndStepStayInTheirOrder) {
  Take(1, R"({"loss":1})");
  const Timestamp first = reading_.measurements.at(0).reported_at;
  EXPECT_EQ(std::chrono::floor<std::chrono::seconds>(first.time_since_epoch()),
            std::chrono::seconds(1795985586));
  Take(1, R"({"loss":2})");
  EXPECT_EQ(reading_.measurements.at(0).reported_at,
            first + std::chrono::microseconds(1));
  Take(1, R"({"loss":3})", "no time");
  EXPECT_EQ(reading_.measurements.at(0).reported_at,
            first + std::chrono::microseconds(2));
}

TEST_F(TrackioRowTest, ARowWithoutAStepGoesByOrder) {
  EXPECT_THAT(Take(std::nullopt, R"({"a":1})"), ElementsAre("a@0=1"));
  EXPECT_THAT(Take(7, R"({"a":1})"), ElementsAre("a@7=1"));
  EXPECT_THAT(Take(-3, R"({"a":1})"), ElementsAre("a@8=1"));
}

TEST_F(TrackioRowTest, NamesWhatItCannotRead) {
  std::string many;
  for (int i = 0; i < kMaxTrackioValues; ++i) many += "1,";
  for (const std::string& metrics :
       {std::string("[1]"), std::string("{"), std::string(""),
        "{\"a\":" + std::string(200, '[') + std::string(200, ']') + "}",
        "{\"a\":[" + many + "1]}"}) {
    EXPECT_THAT(Take(1, metrics), IsEmpty());
    EXPECT_THAT(reading_.problems,
                ElementsAre(HasSubstr("no JSON object that can be read")))
        << metrics.substr(0, 20);
  }
  EXPECT_THAT(Take(1, R"({"":1,"loss":2})"), ElementsAre("loss@1=2"));
  EXPECT_THAT(reading_.problems, ElementsAre(HasSubstr("has no name")));
}

TEST_F(TrackioRowTest, TakesOnlySoManyMetricsOfARow) {
  std::string metrics = "{";
  for (int i = 0; i < 1200; ++i) absl::StrAppend(&metrics, "\"m", i, "\":1,");
  metrics.back() = '}';
  EXPECT_EQ(Take(1, metrics).size(), kMaxMetricsOfRecord);
}

}  // namespace
}  // namespace vernier

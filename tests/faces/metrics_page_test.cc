#include "faces/prometheus/metrics_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "faces/prometheus/exposition.h"
#include "tests/faces/rest_bed.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ExpositionTest, WritesWhatPrometheusReads) {
  Exposition page;
  page.Begin("a_total", Exposition::Type::kCounter, "Two\nlines\\.");
  page.Add({}, 3);
  page.Add({{"name", "a \"b\"\\\n"}, {"other", ""}}, 0.1);
  page.Begin("b", Exposition::Type::kHistogram, "H.");
  page.Add({{"le", "+Inf"}}, INFINITY, "_bucket");
  page.Add({}, NAN, "_sum");
  EXPECT_EQ(page.Take(),
            "# HELP a_total Two\\nlines\\\\.\n"
            "# TYPE a_total counter\n"
            "a_total 3\n"
            "a_total{name=\"a \\\"b\\\"\\\\\\n\",other=\"\"} "
            "0.10000000000000001\n"
            "# HELP b H.\n"
            "# TYPE b histogram\n"
            "b_bucket{le=\"+Inf\"} +Inf\n"
            "b_sum NaN\n");
}

TEST(CallStatisticsTest, BucketsAreCumulativeOnThePage) {
  CallStatistics statistics;
  statistics.Add(Transport::kHttp, "200", std::chrono::microseconds(100));
  statistics.Add(Transport::kHttp, "404", std::chrono::seconds(3));
  statistics.Add(Transport::kHttp, "200", std::chrono::hours(1));
  const auto http = statistics.Read().at(Transport::kHttp);
  EXPECT_EQ(http.count, 3u);
  EXPECT_EQ(http.by_code.at("200"), 2u);
  EXPECT_EQ(http.in_bucket[0], 1u);
  EXPECT_EQ(http.in_bucket[6], 1u);
}

class MetricsPageTest : public RestBed {
 protected:
  MetricsPage Page() {
    return MetricsPage(
        {store_,
         activity_,
         {{"GPU-a", "H200", 0}, {"GPU-b", "H200", 0}},
         [] {
           return std::vector<UnusableDevice>{{"GPU-b", "is lost", true}};
         },
         ""});
  }
};

TEST_F(MetricsPageTest, TellsOfJobsGpusAndCalls) {
  activity_.End(activity_.Begin(), Transport::kGrpc, "OK");
  const std::string text = Page().Text(SocketPrincipal());
  EXPECT_THAT(text, HasSubstr("vernier_jobs{state=\"RUNNING\"} 0\n"));
  EXPECT_THAT(
      text, HasSubstr("vernier_gpu_usable{gpu=\"GPU-a\",model=\"H200\"} 1\n"));
  EXPECT_THAT(
      text, HasSubstr("vernier_gpu_usable{gpu=\"GPU-b\",model=\"H200\"} 0\n"));
  EXPECT_THAT(
      text,
      HasSubstr("vernier_requests_total{transport=\"grpc\",code=\"OK\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("process_open_fds "));
}

TEST_F(MetricsPageTest, AProjectsReaderSeesItsOwnJobsOnly) {
  ASSERT_EQ(Call("POST", "/v1/projects/default/jobs",
                 R"({"jobId": "secretjob", "trainingInput": {"region": "local",
                     "scaleTier": "BASIC"}, "vernier": {"command": ["true"]}})")
                .status,
            200);
  Principal reader;
  reader.project = "another";
  EXPECT_THAT(Page().Text(reader), Not(HasSubstr("secretjob")));
  EXPECT_THAT(Page().Text(SocketPrincipal()),
              HasSubstr("vernier_job_trials_max{project=\"default\","
                        "job=\"secretjob\"}"));
}

}  // namespace
}  // namespace vernier

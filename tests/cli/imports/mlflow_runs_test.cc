#include "cli/imports/mlflow_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

TableFlags LossFlags() {
  TableFlags flags;
  flags.metrics = {"loss:min"};
  return flags;
}

std::string RunJson(const std::string& id, const std::string& status,
                    const std::string& lr, const std::string& loss) {
  return R"({"info": {"run_id": ")" + id + R"(", "status": ")" + status +
         R"(", "start_time": 1760000000000, "end_time": "1760000060000"},)"
         R"( "data": {"params": [{"key": "lr", "value": ")" +
         lr + R"("}], "metrics": [{"key": "loss", "value": )" + loss + "}]}}";
}

TEST(MlflowRunsTest, ReadsAllPages) {
  std::vector<std::string> bodies;
  const auto call =
      [&](const std::string& method,
          const std::string& body) -> absl::StatusOr<std::string> {
    bodies.push_back(method + " " + body);
    if (method == "experiments/search") {
      return std::string(R"({"experiments": [{"experiment_id": "7"}]})");
    }
    if (body.find("page_token") == std::string::npos) {
      return R"({"runs": [)" + RunJson("a", "FINISHED", "0.1", "2.5") + "," +
             RunJson("b", "FAILED", "0.2", "NaN") +
             R"(], "next_page_token": "n"})";
    }
    return R"({"runs": [)" + RunJson("c", "RUNNING", "0.3", "1") + "," +
           RunJson("d", "FINISHED", "0.4", "\"Infinity\"") + "]}";
  };
  const auto study = ReadMlflowRuns(call, "http://m", "digits", LossFlags());
  ASSERT_TRUE(study.ok()) << study.status();
  EXPECT_THAT(bodies, ElementsAre(HasSubstr("name = 'digits'"),
                                  HasSubstr(R"("experiment_ids":["7"])"),
                                  HasSubstr(R"("page_token":"n")")));
  EXPECT_EQ(study->tool, "mlflow");
  ASSERT_THAT(study->trials, SizeIs(3));
  EXPECT_EQ(study->trials[0].id, "a");
  EXPECT_EQ(study->trials[0].started, "2025-10-09T08:53:20.000Z");
  EXPECT_EQ(study->trials[0].final_report->elapsed, std::chrono::minutes(1));
  EXPECT_EQ(study->trials[1].state, ForeignTrial::State::kInfeasible);
  EXPECT_THAT(study->notes, testing::Contains(HasSubstr("1 trial (c)")));
}

TEST(MlflowRunsTest, NamesWhatIsWrong) {
  std::string answer = R"({"experiments": []})";
  const auto call = [&](const std::string&, const std::string&) {
    return absl::StatusOr<std::string>(answer);
  };
  const auto message = [&] {
    return std::string(ReadMlflowRuns(call, "http://m", "digits", LossFlags())
                           .status()
                           .message());
  };
  EXPECT_THAT(message(), HasSubstr("http://m: there is no experiment"));
  answer = "<html>";
  EXPECT_THAT(message(), HasSubstr("the answer is none of MLflow's"));
  answer = R"({"experiments": [{"experiment_id": "7"}], "runs": [{}]})";
  EXPECT_THAT(message(), HasSubstr("a run has no run_id or status"));
}

// Many programs have a parameter "loss" that says which loss they take.
TEST(MlflowRunsTest, NamesAParameterThatIsCalledAsTheMetric) {
  const auto call = [](const std::string& method, const std::string&) {
    if (method == "experiments/search") {
      return absl::StatusOr<std::string>(
          R"({"experiments": [{"experiment_id": "7"}]})");
    }
    std::string runs;
    for (const std::string id : {"a", "b"}) {
      runs += (runs.empty() ? "" : ",") +
              (R"({"info": {"run_id": ")" + id +
               R"(", "status": "FINISHED"}, "data": {"params": )"
               R"([{"key": "loss", "value": "mse"}, {"key": "status", )"
               R"("value": ")" +
               id + R"("}], "metrics": [{"key": "loss", "value": 1}]}})");
    }
    return absl::StatusOr<std::string>(R"({"runs": [)" + runs + "]}");
  };
  const auto study = ReadMlflowRuns(call, "http://m", "digits", LossFlags());
  ASSERT_TRUE(study.ok()) << study.status();
  EXPECT_THAT(study->notes,
              testing::Contains(HasSubstr("the setting loss is left out")));
  ASSERT_THAT(study->spec.parameters, SizeIs(1));
  EXPECT_EQ(study->spec.parameters[0].name, "status");
  EXPECT_EQ(study->trials[1].parameters[0].value,
            ParameterValue(std::string("b")));
}

}  // namespace
}  // namespace vernier

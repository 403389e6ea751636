#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "study/job_file/job_parser.h"
#include "tests/study/test_files.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

std::string OneOf(const std::vector<std::string>& choices) {
  return *rc::gen::elementOf(choices);
}

bool Coin() { return *rc::gen::arbitrary<bool>(); }

// All 17 digits: not what the parser writes.
std::string Number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return Coin() ? text : "\"" + std::string(text) + "\"";
}

double AnyNumber(double low, double high) {
  const double part = *rc::gen::inRange(0, 1'000'001) / 1e6;
  return low + part * (high - low);
}

std::string ScaleField(bool is_positive) {
  if (Coin()) return "";
  if (!is_positive) return R"(,"scaleType":"UNIT_LINEAR_SCALE")";
  return R"(,"scaleType":")" +
         OneOf({"UNIT_LINEAR_SCALE", "UNIT_LOG_SCALE", "UNIT_REVERSE_LOG_SCALE",
                "NONE"}) +
         "\"";
}

std::string AnyParameter(int index) {
  const std::string name =
      R"({"parameterName":"p)" + std::to_string(index) + "\",\"type\":";
  const bool is_positive = Coin();
  switch (*rc::gen::inRange(0, 4)) {
    case 0: {
      const double low = is_positive ? 1e-6 : -1e6;
      const double a = AnyNumber(low, 1e6), b = AnyNumber(low, 1e6);
      return name + R"("DOUBLE","minValue":)" + Number(std::min(a, b)) +
             R"(,"maxValue":)" + Number(std::max(a, b)) +
             ScaleField(is_positive) + "}";
    }
    case 1: {
      const int low = is_positive ? 1 : -1000;
      const int a = *rc::gen::inRange(low, 1000);
      const int b = *rc::gen::inRange(low, 1000);
      return name + R"("INTEGER","minValue":)" + Number(std::min(a, b)) +
             R"(,"maxValue":)" + Number(std::max(a, b)) +
             ScaleField(is_positive) + "}";
    }
    case 2: {
      std::string values;
      const auto words = *rc::gen::nonEmpty(
          rc::gen::container<std::set<std::string>>(rc::gen::nonEmpty(
              rc::gen::container<std::string>(rc::gen::inRange('a', 'z')))));
      for (const std::string& word : words) {
        values += (values.empty() ? "\"" : ",\"") + word + "\"";
      }
      return name + R"("CATEGORICAL","categoricalValues":[)" + values + "]}";
    }
    default: {
      std::string values;
      const auto numbers = *rc::gen::nonEmpty(rc::gen::container<std::set<int>>(
          rc::gen::inRange(is_positive ? 1 : -1000, 1000)));
      for (const int number : numbers) {
        values += (values.empty() ? "" : ",") + Number(number / 8.0);
      }
      return name + R"("DISCRETE","discreteValues":[)" + values + "]" +
             ScaleField(is_positive) + "}";
    }
  }
}

std::string AnyTuning() {
  std::string params;
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    params += (i > 0 ? "," : "") + AnyParameter(i);
  }
  const int trials = *rc::gen::inRange(1, 1000);
  std::string text = R"("hyperparameters":{"params":[)" + params +
                     R"(],"maxTrials":)" + Number(trials);
  if (Coin()) {
    text +=
        R"(,"maxParallelTrials":)" + Number(*rc::gen::inRange(1, trials + 1));
  }
  if (Coin()) {
    text += R"(,"maxFailedTrials":)" + Number(*rc::gen::inRange(0, trials + 1));
  }
  if (Coin()) text += R"(,"goal":")" + OneOf({"MAXIMIZE", "MINIMIZE"}) + "\"";
  if (Coin()) text += R"(,"algorithm":"RANDOM_SEARCH")";
  if (Coin()) text += R"(,"enableTrialEarlyStopping":true)";
  if (Coin()) text += R"(,"hyperparameterMetricTag":"a/b c")";
  return text + "}";
}

// Valid by construction; the keys in an order of its own.
std::string AnyJob() {
  std::vector<std::string> input = {R"("pythonModule":"trainer.task")"};
  if (Coin()) input.push_back(AnyTuning());
  if (Coin()) {
    input.push_back(
        R"("scaleTier":"CUSTOM","masterType":"standard","workerType":"standard")"
        R"(,"workerCount":)" +
        Number(*rc::gen::inRange(0, 10)));
  } else if (Coin()) {
    input.push_back(R"("scaleTier":")" +
                    OneOf({"BASIC", "STANDARD_1", "PREMIUM_1"}) + "\"");
  }
  if (Coin()) input.push_back(R"("args":["--a","\ud83d\ude00 \"b\"\n"])");
  if (Coin()) input.push_back(R"("jobDir":"/out")");
  if (Coin()) input.push_back(R"("runtimeVersion":2.10)");
  if (Coin()) {
    input.push_back(R"("scheduling":{"maxRunningTime":")" +
                    std::to_string(*rc::gen::inRange(1, 100000)) + ".5s\"}");
  }
  if (Coin()) input.push_back(R"("network":"n")");
  std::string text = "{";
  for (std::size_t i = 0; i < input.size(); ++i) {
    text += (i > 0 ? "," : "") + input[(i + 1) % input.size()];
  }
  text = R"({"trainingInput":)" + text + R"(},"jobId":"j")";
  if (Coin()) text += R"(,"labels":{"b":"1","a":""})";
  if (Coin()) {
    text += R"(,"vernier":{"killGrace":"3s","seed":)" +
            std::to_string(*rc::gen::inRange(0, 1000)) +
            R"(,"environment":{"B":"2","A":"1"}})";
  }
  return text + "}";
}

void AssertSame(const ParsedJob& a, const ParsedJob& b) {
  RC_ASSERT(a.json == b.json);
  RC_ASSERT(a.ignored_fields == b.ignored_fields);
  const TrainingInput& x = a.spec.training_input;
  const TrainingInput& y = b.spec.training_input;
  RC_ASSERT(x.worker.count == y.worker.count);
  RC_ASSERT(x.parameter_server.count == y.parameter_server.count);
  RC_ASSERT(x.args == y.args);
  RC_ASSERT(x.runtime_version == y.runtime_version);
  RC_ASSERT(x.max_running_time == y.max_running_time);
  RC_ASSERT(x.hyperparameters.has_value() == y.hyperparameters.has_value());
  if (x.hyperparameters) {
    RC_ASSERT(x.hyperparameters->params == y.hyperparameters->params);
    RC_ASSERT(x.hyperparameters->max_trials == y.hyperparameters->max_trials);
    RC_ASSERT(x.hyperparameters->goal == y.hyperparameters->goal);
  }
  RC_ASSERT(a.spec.vernier.seed == b.spec.vernier.seed);
  RC_ASSERT(a.spec.vernier.environment == b.spec.vernier.environment);
}

RC_GTEST_PROP(JobParserProperty, ItsJsonParsesToTheSameJob, ()) {
  const std::string text = AnyJob();
  const auto job = ParseJob(text, {});
  if (!job.ok()) RC_FAIL(std::string(job.status().message()) + "\n" + text);
  const auto again = ParseJob(job->json, {});
  RC_ASSERT(again.ok());
  AssertSame(*job, *again);
}

RC_GTEST_PROP(JobParserProperty, TheYamlReaderAgreesWithTheJsonReader, ()) {
  const auto job = ParseJob(AnyJob(), {});
  RC_ASSERT(job.ok());
  // A comment makes it YAML. Surrogate pairs are gone after the first parse.
  const auto as_yaml = ParseJob("# YAML\n" + job->json, {});
  RC_ASSERT(as_yaml.ok());
  AssertSame(*job, *as_yaml);
}

// Total: any bytes give a job or errors, and errors always say something.
void AssertTotal(const std::string& text) {
  std::vector<SpecError> errors;
  const auto job = ParseJob(text, {}, &errors);
  RC_ASSERT(job.ok() == errors.empty());
  for (const SpecError& error : errors) RC_ASSERT(!error.message.empty());
  if (job.ok()) RC_ASSERT(ParseJob(job->json, {}).ok());
}

RC_GTEST_PROP(JobParserProperty, RandomBytesGiveAnAnswer, ()) {
  AssertTotal(*rc::gen::container<std::string>(rc::gen::arbitrary<char>()));
}

RC_GTEST_PROP(JobParserProperty, RandomYamlGivesAnAnswer, ()) {
  static const std::vector<std::string> kPieces = {"jobId",   ":",
                                                   " ",       "\n",
                                                   "- ",      "trainingInput",
                                                   "{",       "}",
                                                   "[",       "]",
                                                   ",",       "\"",
                                                   "'",       "&a ",
                                                   "*a",      "<<",
                                                   "|\n ",    "#",
                                                   "? ",      "null",
                                                   "1.5",     "params",
                                                   "  ",      "x",
                                                   "type",    "!!str ",
                                                   "---\n",   "vernier",
                                                   "\\ud83d", "\t",
                                                   "\r\n",    "hyperparameters",
                                                   "labels",  "DOUBLE"};
  std::string text;
  for (const std::string& piece : *rc::gen::container<std::vector<std::string>>(
           rc::gen::elementOf(kPieces))) {
    text += piece;
  }
  AssertTotal(text);
}

RC_GTEST_PROP(JobParserProperty, ADamagedFileGivesAnAnswer, ()) {
  static const std::string kFile =
      ReadText(StudyTestPath("job_files/every_field.yaml"));
  std::string text = kFile;
  const int damages = *rc::gen::inRange(1, 6);
  for (int i = 0; i < damages; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        text[at] = *rc::gen::arbitrary<char>();
        break;
      case 1:
        text.erase(at, *rc::gen::inRange<std::size_t>(1, 30));
        break;
      default:
        text.insert(at, text.substr(at / 2, 20));
    }
    if (text.empty()) text = " ";
  }
  AssertTotal(text);
}

}  // namespace
}  // namespace vernier

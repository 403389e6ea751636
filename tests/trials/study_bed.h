#ifndef VERNIER_TESTS_TRIALS_STUDY_BED_H_
#define VERNIER_TESTS_TRIALS_STUDY_BED_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/fakes/memory_store.h"
#include "trials/study_service.h"
#include "trials/suggestion_service.h"

namespace vernier {

/// A clock that advances by a millisecond whenever it is read. Thread-safe.
class TickingClock final : public Clock {
 public:
  Timestamp Now() const override {
    return Timestamp(std::chrono::milliseconds(++ticks_));
  }
  SteadyTime Steady() const override {
    return {std::chrono::milliseconds(++ticks_)};
  }

 private:
  mutable std::atomic<std::int64_t> ticks_{0};
};

/// Returns a study of one DOUBLE "x" in [0, 1], with "loss" to be minimised.
inline StudySpec MakeStudySpec() {
  StudySpec spec;
  spec.metrics = {{"loss", Goal::kMinimize}};
  ParameterSpec x;
  x.name = "x";
  x.max_value = 1;
  spec.parameters = {x};
  spec.algorithm = Algorithm::kRandomSearch;
  return spec;
}

/// Returns a study of one INTEGER "n" in [1, 3], which is a grid of three
/// points.
inline StudySpec MakeGridSpec() {
  StudySpec spec = MakeStudySpec();
  ParameterSpec& n = spec.parameters[0];
  n.name = "n";
  n.type = ParameterType::kInteger;
  n.min_value = 1;
  n.max_value = 3;
  spec.algorithm = Algorithm::kGridSearch;
  return spec;
}

inline MetricReport Loss(double value, std::int64_t step = 0) {
  return {step, std::chrono::seconds(0), {{"loss", value}}};
}

/// The use cases over a store in memory; work in the background is done at
/// once.
class StudyBed : public testing::Test {
 protected:
  const std::string kName = "owners/me/studies/a study";

  void Make(const StudySpec& spec = MakeStudySpec(),
            const std::string& name = "a study") {
    const auto made =
        studies_.CreateStudy({"owners/me", name, spec, {"test", "bytes"}, {}});
    ASSERT_TRUE(made.ok()) << made.status();
  }

  absl::StatusOr<SuggestionService::Answer> Ask(const std::string& client,
                                                int count = 1,
                                                const std::string& study = "") {
    std::optional<absl::StatusOr<SuggestionService::Answer>> answer;
    studies_.Suggest(study.empty() ? kName : study, count, client,
                     [&](auto got) { answer = std::move(got); });
    if (!answer.has_value()) return absl::InternalError("no answer yet");
    return *std::move(answer);
  }

  /// Returns the numbers of the trials that the client gets, such as "1 2".
  std::string Get(const std::string& client, int count = 1) {
    const auto answer = Ask(client, count);
    if (!answer.ok()) return answer.status().ToString();
    std::string numbers;
    for (const TrialId trial : answer->trials) {
      absl::StrAppend(&numbers, numbers.empty() ? "" : " ", ToInt(trial));
    }
    return numbers;
  }

  void Complete(int trial, double loss) {
    const auto done =
        studies_.CompleteTrial(kName, TrialId{trial}, {Loss(loss), false, ""});
    ASSERT_TRUE(done.ok()) << done.status();
  }

  TrialRecord Trial(int trial) {
    return studies_.GetTrial(kName, TrialId{trial}).value().record();
  }

  MemoryStore store_;
  TickingClock clock_;
  std::vector<std::string> log_;
  StudyEngines engines_{
      store_, [this](const std::string& line) { log_.push_back(line); }};
  SuggestionService suggestions_{
      {store_, engines_, clock_,
       [](const std::function<void()>& work) { work(); },
       [this](const std::string& line) { log_.push_back(line); }}};
  StudyService studies_{{store_, clock_, engines_, suggestions_,
                         [] { return std::uint64_t{7}; }}};
};

}  // namespace vernier

#endif  // VERNIER_TESTS_TRIALS_STUDY_BED_H_

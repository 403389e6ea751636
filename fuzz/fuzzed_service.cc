#include "fuzz/fuzzed_service.h"

#include <google/protobuf/util/json_util.h>

#include <cstdio>
#include <cstdlib>

#include "store/study_names.h"

namespace vernier {
namespace {

constexpr char kJob[] =
    R"({"jobId":"job","trainingInput":{"hyperparameters":{"goal":"MINIMIZE",)"
    R"("hyperparameterMetricTag":"loss","maxTrials":9,"params":[)"
    R"({"parameterName":"x","type":"DOUBLE","minValue":0,"maxValue":1}]}},)"
    R"("vernier":{"command":["/bin/true"]}})";
constexpr char kStudy[] =
    R"({"parent":"owners/me","study":{"displayName":"s","studySpec":{)"
    R"("algorithm":"RANDOM_SEARCH","metrics":[{"metricId":"acc"}],)"
    R"("parameters":[{"parameterId":"x","doubleValueSpec":)"
    R"({"minValue":0,"maxValue":1}}]}}})";

}  // namespace

bool ReadMessage(const std::string& text, google::protobuf::Message* message) {
  message->Clear();
  if (google::protobuf::util::JsonStringToMessage(text, message).ok()) {
    return true;
  }
  return message->ParseFromString(text);
}

void CheckStatus(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInternal:
    case absl::StatusCode::kUnknown:
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kUnavailable:
      std::fprintf(stderr, "the service is wrong: %s\n",
                   status.ToString().c_str());
      std::abort();
    default:
      VERNIER_CHECK(status.ok() || !status.message().empty());
  }
}

FuzzedService::FuzzedService(FuzzedTokens& tokens)
    : access_({tokens.store(), clock_, sign_in_codes_, "http://127.0.0.1:1"}),
      authenticator_(tokens.store(), clock_),
      project_handlers_({tokens.quotas(), tokens.store(), store_, [] {}}) {
  MakeJob();
  MakeStudy();
}

void FuzzedService::MakeJob() {
  v1::CreateJobRequest request;
  VERNIER_CHECK(ReadMessage(kJob, request.mutable_job()));
  v1::Job job;
  CheckStatus(jobs_handlers_.CreateJob(request, &job));
  attempt_ = {FindJob(*store_.Snapshot(), "job")->id, TrialId{1}, 1};
  CheckStatus(store_.Commit(
      {CreateTrials{attempt_.study, {NewTrial{{{"x", 0.5}}, {"USER", {}}}}},
       IntendLaunch{attempt_, kNonce, {}},
       ObserveAttempt{attempt_, AttemptEvent::kRun}},
      clock_.Now()));
}

void FuzzedService::MakeStudy() {
  vizier::CreateStudyRequest request;
  VERNIER_CHECK(ReadMessage(kStudy, &request));
  vizier::Study study;
  CheckStatus(vizier_handlers_.CreateStudy(request, &study));
  studies_.Suggest(study.name(), 1, "c",
                   [](const absl::StatusOr<SuggestionService::Answer>& answer) {
                     CheckStatus(answer.status());
                   });
}

// Does the work at once, but never one piece within another.
void FuzzedService::Do(std::function<void()> work) {
  work_.push_back(std::move(work));
  if (is_working_) return;
  is_working_ = true;
  while (!work_.empty()) {
    const std::function<void()> next = std::move(work_.front());
    work_.pop_front();
    next();
  }
  is_working_ = false;
}

std::string FuzzedService::NextNonce() {
  char text[33];
  std::snprintf(text, sizeof(text), "%032x", ++nonces_);
  return text;
}

}  // namespace vernier

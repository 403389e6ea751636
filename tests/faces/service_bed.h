#ifndef VERNIER_TESTS_FACES_SERVICE_BED_H_
#define VERNIER_TESTS_FACES_SERVICE_BED_H_

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "access/authenticator.h"
#include "access/sign_in_codes.h"
#include "access/token_text.h"
#include "base/clock.h"
#include "base/thread_pool.h"
#include "edge/call_activity.h"
#include "edge/endpoint.h"
#include "edge/grpc/call_gate.h"
#include "edge/grpc/grpc_listener.h"
#include "edge/grpc/stream_pump.h"
#include "edge/load_limiter.h"
#include "faces/native/access_handlers.h"
#include "faces/native/job_handlers.h"
#include "faces/native/native_methods.h"
#include "store/study_names.h"
#include "tests/fakes/absent_job_files.h"
#include "tests/fakes/memory_store.h"
#include "tests/fakes/service_client.h"
#include "tests/support/scratch_folder.h"
#include "trials/engine/study_engines.h"
#include "trials/submission/job_service.h"

namespace vernier {

/// The whole edge over a store in memory, on a socket in a temporary folder.
/// The test plays the orchestrator.
class ServiceBed : public testing::Test {
 protected:
  void SetUp() override {
    endpoint_.socket_path = folder_ / "v.sock";
    auto listener = GrpcListener::Listen({&endpoint_}, Methods());
    ASSERT_TRUE(listener.ok()) << listener.status();
    listener_ = std::move(listener).value();
    client_ = std::make_unique<ServiceClient>(endpoint_);
  }

  void TearDown() override {
    if (listener_ != nullptr) Stop();
  }

  void Stop() {
    pump_.Stop();
    listener_->Shutdown();
    listener_.reset();
  }

  /// Returns the methods that are served.
  virtual GrpcMethods Methods() {
    GrpcMethods methods;
    AddJobMethods(handlers_, store_, calls_, &methods);
    return methods;
  }

  static std::string JobJson(const std::string& job_id, int max_trials = 5) {
    return R"({"jobId":")" + job_id +
           R"(","trainingInput":{"hyperparameters":{"goal":"MINIMIZE",)"
           R"("hyperparameterMetricTag":"loss","maxTrials":)" +
           std::to_string(max_trials) +
           R"(,"maxParallelTrials":5,"params":[{"parameterName":"x",)"
           R"("type":"DOUBLE","minValue":0,"maxValue":1}]}},)"
           R"("vernier":{"command":["/bin/true"]}})";
  }

  /// Creates a job and returns its study.
  StudyId Create(const std::string& name,
                 const std::string& project = "default") {
    ServiceClient client(endpoint_, {"", "", "", "", project});
    const auto created = client.CreateJob(JobJson(name), "");
    EXPECT_TRUE(created.ok()) << created.status();
    return FindJob(*store_.Snapshot(), JobIdIn(project, name))->id;
  }

  void Commit(const std::vector<Change>& changes) {
    const absl::Status status = store_.Commit(changes, clock_.Now());
    ASSERT_TRUE(status.ok()) << status;
  }

  /// Adds a trial with x = `x`, and launches its first attempt.
  AttemptKey Launch(StudyId study, std::int64_t trial, double x) {
    const AttemptKey key{study, TrialId{trial}, 1};
    const std::string nonce = std::string(31, 'a') + char('0' + trial % 10);
    Commit({CreateTrials{study, {NewTrial{{{"x", x}}, {"USER", {}}}}},
            IntendLaunch{key, nonce, {}},
            ObserveAttempt{key, AttemptEvent::kRun}});
    return key;
  }

  void Complete(const AttemptKey& key, double value) {
    Commit(
        {EndAttempt{key,
                    AttemptEvent::kExit,
                    TrialEndCause::kSuccess,
                    0,
                    std::nullopt,
                    "",
                    {}},
         MoveTrial{key.study, key.trial, TrialEvent::kReportFinal,
                   TrialEndCause::kSuccess, "", FinalMeasurement{3, value}}});
  }

  SystemClock clock_;
  MemoryStore store_;
  AbsentJobFiles files_;
  const ScratchFolder folder_;
  std::unique_ptr<QuotaStore> quotas_ =
      QuotaStore::Open(folder_ / "quotas.db").value();
  Hindrances hindrances_;
  JobService jobs_{{store_, files_, clock_, [] {},
                    [] { return std::uint64_t{5}; }, quotas_.get()},
                   {folder_ / "runs"}};
  CallActivity activity_{clock_};
  ThreadPool pool_{4};
  StreamPump pump_{std::chrono::milliseconds(5)};
  StudyEngines engines_{store_, [](const std::string&) {}};
  JobHandlers handlers_{{jobs_, store_, hindrances_, engines_.models(), clock_},
                        {"/data", {Device{"GPU-1", "Test GPU", 1 << 30}}}};
  std::unique_ptr<TokenStore> tokens_ =
      TokenStore::Open(folder_ / "access.db").value();
  SignInCodes sign_in_codes_{clock_, &DrawToken};
  AccessHandlers access_{
      {*tokens_, clock_, sign_in_codes_, "http://127.0.0.1:1"}};
  Authenticator authenticator_{*tokens_, clock_};
  RateLimiter limiter_{{}, clock_};
  LoadLimiter load_{{}};
  AttemptTokens attempts_{store_, "secret"};
  CallGate gate_{authenticator_, attempts_, limiter_};
  const GatedCalls calls_{gate_, pool_, pump_, activity_, load_};
  Endpoint endpoint_;
  std::unique_ptr<GrpcListener> listener_;
  std::unique_ptr<ServiceClient> client_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_FACES_SERVICE_BED_H_

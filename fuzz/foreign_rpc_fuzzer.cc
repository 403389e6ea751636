// Makes calls of Optuna's and Katib's clients through the handlers: lines such
// as "optuna.CreateNewTrial REQUEST" and "katib.GetSuggestions REQUEST"
// (FuzzedCalls). Optuna's studies lie in a store in memory that begins with
// study 3, and "engine." in place of "optuna." lets our engine choose points.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "base/calls/call_meter.h"
#include "base/calls/current_meter.h"
#include "base/thread_pool.h"
#include "faces/katib/katib_handlers.h"
#include "faces/optuna/optuna_handlers.h"
#include "fuzz/fuzzed_calls.h"
#include "fuzz/fuzzed_service.h"

namespace vernier {
namespace {

/// Ends a call that would take too long to try many of, as the meter of a real
/// call does where nobody waits any more.
class ShortCall final : public CallMeter {
 public:
  absl::Status Use(const CallCost& cost) override {
    rows_ += cost.rows + 1;
    return rows_ > 300 ? absl::CancelledError("nobody waits for the answer")
                       : absl::OkStatus();
  }

 private:
  std::int64_t rows_ = 0;
};

/// The cluster of an experiment whose trials have reported their own names.
KatibCluster MadeUpCluster() {
  return {
      [](const katib::GetObservationLogRequest& request,
         katib::GetObservationLogReply* reply,
         const std::function<void(absl::Status)>& done) {
        for (const char* const value : {"0.5", request.trial_name().c_str()}) {
          auto* const log = reply->mutable_observation_log()->add_metric_logs();
          log->set_time_stamp("2026-11-29T10:00:00Z");
          log->mutable_metric()->set_name(request.metric_name());
          log->mutable_metric()->set_value(value);
        }
        done(absl::OkStatus());
      },
      [](const std::string& trial) {
        return trial == "lost" ? absl::NotFoundError("no such trial")
                               : absl::OkStatus();
      }};
}

/// Makes the call, and returns once it has ended.
template <typename Request, typename Response>
void Await(KatibHandlers& handlers,
           void (KatibHandlers::*handler)(const Request&, Response*,
                                          std::function<void(absl::Status)>),
           const Request& request) {
  ShortCall meter;
  Response response;
  std::mutex mu;
  std::condition_variable changed;
  bool has_ended = false;
  {
    const CallMeterScope scope(&meter);
    (handlers.*handler)(request, &response, [&](const absl::Status& status) {
      CheckStatus(status);
      const std::lock_guard lock(mu);
      has_ended = true;
      changed.notify_all();
    });
  }
  std::unique_lock lock(mu);
  changed.wait(lock, [&] { return has_ended; });
}

class ForeignCalls {
 public:
  ForeignCalls(FuzzedService& service, ThreadPool& fitters)
      : plain_({service.store(), service.studies(), service.clock(),
                [] { return std::uint64_t{5}; }}),
        points_(service.engines(), [](const std::string&) {}),
        engine_({service.store(), service.studies(), service.clock(),
                 [] { return std::uint64_t{5}; }, nullptr, &points_}),
        katib_(fitters, MadeUpCluster()) {
    MakeStudy();
    AddOptuna("optuna.", plain_);
    AddOptuna("engine.", engine_);
    AddKatib();
  }

  const FuzzedCalls& calls() const { return calls_; }

 private:
  void MakeStudy() {
    optuna::CreateNewStudyRequest request;
    request.set_study_name("s");
    request.add_directions(optuna::MINIMIZE);
    optuna::CreateNewStudyReply reply;
    CheckStatus(plain_.CreateNewStudy(request, &reply));
    VERNIER_CHECK(reply.study_id() == 3);
  }

  void AddOptuna(const std::string& prefix, OptunaHandlers& handlers) {
    using H = OptunaHandlers;
    const auto add = [&](const char* name, auto handler) {
      calls_.Add(prefix + name, handlers, handler);
    };
    add("CreateNewStudy", &H::CreateNewStudy);
    add("DeleteStudy", &H::DeleteStudy);
    add("SetStudyUserAttribute", &H::SetStudyUserAttribute);
    add("SetStudySystemAttribute", &H::SetStudySystemAttribute);
    add("GetStudyIdFromName", &H::GetStudyIdFromName);
    add("GetStudyNameFromId", &H::GetStudyNameFromId);
    add("GetStudyDirections", &H::GetStudyDirections);
    add("GetStudyUserAttributes", &H::GetStudyUserAttributes);
    add("GetStudySystemAttributes", &H::GetStudySystemAttributes);
    add("GetAllStudies", &H::GetAllStudies);
    add("CreateNewTrial", &H::CreateNewTrial);
    add("SetTrialParameter", &H::SetTrialParameter);
    add("GetTrialIdFromStudyIdTrialNumber",
        &H::GetTrialIdFromStudyIdTrialNumber);
    add("SetTrialStateValues", &H::SetTrialStateValues);
    add("SetTrialIntermediateValue", &H::SetTrialIntermediateValue);
    add("SetTrialUserAttribute", &H::SetTrialUserAttribute);
    add("SetTrialSystemAttribute", &H::SetTrialSystemAttribute);
    add("GetTrial", &H::GetTrial);
    add("GetTrials", &H::GetTrials);
  }

  void AddKatib() {
    using H = KatibHandlers;
    calls_.Add<katib::GetSuggestionsRequest>(
        "katib.GetSuggestions",
        [this](const katib::GetSuggestionsRequest& request) {
          Await(katib_, &H::GetSuggestions, request);
        });
    calls_.Add<katib::GetEarlyStoppingRulesRequest>(
        "katib.GetEarlyStoppingRules",
        [this](const katib::GetEarlyStoppingRulesRequest& request) {
          Await(katib_, &H::GetEarlyStoppingRules, request);
        });
    calls_.Add("katib.ValidateAlgorithmSettings", katib_,
               &H::ValidateAlgorithmSettings);
    calls_.Add("katib.SetTrialStatus", katib_, &H::SetTrialStatus);
    calls_.Add("katib.ValidateEarlyStoppingSettings", katib_,
               &H::ValidateEarlyStoppingSettings);
  }

  OptunaHandlers plain_;
  OptunaPoints points_;
  OptunaHandlers engine_;
  KatibHandlers katib_;
  FuzzedCalls calls_;
};

}  // namespace
}  // namespace vernier

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  // No input makes tokens.
  static vernier::FuzzedTokens& tokens = *new vernier::FuzzedTokens;
  static vernier::ThreadPool& fitters = *new vernier::ThreadPool(1);
  vernier::FuzzedService service(tokens);
  const vernier::ForeignCalls foreign(service, fitters);
  foreign.calls().Make({reinterpret_cast<const char*>(data), size});
  return 0;
}

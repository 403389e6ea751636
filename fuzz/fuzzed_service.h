#ifndef VERNIER_FUZZ_FUZZED_SERVICE_H_
#define VERNIER_FUZZ_FUZZED_SERVICE_H_

#include <google/protobuf/message.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "access/authenticator.h"
#include "access/rate_limiter.h"
#include "base/check.h"
#include "base/clock.h"
#include "faces/native/access_handlers.h"
#include "faces/native/job_handlers.h"
#include "faces/native/project_handlers.h"
#include "faces/native/study_handlers.h"
#include "faces/vizier/vizier_handlers.h"
#include "store/access/quota_store.h"
#include "tests/fakes/absent_job_files.h"
#include "tests/fakes/memory_store.h"
#include "tests/support/scratch_folder.h"
#include "trials/jobs/hindrances.h"
#include "trials/study_service.h"
#include "trials/submission/job_service.h"
#include "trials/suggestion_service.h"

namespace vernier {

/// A clock that gives the same instants in each run.
class CountingClock final : public Clock {
 public:
  Timestamp Now() const override {
    return Timestamp(std::chrono::seconds(1700000000) +
                     std::chrono::microseconds(++ticks_));
  }
  SteadyTime Steady() const override {
    return SteadyTime{std::chrono::microseconds(++ticks_)};
  }

 private:
  mutable std::int64_t ticks_ = 0;
};

/// Reads a message from its JSON form, or else from its bytes; false if `text`
/// is neither.
bool ReadMessage(const std::string& text, google::protobuf::Message* message);

/// Aborts on a status that says that the service itself is wrong.
void CheckStatus(const absl::Status& status);

/// Tokens and quotas in a folder that is removed with the process.
class FuzzedTokens {
 public:
  TokenStore& store() { return *store_; }
  QuotaStore& quotas() { return *quotas_; }

 private:
  const ScratchFolder folder_;
  const std::unique_ptr<TokenStore> store_ =
      TokenStore::Open(folder_ / "access.db").value();
  const std::unique_ptr<QuotaStore> quotas_ =
      QuotaStore::Open(folder_ / "quotas.db").value();
};

/// The handlers of all calls, over a store in memory that has a job "job" with
/// an attempt that runs, and a study "owners/me/studies/s" with an active trial
/// of the client "c". One thread does everything. Not thread-safe.
class FuzzedService {
 public:
  explicit FuzzedService(FuzzedTokens& tokens);

  static inline const std::string kNonce = std::string(32, 'a');

  MemoryStore& store() { return store_; }
  JobService& jobs() { return jobs_; }
  StudyService& studies() { return studies_; }
  StudyEngines& engines() { return engines_; }
  const CountingClock& clock() const { return clock_; }
  AccessHandlers& access() { return access_; }
  const Authenticator& authenticator() const { return authenticator_; }
  JobHandlers& job_handlers() { return jobs_handlers_; }
  StudyHandlers& study_handlers() { return study_handlers_; }
  VizierHandlers& vizier_handlers() { return vizier_handlers_; }
  ProjectHandlers& project_handlers() { return project_handlers_; }
  RateLimiter& limiter() { return limiter_; }
  const Hindrances& hindrances() const { return hindrances_; }
  const AttemptKey& attempt() const { return attempt_; }

 private:
  void MakeJob();
  void MakeStudy();
  std::string NextNonce();
  void Do(std::function<void()> work);

  CountingClock clock_;
  MemoryStore store_;
  AbsentJobFiles files_;
  std::deque<std::function<void()>> work_;
  bool is_working_ = false;
  unsigned nonces_ = 0;
  JobService jobs_{
      {store_, files_, clock_, [] {}, [] { return std::uint64_t{5}; }},
      {"/nowhere/runs"}};
  StudyEngines engines_{store_, [](const std::string&) {}};
  SuggestionService suggestions_{
      {store_, engines_, clock_,
       [this](std::function<void()> work) { Do(std::move(work)); },
       [](const std::string&) {}}};
  StudyService studies_{{store_, clock_, engines_, suggestions_,
                         [] { return std::uint64_t{5}; }}};
  Hindrances hindrances_;
  JobHandlers jobs_handlers_{
      {jobs_, store_, hindrances_, engines_.models(), clock_},
      {"/nowhere", {}}};
  StudyHandlers study_handlers_{{studies_, store_, engines_.models(), clock_}};
  VizierHandlers vizier_handlers_{{studies_, [](const std::string&) {}}};
  // The codes differ from each other, but are the same in the next run.
  SignInCodes sign_in_codes_{clock_, [this] { return NextNonce(); }};
  AccessHandlers access_;
  Authenticator authenticator_;
  ProjectHandlers project_handlers_;
  RateLimiter limiter_{{}, clock_};
  AttemptKey attempt_;
};

}  // namespace vernier

#endif  // VERNIER_FUZZ_FUZZED_SERVICE_H_

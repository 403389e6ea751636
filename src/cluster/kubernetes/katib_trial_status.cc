#include "cluster/kubernetes/katib_trial_status.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/json.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "cluster/kubernetes/observed_objects.h"

namespace vernier {
namespace {

constexpr int kMostTries = 5;
constexpr std::size_t kLongestObjectName = 253;
constexpr int kHttpOk = 200;
constexpr int kHttpNotFound = 404;
constexpr int kHttpConflict = 409;
constexpr char kEarlyStopped[] = "EarlyStopped";

// The name becomes a part of a path.
bool IsObjectName(const std::string& name) {
  if (name.empty() || name.size() > kLongestObjectName) return false;
  if (name.front() == '.' || name.front() == '-') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.';
  });
}

absl::Status RefusalOf(const ApiReply& reply) {
  constexpr std::size_t kShownWords = 500;
  const std::string text =
      absl::StrCat("the API server answered ", reply.status, ": ",
                   ShowText(WordsOfStatus(reply.body), kShownWords));
  return reply.status == kHttpNotFound ? absl::NotFoundError(text)
                                       : absl::FailedPreconditionError(text);
}

// Adds the condition; false if it is there.
absl::StatusOr<bool> AddCondition(Timestamp now, Json* trial) {
  if (!trial->is_object()) return absl::InternalError("a Trial is no object");
  Json& status = (*trial)["status"];
  if (status.is_null()) status = Json::object();
  if (!status.is_object()) return absl::InternalError("a Trial has no status");
  Json& conditions = status["conditions"];
  if (conditions.is_null()) conditions = Json::array();
  if (!conditions.is_array()) {
    return absl::InternalError("a Trial has no list of conditions");
  }
  for (const Json& condition : conditions) {
    if (condition.is_object() && condition.value("type", "") == kEarlyStopped &&
        condition.value("status", "") == "True") {
      return false;
    }
  }
  const std::string time = absl::FormatTime(
      "%Y-%m-%dT%H:%M:%SZ", absl::FromChrono(now), absl::UTCTimeZone());
  conditions.push_back({{"type", kEarlyStopped},
                        {"status", "True"},
                        {"reason", "TrialEarlyStopped"},
                        {"message", "Trial is early stopped"},
                        {"lastUpdateTime", time},
                        {"lastTransitionTime", time}});
  return true;
}

}  // namespace

absl::Status MarkKatibTrialStopped(KubernetesApi& api,
                                   const std::string& name_space,
                                   const std::string& name, Timestamp now) {
  if (!IsObjectName(name)) {
    constexpr std::size_t kShownName = 100;
    return absl::InvalidArgumentError(
        absl::StrCat("no Trial has the name ", ShowText(name, kShownName)));
  }
  const std::string path = absl::StrCat(
      "/apis/kubeflow.org/v1beta1/namespaces/", name_space, "/trials/", name);
  for (int tries = 0; tries < kMostTries; ++tries) {
    VERNIER_ASSIGN_OR_RETURN(const ApiReply read, api.Call({"GET", path, ""}));
    if (read.status != kHttpOk) return RefusalOf(read);
    VERNIER_ASSIGN_OR_RETURN(Json trial, ParseJson(read.body));
    VERNIER_ASSIGN_OR_RETURN(const bool is_new, AddCondition(now, &trial));
    if (!is_new) return absl::OkStatus();
    // The object carries its version, so that what others have written since is
    // not lost.
    VERNIER_ASSIGN_OR_RETURN(
        const ApiReply written,
        api.Call({"PUT", absl::StrCat(path, "/status"), DumpJson(trial)}));
    if (written.status == kHttpOk) return absl::OkStatus();
    if (written.status != kHttpConflict) return RefusalOf(written);
  }
  return absl::AbortedError(
      absl::StrCat("others change the Trial ", name, " all the time"));
}

}  // namespace vernier

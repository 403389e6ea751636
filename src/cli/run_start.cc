#include "cli/run_start.h"

#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "server/random_bits.h"
#include "study/json.h"
#include "study/status_macros.h"

namespace vernier {
namespace {

/// What makes two submissions the same search.
Json SearchOf(const Json& job) {
  const Json tuning = job.value("trainingInput", Json::object())
                          .value("hyperparameters", Json::object());
  Json search = Json::object();
  for (const char* key : {"goal", "hyperparameterMetricTag", "params"}) {
    search[key] = tuning.value(key, Json());
  }
  return search;
}

absl::Status CheckSameSearch(const Json& stored, const ParsedJob& job) {
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           JobClient::NormalizeJob(job.json));
  VERNIER_ASSIGN_OR_RETURN(const Json given, ParseJson(text));
  const Json before = SearchOf(stored);
  const Json now = SearchOf(given);
  for (const auto& [key, value] : now.items()) {
    if (before.at(key) == value) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "job ", job.spec.job_id, " exists and searches another space: ", key,
        " was ", DumpJson(before.at(key)), " and is ", DumpJson(value),
        "; give the new search another --name"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Start> StartOrGoOn(JobClient& client, const ParsedJob& job) {
  const std::string& name = job.spec.job_id;
  const absl::StatusOr<std::string> stored = client.GetJobWithoutTrials(name);
  if (absl::IsNotFound(stored.status())) {
    const absl::Status created =
        client.CreateJob(job.json, RandomHex()).status();
    if (absl::IsResourceExhausted(created) &&
        !job.spec.vernier.code_dir.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          std::string(created.message()),
          "; give vernier.codeDir a smaller folder, or --no-copy to run in "
          "place"));
    }
    VERNIER_RETURN_IF_ERROR(created);
    NoteIgnoredFields(job);
    std::fprintf(stderr, "vernier: job %s submitted\n", name.c_str());
    return Start::kNew;
  }
  VERNIER_RETURN_IF_ERROR(stored.status());
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(*stored));
  VERNIER_RETURN_IF_ERROR(CheckSameSearch(document, job));
  const std::string state = document.value("state", "");
  const bool is_paused =
      document.value("vernier", Json::object()).value("wanted", "") == "PAUSE";
  if (state == "SUCCEEDED") {
    std::fprintf(stderr,
                 "vernier: job %s has succeeded; for more trials: vernier jobs "
                 "extend %s --max-trials N\n",
                 name.c_str(), name.c_str());
    return Start::kOver;
  }
  if (is_paused || state == "FAILED" || state == "CANCELLED") {
    VERNIER_RETURN_IF_ERROR(client.ResumeJob(name).status());
    std::fprintf(stderr, "vernier: job %s goes on\n", name.c_str());
  } else {
    std::fprintf(stderr, "vernier: job %s runs; following it\n", name.c_str());
  }
  return Start::kTakenUp;
}

}  // namespace vernier

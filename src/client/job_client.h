#ifndef VERNIER_CLIENT_JOB_CLIENT_H_
#define VERNIER_CLIENT_JOB_CLIENT_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/client_credentials.h"
#include "edge/endpoint.h"

namespace vernier {

/// Selects lines of logs; see ReadLogRequest in job_service.proto.
struct LogQuery {
  std::string job_id;
  std::int64_t trial = 0;
  int attempt = 0;
  std::string replica;
  bool follow = false;
  int tail_lines = 0;
};

/// Some bytes of one replica's log.
struct LogPiece {
  std::int64_t trial = 0;
  int attempt = 0;
  std::string replica;
  std::string data;
};

struct EventQuery {
  std::string job_id;
  std::int64_t after_sequence = 0;
  bool stop_at_end = false;
  bool until_now = false;
};

struct TrialListQuery {
  std::string job_id;
  std::string filter;
  std::string sort;
  int limit = 0;
};

/// The properties of a new token; see CreateTokenRequest.
struct TokenOrder {
  std::string scope;
  std::string project;
  bool may_run = false;
  std::string label;
  std::optional<std::chrono::seconds> lifetime;
};

/// Limits to change; see SetQuotaRequest. -1: none; nullopt: leave it.
struct QuotaOrder {
  std::string project;
  std::optional<int> max_parallel_trials;
  std::optional<int> max_gpus;
  std::optional<int> max_studies;
  std::optional<std::int64_t> max_bucket_bytes;
  std::optional<std::int64_t> max_bucket_objects;
};

/// Changes of a job that exists; see ReviseJobRequest.
struct RevisionOrder {
  std::string job_id;
  std::string job_json;  ///< A ParsedJob's; empty: as the job is.
  std::map<std::string, std::string> secrets = {};  ///< With job_json.
  std::string code_dir;
  bool goes_on = false;
  bool restart = false;
  bool validate_only = false;
  std::string request_id;
};

class ClientConnection;

/// A client of vernier.v1.JobService, AccessService, ProjectService and
/// StudyService that speaks JSON (proto3 JSON, one line), so that code above
/// this folder does not need protobuf. Calls block; each has a deadline,
/// streams have none.
///
/// Errors are those of the service; UNAVAILABLE if it cannot be reached.
/// Thread-safe.
class JobClient {
 public:
  using Json = absl::StatusOr<std::string>;

  using Credentials = ClientCredentials;
  /// $VERNIER_TOKEN, $VERNIER_TLS_CA, $VERNIER_TLS_CERT, $VERNIER_TLS_KEY,
  /// $VERNIER_PROJECT.
  static Credentials CredentialsOfEnvironment();

  /// Connects at the first call.
  explicit JobClient(const Endpoint& endpoint, const Credentials& credentials =
                                                   CredentialsOfEnvironment());
  ~JobClient();

  /// `job_json` and `secrets` are a ParsedJob's. Calls `on_wait` in this thread
  /// each second until the answer has come.
  Json CreateJob(const std::string& job_json, const std::string& request_id,
                 const std::map<std::string, std::string>& secrets = {},
                 const std::function<void()>& on_wait = nullptr);
  /// `job_json`, a ParsedJob's, in the form in which the service prints it.
  static Json NormalizeJob(const std::string& job_json);
  /// The job as it would be stored.
  Json ValidateJob(const std::string& job_json);
  Json GetJob(const std::string& job_id);
  Json GetJobWithoutTrials(const std::string& job_id);
  /// One page: {"jobs": [...], "nextPageToken": "..."}.
  Json ListJobs(const std::string& filter, int page_size,
                const std::string& page_token);
  Json CancelJob(const std::string& job_id);
  Json PauseJob(const std::string& job_id);
  Json ResumeJob(const std::string& job_id);
  Json ExtendJob(const std::string& job_id, int max_trials);
  /// `points_json` is a JSON list of objects, parameter names to values.
  Json AddTrials(const std::string& job_id, const std::string& points_json,
                 const std::string& request_id);
  /// {"job": {...}, "changes": [...], "codeVersion": 2, ...}.
  Json ReviseJob(const RevisionOrder& order);
  Json UpdateJob(const std::string& job_id,
                 const std::map<std::string, std::string>& labels,
                 const std::string& etag_base64);
  absl::Status DeleteJob(const std::string& job_id);
  Json GetTrial(const std::string& job_id, std::int64_t trial);
  /// {"trials": [...]}.
  Json ListTrials(const TrialListQuery& query);
  /// Calls `on_trial` with the JSON of each trial of the same list in turn,
  /// until it returns false. Holds a few of them in memory.
  absl::Status StreamTrials(
      const TrialListQuery& query,
      const std::function<bool(const std::string&)>& on_trial);
  /// {"measurements": [...]}.
  Json ListMeasurements(const std::string& job_id, std::int64_t trial,
                        const std::string& metric, int limit);
  /// The text itself.
  absl::StatusOr<std::string> Explain(const std::string& job_id,
                                      std::int64_t trial);
  /// {"line": ..., "note": ...}.
  Json GetTrialCommand(const std::string& job_id, std::int64_t trial);
  /// With `only_if_ready` it answers at once, perhaps {"notReady": true}.
  Json RecommendTrial(const std::string& job_id, bool only_if_ready = false);
  Json GetServiceInfo();
  /// {"token": {...}, "secret": "..."}.
  Json CreateToken(const TokenOrder& order);
  /// {"tokens": [...]}.
  Json ListTokens();
  absl::Status RevokeToken(const std::string& id);
  /// {"projects": [...]}.
  Json ListProjects();
  /// Empty: the one that the client works for, else "default".
  Json GetProject(const std::string& project);
  /// The project afterwards.
  Json SetQuota(const QuotaOrder& order);

  /// {"buckets": [...]}: those of the client's project, else all.
  Json ListBuckets();
  Json GetBucket(const std::string& bucket);
  /// For the client's project, else "default".
  Json CreateBucket(const std::string& bucket);
  /// `right` is READ, WRITE or NONE. The bucket afterwards.
  Json ShareBucket(const std::string& bucket, const std::string& with,
                   const std::string& right);
  Json MoveBucket(const std::string& bucket, const std::string& project);

  /// {"studies": [...]}, newest first; `parent` empty: all.
  Json ListStudies(const std::string& parent);
  Json GetStudy(const std::string& study);
  absl::Status DeleteStudy(const std::string& study);

  /// Calls `on_piece` until the log ends, or it returns false.
  absl::Status ReadLog(const LogQuery& query,
                       const std::function<bool(const LogPiece&)>& on_piece);
  /// Calls `on_event` with an event's JSON until the end, or it returns false.
  absl::Status WatchEvents(
      const EventQuery& query,
      const std::function<bool(const std::string&)>& on_event);

 private:
  const std::unique_ptr<const ClientConnection> connection_;
};

}  // namespace vernier

#endif  // VERNIER_CLIENT_JOB_CLIENT_H_

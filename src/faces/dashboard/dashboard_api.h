#ifndef VERNIER_FACES_DASHBOARD_DASHBOARD_API_H_
#define VERNIER_FACES_DASHBOARD_DASHBOARD_API_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "access/principal.h"
#include "base/clock.h"
#include "buckets/bucket_store.h"
#include "cluster/code/code_twins.h"
#include "edge/http/json_methods.h"
#include "edge/http/rest_router.h"
#include "faces/dashboard/study_summary.h"
#include "http/http_handler.h"
#include "store/store.h"
#include "trials/clients/study_activity.h"
#include "trials/jobs/hindrances.h"
#include "trials/submission/job_service.h"

namespace vernier {

/// The API of the dashboard's page: the methods of our own services in JSON,
/// columns of trials, curves and attempts, and a stream of changes. It holds no
/// state except texts that it has made, and each caller sees only its project's
/// studies. docs/dashboard.md describes the paths. Thread-safe.
class DashboardApi {
 public:
  struct Dependencies {
    JobService& jobs;
    const Store& store;
    BucketStore& buckets;
    const Hindrances& hindrances;
    const JsonMethods& methods;
    const Clock& clock;
    /// The service's own folder, whose files are never served. May be empty.
    std::string data_dir = {};
    /// Reports which clients' processes run; null: unknown.
    PresenceOf presence_of = nullptr;
  };

  /// Borrows the objects in `dependencies`, which must outlive this one.
  explicit DashboardApi(const Dependencies& dependencies);

  /// True if a path belongs to this API.
  static bool Takes(std::string_view path);

  /// Returns an exchange for an admitted caller with the permission READ;
  /// further permissions that a call needs are checked in it. Not null.
  std::unique_ptr<HttpExchange> Begin(const HttpRequest& request,
                                      const Principal& caller);

 private:
  struct Call {
    const HttpRequest& http;
    const Principal& caller;
    std::map<std::string, std::string> variables;
    std::string body;
  };
  using Answer = absl::StatusOr<HttpResponse>;
  using Handler = Answer (DashboardApi::*)(const Call&);
  using StudyAnswer = absl::StatusOr<std::shared_ptr<const StudySnapshot>>;

  void Add(const std::string& method, const std::string& pattern,
           v1::Permission permission, Handler handler);
  Answer Run(const RestRouter::Match& match, const Call& call);

  Answer ListStudies(const Call& call);
  Answer GetStudy(const Call& call);
  Answer Trials(const Call& call);
  Answer Curves(const Call& call);
  Answer Select(const Call& call);
  Answer Timeline(const Call& call);
  Answer Events(const Call& call);
  Answer Log(const Call& call);
  Answer Files(const Call& call);
  Answer File(const Call& call);
  Answer Changes(const Call& call);
  Answer Validate(const Call& call);
  Answer Submit(const Call& call);
  Answer RunMethod(const Call& call);

  /// Returns the `work` argument of DescribeStudy.
  std::optional<StudyWork> WorkOf(const StudySnapshot& study) const;
  /// Returns the study that the path names, if the caller may see it.
  StudyAnswer StudyOf(const Call& call) const;
  absl::StatusOr<const TrialRecord*> TrialOf(const Call& call,
                                             const StudySnapshot& study) const;
  /// NOT_FOUND unless the path names a trial that the caller may see.
  absl::Status CheckTrial(const Call& call) const;
  absl::StatusOr<std::string> OutputFolder(const Call& call);
  absl::StatusOr<CodeTwins> CodeOf(const Call& call) const;

  const Dependencies dependencies_;
  RestRouter router_;  // Finds routes; `handlers_` has the functions, by id.
  std::map<std::string, Handler> handlers_;
  StudySummaries summaries_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_DASHBOARD_API_H_

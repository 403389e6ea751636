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

/// What the dashboard's page asks for: the methods of our own services in JSON,
/// columns of trials, curves and attempts, and a stream of changes. It holds no
/// state but texts that it has made, and every caller sees only its project's
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
    /// The service's own folder, whose files nobody gets. May be empty.
    std::string data_dir = {};
    /// Which clients' processes run; null knows none.
    PresenceOf presence_of = nullptr;
  };

  /// Borrows what `dependencies` refers to; it must outlive this object.
  explicit DashboardApi(const Dependencies& dependencies);

  /// Whether a path is this API's.
  static bool Takes(std::string_view path);

  /// An exchange for an admitted caller, who has the permission READ; what more
  /// a call needs is checked in it. Not null.
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

  /// As DescribeStudy has it.
  std::optional<StudyWork> WorkOf(const StudySnapshot& study) const;
  /// The study that the path names, if the caller may know of it.
  StudyAnswer StudyOf(const Call& call) const;
  absl::StatusOr<const TrialRecord*> TrialOf(const Call& call,
                                             const StudySnapshot& study) const;
  /// NOT_FOUND unless the path names a trial that the caller may know of.
  absl::Status CheckTrial(const Call& call) const;
  absl::StatusOr<std::string> OutputFolder(const Call& call);
  absl::StatusOr<CodeTwins> CodeOf(const Call& call) const;

  const Dependencies dependencies_;
  RestRouter router_;  // Only finds; `handlers_` has what to call, by id.
  std::map<std::string, Handler> handlers_;
  StudySummaries summaries_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_DASHBOARD_API_H_

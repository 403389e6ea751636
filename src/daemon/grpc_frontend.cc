#include "daemon/grpc_frontend.h"

#include <chrono>
#include <utility>

#include "base/status_macros.h"
#include "cluster/process/client_presence.h"
#include "faces/native/native_methods.h"
#include "faces/vizier/vizier_methods.h"

namespace vernier {
namespace {

constexpr std::chrono::milliseconds kPumpPeriod{200};

}  // namespace

GrpcFrontend::GrpcFrontend(const Dependencies& dependencies, Options options)
    : tls_(options.tls),
      gate_(dependencies.authenticator, dependencies.attempts,
            dependencies.limiter),
      pump_(kPumpPeriod),
      access_handlers_({dependencies.tokens, dependencies.clock,
                        dependencies.sign_in_codes, options.jobs.http_url}),
      job_handlers_({dependencies.jobs, dependencies.store,
                     dependencies.hindrances, dependencies.engines.models(),
                     dependencies.clock, &PresenceOnThisMachine},
                    std::move(options.jobs)),
      project_handlers_(
          {dependencies.quotas, dependencies.tokens, dependencies.store,
           dependencies.wake,
           [&buckets = dependencies.buckets](const std::string& project) {
             return buckets.UseOf(project);
           }}),
      bucket_handlers_(dependencies.buckets),
      study_handlers_({dependencies.studies, dependencies.store,
                       dependencies.engines.models(), dependencies.clock,
                       &PresenceOnThisMachine}),
      report_handlers_(dependencies.store, dependencies.clock),
      vizier_handlers_({dependencies.studies, dependencies.log}) {
  const GatedCalls calls{gate_, dependencies.pool, pump_, dependencies.activity,
                         dependencies.load};
  AddJobMethods(job_handlers_, dependencies.store, calls, &methods_);
  AddStudyMethods(study_handlers_, calls, &methods_);
  AddAccessMethods(access_handlers_, calls, &methods_);
  AddProjectMethods(project_handlers_, calls, &methods_);
  AddBucketMethods(bucket_handlers_, calls, &methods_);
  AddReportMethods(report_handlers_, calls, &methods_);
  AddVizierMethods(
      vizier_handlers_,
      {{dependencies.pool, dependencies.activity}, dependencies.load},
      options.vizier_over_tcp, &methods_);
}

void GrpcFrontend::AddJsonMethods(JsonMethods* methods) {
  AddNativeJsonMethods({job_handlers_, study_handlers_, project_handlers_},
                       methods);
}

absl::Status GrpcFrontend::Listen(
    const std::vector<Endpoint*>& endpoints,
    const std::function<void(const absl::Status&)>& on_offence) {
  VERNIER_ASSIGN_OR_RETURN(
      listener_,
      GrpcListener::Listen(endpoints, std::move(methods_), {tls_, on_offence}));
  return absl::OkStatus();
}

void GrpcFrontend::StopServing() {
  listener_->StopServing();
  pump_.Stop();
}

void GrpcFrontend::Shutdown() { listener_->Shutdown(); }

}  // namespace vernier

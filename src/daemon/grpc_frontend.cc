#include "daemon/grpc_frontend.h"

#include <chrono>
#include <utility>

#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr std::chrono::milliseconds kPumpPeriod{200};

}  // namespace

GrpcFrontend::GrpcFrontend(const Dependencies& dependencies, Options options)
    : tls_(options.tls),
      gate_(dependencies.authenticator, dependencies.limiter),
      pump_(kPumpPeriod),
      job_handlers_(
          {dependencies.jobs, dependencies.store, dependencies.hindrances},
          std::move(options.jobs)),
      jobs_({job_handlers_, dependencies.store, gate_, dependencies.pool, pump_,
             dependencies.activity}),
      access_handlers_(dependencies.tokens, dependencies.clock),
      access_(
          {access_handlers_, gate_, dependencies.pool, dependencies.activity}),
      project_handlers_(
          {dependencies.quotas, dependencies.tokens, dependencies.store,
           dependencies.wake,
           [&buckets = dependencies.buckets](const std::string& project) {
             return buckets.UseOf(project);
           }}),
      projects_(
          {project_handlers_, gate_, dependencies.pool, dependencies.activity}),
      bucket_handlers_(dependencies.buckets),
      buckets_(
          {bucket_handlers_, gate_, dependencies.pool, dependencies.activity}),
      study_handlers_({dependencies.studies, dependencies.store}),
      studies_(
          {study_handlers_, gate_, dependencies.pool, dependencies.activity}),
      vizier_handlers_({dependencies.studies, dependencies.log}),
      vizier_({vizier_handlers_, dependencies.pool, dependencies.activity},
              options.vizier_over_tcp) {}

absl::Status GrpcFrontend::Listen(
    const std::vector<Endpoint*>& endpoints,
    const std::function<void(const absl::Status&)>& on_offence) {
  VERNIER_ASSIGN_OR_RETURN(
      listener_, GrpcListener::Listen(endpoints,
                                      {&jobs_, &access_, &projects_, &buckets_,
                                       &studies_, &vizier_},
                                      {tls_, on_offence}));
  return absl::OkStatus();
}

void GrpcFrontend::StopServing() {
  listener_->StopServing();
  pump_.Stop();
}

void GrpcFrontend::Shutdown() { listener_->Shutdown(); }

}  // namespace vernier

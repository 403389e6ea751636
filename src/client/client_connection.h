#ifndef VERNIER_CLIENT_CLIENT_CONNECTION_H_
#define VERNIER_CLIENT_CLIENT_CONNECTION_H_

#include <grpcpp/grpcpp.h>
#include <vernier/v1/access_service.grpc.pb.h>
#include <vernier/v1/bucket_service.grpc.pb.h>
#include <vernier/v1/job_service.grpc.pb.h>
#include <vernier/v1/project_service.grpc.pb.h>
#include <vernier/v1/study_service.grpc.pb.h>

#include <chrono>
#include <memory>
#include <string>
#include <tuple>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "access/request_names.h"
#include "base/status_macros.h"
#include "client/client_credentials.h"
#include "edge/endpoint.h"
#include "edge/message_json.h"

namespace vernier {

/// The connection of a client to the service: channel, stubs, credentials and
/// project. Thread-safe.
class ClientConnection {
 public:
  /// Connects at the first call.
  ClientConnection(const Endpoint& endpoint,
                   const ClientCredentials& credentials);

  /// A stub of `Service`, e.g. v1::JobService::Stub.
  template <typename Service>
  Service& Stub() const {
    return *std::get<std::unique_ptr<Service>>(stubs_);
  }

  /// Adds the caller's token to a call.
  void Prepare(grpc::ClientContext* context) const;
  /// The request with complete names, in terms of the caller's project.
  template <typename Request>
  Request Named(Request request) const {
    CompleteNames(project_, &request);
    return request;
  }
  /// The error of a call; names the endpoint if it cannot be reached.
  absl::Status Explain(const grpc::Status& status) const;

  template <typename Service, typename Request, typename Response>
  absl::StatusOr<Response> Call(
      grpc::Status (Service::*method)(grpc::ClientContext*, const Request&,
                                      Response*),
      const Request& request) const {
    grpc::ClientContext context;
    Prepare(&context);
    context.set_deadline(std::chrono::system_clock::now() + kCallLimit);
    Response response;
    const grpc::Status status =
        (Stub<Service>().*method)(&context, Named(request), &response);
    if (!status.ok()) return Explain(status);
    return response;
  }

  template <typename Service, typename Request, typename Response>
  absl::StatusOr<std::string> CallForJson(
      grpc::Status (Service::*method)(grpc::ClientContext*, const Request&,
                                      Response*),
      const Request& request) const {
    VERNIER_ASSIGN_OR_RETURN(const Response response, Call(method, request));
    return JsonOf(response);
  }

  template <typename Request, typename Response>
  absl::StatusOr<std::string> CallForJob(
      grpc::Status (v1::JobService::Stub::*method)(grpc::ClientContext*,
                                                   const Request&, Response*),
      const std::string& job_id) const {
    Request request;
    request.set_job_id(job_id);
    return CallForJson(method, request);
  }

 private:
  // A write waits for the disk, and a submission for a copy of the code.
  static constexpr std::chrono::minutes kCallLimit{10};

  const std::string endpoint_;
  const std::string token_;
  const std::string project_;
  std::tuple<std::unique_ptr<v1::JobService::Stub>,
             std::unique_ptr<v1::AccessService::Stub>,
             std::unique_ptr<v1::ProjectService::Stub>,
             std::unique_ptr<v1::BucketService::Stub>,
             std::unique_ptr<v1::StudyService::Stub>>
      stubs_;
};

}  // namespace vernier

#endif  // VERNIER_CLIENT_CLIENT_CONNECTION_H_

#ifndef VERNIER_TESTS_FAKES_SERVICE_CLIENT_H_
#define VERNIER_TESTS_FAKES_SERVICE_CLIENT_H_

#include <google/protobuf/util/json_util.h>
#include <vernier/v1/job_service.grpc.pb.h>

#include <map>
#include <string>

#include "client/client_connection.h"
#include "client/message_reader.h"

namespace vernier {

using Jobs = v1::JobService::Stub;

/// A connection that is spoken to in proto3's JSON form, as the API's clients
/// in other languages do. Thread-safe.
class ServiceClient : public ClientConnection {
 public:
  using ClientConnection::ClientConnection;

  template <typename Stub, typename Request, typename Response>
  absl::StatusOr<std::string> Ask(
      grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                   Response*),
      const std::string& json = "{}") const {
    Request request;
    // Strictly, so that a key that is mistyped in a test is noticed.
    const auto status =
        google::protobuf::util::JsonStringToMessage(json, &request);
    if (!status.ok()) {
      return absl::InvalidArgumentError(std::string(status.message()));
    }
    return CallForJson(method, request);
  }

  /// Calls a method that needs nothing but a job.
  template <typename Request, typename Response>
  absl::StatusOr<std::string> AskFor(
      const std::string& job_id,
      grpc::Status (Jobs::*method)(grpc::ClientContext*, const Request&,
                                   Response*)) const {
    Request request;
    request.set_job_id(job_id);
    return CallForJson(method, request);
  }

  absl::StatusOr<std::string> CreateJob(
      const std::string& job_json, const std::string& request_id = "",
      const std::map<std::string, std::string>& secrets = {}) const {
    v1::CreateJobRequest request;
    VERNIER_RETURN_IF_ERROR(
        ReadMessage("job", job_json, request.mutable_job()));
    request.set_request_id(request_id);
    request.mutable_secrets()->insert(secrets.begin(), secrets.end());
    return CallForJson(&Jobs::CreateJob, request);
  }
};

}  // namespace vernier

#endif  // VERNIER_TESTS_FAKES_SERVICE_CLIENT_H_

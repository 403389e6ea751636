#include "edge/grpc/header_check.h"

#include <grpcpp/security/auth_metadata_processor.h>

#include <utility>

#include "edge/grpc/grpc_status.h"

namespace vernier {
namespace {

class Processor final : public grpc::AuthMetadataProcessor {
 public:
  explicit Processor(HeaderCheck check) : check_(std::move(check)) {}

  bool IsBlocking() const override { return false; }

  grpc::Status Process(const InputMetadata& metadata, grpc::AuthContext*,
                       OutputMetadata*, OutputMetadata*) override {
    return ToGrpc(
        check_(ValueOf(metadata, ":path"), ValueOf(metadata, "authorization")));
  }

 private:
  static std::string_view ValueOf(const InputMetadata& metadata,
                                  const char* key) {
    const auto found = metadata.find(key);
    if (found == metadata.end()) return "";
    return {found->second.data(), found->second.size()};
  }

  const HeaderCheck check_;
};

}  // namespace

std::shared_ptr<grpc::ServerCredentials> WithHeaderCheck(
    std::shared_ptr<grpc::ServerCredentials> credentials, HeaderCheck check) {
  if (check) {
    credentials->SetAuthMetadataProcessor(
        std::make_shared<Processor>(std::move(check)));
  }
  return credentials;
}

}  // namespace vernier

#ifndef VERNIER_CLUSTER_KUBERNETES_CURL_API_H_
#define VERNIER_CLUSTER_KUBERNETES_CURL_API_H_

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "cluster/kubernetes/kubernetes_access.h"
#include "cluster/kubernetes/kubernetes_api.h"
#include "http/client/curl_library.h"

namespace vernier {

/// The connection to a real API server, by libcurl. The server's certificate is
/// always verified, it cannot redirect, and the length of its answers is
/// limited.
class CurlApi final : public KubernetesApi {
 public:
  /// `request_limit` bounds each Call. FAILED_PRECONDITION if there is no
  /// libcurl.
  static absl::StatusOr<std::unique_ptr<CurlApi>> Create(
      KubernetesAccess access, std::chrono::milliseconds request_limit);
  ~CurlApi() override;

  absl::StatusOr<ApiReply> Call(const ApiRequest& request) override;
  StreamId Open(const std::string& path) override;
  Part Read(StreamId stream) override;
  void Close(StreamId stream) override;
  void Wait(std::chrono::milliseconds timeout) override;
  void Wake() override;
  void Stop() override;

 private:
  struct Transfer;

  CurlApi(CurlLibrary curl, KubernetesAccess access,
          std::chrono::milliseconds request_limit);

  void SetPeer(const std::string& path, Transfer* transfer) const;
  std::unique_ptr<Transfer> Begin(const ApiRequest& request, bool is_stream);
  void End(Transfer& transfer);
  std::string Token() const;
  void Perform();
  static std::size_t Receive(char* data, std::size_t size, std::size_t count,
                             void* transfer);

  const CurlLibrary curl_;
  const KubernetesAccess access_;
  const std::chrono::milliseconds request_limit_;
  CURLM* const multi_;
  std::map<StreamId, std::unique_ptr<Transfer>> streams_;
  StreamId last_stream_ = 0;
  bool needs_new_connection_ = false;
  bool has_news_ = false;  // Of a stream, since the last Wait.
  std::atomic<bool> is_stopping_{false};
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_CURL_API_H_

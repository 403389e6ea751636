#ifndef VERNIER_CLUSTER_KUBERNETES_KUBERNETES_API_H_
#define VERNIER_CLUSTER_KUBERNETES_KUBERNETES_API_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace vernier {

/// One request to the API server.
struct ApiRequest {
  std::string method = "GET";
  std::string path;  ///< With its query, after the server's address.
  std::string body;  ///< JSON; empty: none.
};

/// The server's answer, whatever the status.
struct ApiReply {
  int status = 0;  ///< Of HTTP.
  std::string body;
};

/// The connection to an API server. Not thread-safe, except for Wake and Stop:
/// one thread owns it.
class KubernetesApi {
 public:
  virtual ~KubernetesApi() = default;

  /// Sends the request and waits for the answer. UNAVAILABLE if none came, in
  /// which case it is unknown whether the server has acted; CANCELLED after
  /// Stop.
  virtual absl::StatusOr<ApiReply> Call(const ApiRequest& request) = 0;

  /// A continuous answer: a watch, or a log that is followed.
  using StreamId = std::int64_t;
  virtual StreamId Open(const std::string& path) = 0;

  /// The news of a stream since the last Read.
  struct Part {
    std::string data;      ///< Of an answer that is not an error.
    bool is_over = false;  ///< Nothing more will come.
    int status = 0;        ///< Of HTTP; 0: no answer yet, or none came.
    std::string trouble;   ///< Why it ended, if not as it should; or an error's
                           ///< answer.
  };
  /// Does not block. A stream that is not read is held back; nothing is lost.
  virtual Part Read(StreamId stream) = 0;
  virtual void Close(StreamId stream) = 0;

  /// Returns when a stream has news, at Wake, or after `timeout`.
  virtual void Wait(std::chrono::milliseconds timeout) = 0;
  /// Ends the running Wait, or else the next one. Thread-safe.
  virtual void Wake() = 0;
  /// Cancels the running call and any later one. Thread-safe.
  virtual void Stop() = 0;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_KUBERNETES_API_H_

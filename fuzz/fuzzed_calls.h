#ifndef VERNIER_FUZZ_FUZZED_CALLS_H_
#define VERNIER_FUZZ_FUZZED_CALLS_H_

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "edge/message_json.h"
#include "fuzz/fuzzed_service.h"

namespace vernier {

/// The calls that an input may make, by their names. An input is a list of
/// lines "NAME REQUEST", where the request is JSON or the bytes of the message.
class FuzzedCalls {
 public:
  /// The number of calls is limited, because studies grow with them, and so
  /// does the time that an input takes.
  static constexpr int kMost = 12;

  /// Adds a call of `handlers`, which must outlive this object. Any request
  /// must end with an answer or with a status that tells the caller what to do.
  template <typename Handlers, typename Request, typename Response>
  void Add(const std::string& name, Handlers& handlers,
           absl::Status (Handlers::*handler)(const Request&, Response*)) {
    Add<Request>(name, [&handlers, handler](const Request& request) {
      Response response;
      const absl::Status status = (handlers.*handler)(request, &response);
      CheckStatus(status);
      if (status.ok()) CheckStatus(JsonOf(response).status());
    });
  }

  /// Adds a call of another form.
  template <typename Request>
  void Add(const std::string& name,
           std::function<void(const Request& request)> call) {
    calls_[name] = [call = std::move(call)](const std::string& text) {
      Request request;
      if (ReadMessage(text, &request)) call(request);
    };
  }

  /// Makes the calls that `input` names; leaves out those that there are not.
  void Make(std::string_view input) const {
    for (int i = 0; i < kMost && !input.empty(); ++i) {
      const std::string_view line = input.substr(0, input.find('\n'));
      input.remove_prefix(std::min(input.size(), line.size() + 1));
      const std::size_t blank = line.find(' ');
      if (blank == std::string_view::npos) continue;
      const auto found = calls_.find(std::string(line.substr(0, blank)));
      if (found == calls_.end()) continue;
      found->second(std::string(line.substr(blank + 1)));
    }
  }

 private:
  std::map<std::string, std::function<void(const std::string&)>> calls_;
};

}  // namespace vernier

#endif  // VERNIER_FUZZ_FUZZED_CALLS_H_

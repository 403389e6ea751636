#ifndef VERNIER_CLUSTER_KUBERNETES_OBJECT_WATCHES_H_
#define VERNIER_CLUSTER_KUBERNETES_OBJECT_WATCHES_H_

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "cluster/kubernetes/kubernetes_api.h"
#include "cluster/kubernetes/kubernetes_settings.h"
#include "cluster/kubernetes/line_splitter.h"
#include "cluster/kubernetes/object_tracker.h"

namespace vernier {

/// Keeps the sink informed about scopes of objects: by a LIST, then a WATCH
/// from its version on, and again when the server reports that the version is
/// too old. Not thread-safe: the thread of KubernetesJobs owns it.
class ObjectWatches {
 public:
  /// Receives the news; its functions are called from Turn.
  struct Sink {
    std::function<void(const ObjectScope&, const std::vector<ObservedObject>&,
                       SteadyTime began)>
        listing;
    std::function<void(const ObjectScope&, const ObservedObject&, bool is_gone)>
        object;
    /// Returns when a scope should be listed again although its watch works.
    std::function<std::optional<SteadyTime>(const ObjectScope&)> next_listing;
  };

  /// `instance` is the value of kInstanceLabel. Borrows both references.
  ObjectWatches(KubernetesApi& api, const KubernetesSettings& settings,
                std::string instance, Sink sink);

  /// Does what is due for these scopes, and drops others. Lowers `*next` to
  /// when more will be due, if that is earlier. UNAVAILABLE if the server does
  /// not answer or refuses a listing: then nothing is known.
  absl::Status Turn(const std::set<ObjectScope>& scopes, const Clock& clock,
                    SteadyTime* next);

 private:
  struct Watch {
    std::string version;  ///< Empty: must be listed.
    std::optional<KubernetesApi::StreamId> stream;
    LineSplitter lines{kMaxLine};
    SteadyTime opened_at{};
    SteadyTime heard_at{};
    SteadyTime next_try{};
    bool is_broken = false;  ///< Something in the stream made no sense.
  };
  static constexpr std::size_t kMaxLine = std::size_t{4} << 20;

  absl::Status List(const ObjectScope& scope, Watch& watch, const Clock& clock);
  void Open(const ObjectScope& scope, Watch& watch, SteadyTime now);
  void Read(const ObjectScope& scope, Watch& watch, SteadyTime now);
  void TakeLine(const ObjectScope& scope, Watch& watch, std::string_view line);
  void Close(Watch& watch);
  std::string Path(const ObjectScope& scope) const;

  KubernetesApi& api_;
  const KubernetesSettings& settings_;
  const std::string instance_;
  const Sink sink_;
  std::map<ObjectScope, Watch> watches_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_OBJECT_WATCHES_H_

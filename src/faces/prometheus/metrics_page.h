#ifndef VERNIER_FACES_PROMETHEUS_METRICS_PAGE_H_
#define VERNIER_FACES_PROMETHEUS_METRICS_PAGE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/principal.h"
#include "edge/call_activity.h"
#include "http/http_handler.h"
#include "store/store.h"
#include "study/devices/device.h"

namespace vernier {

/// The service's counts of the traces and notices that it sends.
struct ObserverCounts {
  struct Spans {
    std::uint64_t exported = 0;
    std::uint64_t dropped = 0;
  };
  struct Notices {
    std::string kind;  ///< "webhook" or "command".
    std::size_t pending = 0;
    std::uint64_t delivered = 0;
    std::uint64_t failed = 0;  ///< Attempts.
    std::uint64_t given_up = 0;
  };
  std::optional<Spans> spans;    ///< Null: there are no traces.
  std::vector<Notices> notices;  ///< One for each receiver.
};

/// The service's metrics for Prometheus at /metrics: jobs, studies and trials
/// of the caller's project, and to an administrator of all; GPUs, calls, disk
/// and the process itself. docs/monitoring.md lists them. Thread-safe.
class MetricsPage {
 public:
  struct Dependencies {
    const Store& store;
    const CallActivity& activity;
    std::vector<Device> devices;
    /// Returns the devices that are not usable now, or sick; null: none.
    std::function<std::vector<UnusableDevice>()> device_troubles;
    std::string data_dir;  ///< Empty: the page has no samples about it.
    std::function<ObserverCounts()> observers = nullptr;  ///< Null: none.
  };

  /// Borrows `store` and `activity`, which must outlive this object.
  explicit MetricsPage(Dependencies dependencies)
      : dependencies_(std::move(dependencies)) {}

  /// True for the page's path.
  static bool Takes(std::string_view path) { return path == "/metrics"; }

  /// Returns an exchange for an admitted caller. Not null.
  std::unique_ptr<HttpExchange> Begin(const HttpRequest& request,
                                      const Principal& caller) const;

  /// Returns the page as `caller` may see it.
  std::string Text(const Principal& caller) const;

 private:
  const Dependencies dependencies_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_PROMETHEUS_METRICS_PAGE_H_

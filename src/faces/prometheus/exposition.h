#ifndef VERNIER_FACES_PROMETHEUS_EXPOSITION_H_
#define VERNIER_FACES_PROMETHEUS_EXPOSITION_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vernier {

/// Writes metrics in Prometheus' text format, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/). Not
/// thread-safe.
class Exposition {
 public:
  using Labels = std::vector<std::pair<std::string, std::string>>;
  enum class Type { kCounter, kGauge, kHistogram };

  /// Begins a metric; all its samples follow. `name` and the names of labels
  /// are valid ones, [a-z_]+; `help` is one line.
  void Begin(const std::string& name, Type type, const std::string& help);
  /// Adds a sample of the metric that was begun; `suffix` is for a histogram's
  /// samples ("_bucket"). Values of labels may be any text.
  void Add(const Labels& labels, double value, std::string_view suffix = "");

  std::string Take() { return std::move(text_); }

 private:
  std::string name_;
  std::string text_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_PROMETHEUS_EXPOSITION_H_

#ifndef VERNIER_TESTS_STORE_REPLAY_EVENT_PAYLOAD_READER_H_
#define VERNIER_TESTS_STORE_REPLAY_EVENT_PAYLOAD_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"

namespace vernier {

/// Reads fields of any event's payload without failing: a missing field is
/// empty. Thread-compatible.
class EventPayload {
 public:
  explicit EventPayload(const std::string& text);

  bool is_object() const { return json_.is_object(); }
  std::string Text(const char* name) const;
  std::optional<std::int64_t> Int(const char* name) const;
  /// The field as JSON.
  std::string Dump(const char* name) const;
  std::vector<std::string> Strings(const char* name) const;
  std::vector<std::int64_t> Ints(const char* name) const;
  bool Has(const char* name) const;
  /// The objects of a list.
  std::vector<EventPayload> Objects(const char* name) const;

  std::optional<std::int64_t> FinalStep() const;
  double FinalValue() const;
  /// maxParallelTrials of a job's spec_json; 1 if it does not say.
  std::int64_t MaxParallelTrials() const;

 private:
  const Json json_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_STORE_REPLAY_EVENT_PAYLOAD_READER_H_

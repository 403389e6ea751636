#include "cluster/metrics/tensorboard/event_message.h"

#include <bit>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "base/whole_number.h"
#include "cluster/metrics/files/file_reading.h"
#include "cluster/metrics/tensorboard/tensor_scalar.h"
#include "cluster/metrics/tensorboard/wire_reader.h"

namespace vernier {
namespace {

using Type = WireField::Type;

// Field numbers of TensorFlow's event.proto and summary.proto.
constexpr std::uint32_t kWallTime = 1;
constexpr std::uint32_t kStep = 2;
constexpr std::uint32_t kFileVersion = 3;
constexpr std::uint32_t kSummary = 5;
constexpr std::uint32_t kSessionLog = 7;

// Returns the last field with this number and of type bytes; empty if there is
// none, nullopt if the message is malformed.
std::optional<std::string_view> FindBytes(std::string_view message,
                                          std::uint32_t number) {
  std::string_view found;
  WireReader reader(message);
  while (const auto field = reader.Next()) {
    if (field->Is(number, Type::kBytes)) found = field->bytes;
  }
  if (reader.is_malformed()) return std::nullopt;
  return found;
}

// The message Summary.Value.
struct SummaryValue {
  std::string_view tag;
  std::optional<double> simple_value;
  std::optional<std::string_view> tensor;
  std::string_view metadata;
};

std::optional<SummaryValue> ReadValue(std::string_view message) {
  SummaryValue value;
  WireReader reader(message);
  while (const auto field = reader.Next()) {
    if (field->Is(1, Type::kBytes)) value.tag = field->bytes;
    if (field->Is(2, Type::kFixed32)) {
      value.simple_value =
          std::bit_cast<float>(static_cast<std::uint32_t>(field->value));
    }
    if (field->Is(8, Type::kBytes)) value.tensor = field->bytes;
    if (field->Is(9, Type::kBytes)) value.metadata = field->bytes;
  }
  if (reader.is_malformed()) return std::nullopt;
  return value;
}

// Lightning writes this value only so that a table of hyperparameters has a
// column.
bool IsPlaceholder(const SummaryScalar& scalar, std::int64_t step) {
  return scalar.tag == "hp_metric" && scalar.value == -1 && step == 0;
}

void AddScalar(const SummaryScalar& scalar, EventMessage& event) {
  if (event.scalars.size() < kMaxMetricsOfRecord) {
    event.scalars.push_back(scalar);
    return;
  }
  AddProblem(absl::StrCat("an event has more than ", kMaxMetricsOfRecord,
                          " metrics; the others are left out"),
             event.problems);
}

// Returns false if the value is malformed.
bool TakeValue(std::string_view message, EventMessage& event) {
  const std::optional<SummaryValue> value = ReadValue(message);
  if (!value) return false;
  if (value->simple_value) {
    AddScalar({value->tag, *value->simple_value}, event);
    return true;
  }
  if (!value->tensor) return true;
  // SummaryMetadata.plugin_data.plugin_name. Writers leave the metadata out
  // after a tag's first value, so a tensor without them may be a scalar.
  const auto plugin_data = FindBytes(value->metadata, 1);
  const auto plugin = plugin_data ? FindBytes(*plugin_data, 1) : std::nullopt;
  if (!plugin) return false;
  if (!plugin->empty() && *plugin != "scalars") return true;
  const absl::StatusOr<double> number = ReadTensorScalar(*value->tensor);
  if (number.ok()) {
    AddScalar({value->tag, *number}, event);
  } else if (!plugin->empty()) {
    AddProblem(absl::StrCat("the value of \"", ShowText(value->tag),
                            "\" in an event is ",
                            std::string(number.status().message())),
               event.problems);
  }
  return true;
}

bool TakeSummary(std::string_view summary, EventMessage& event) {
  WireReader reader(summary);
  while (const auto field = reader.Next()) {
    if (field->Is(1, Type::kBytes) && !TakeValue(field->bytes, event)) {
      return false;
    }
  }
  return !reader.is_malformed();
}

std::int64_t FileVersionOf(std::string_view text) {
  constexpr std::string_view kPrefix = "brain.Event:";
  if (text.starts_with(kPrefix)) text.remove_prefix(kPrefix.size());
  return ParseWholeNumber(text).value_or(0);
}

bool TakeSessionLog(std::string_view session_log, EventMessage& event) {
  constexpr std::uint64_t kStart = 1;
  WireReader reader(session_log);
  while (const auto field = reader.Next()) {
    if (field->Is(1, Type::kVarint)) event.is_restart = field->value == kStart;
  }
  return !reader.is_malformed();
}

}  // namespace

std::optional<EventMessage> ReadEventMessage(std::string_view message) {
  EventMessage event;
  WireReader reader(message);
  while (const auto field = reader.Next()) {
    bool is_good = true;
    if (field->Is(kWallTime, Type::kFixed64)) {
      event.wall_time = std::bit_cast<double>(field->value);
    } else if (field->Is(kStep, Type::kVarint)) {
      event.step = static_cast<std::int64_t>(field->value);
    } else if (field->Is(kFileVersion, Type::kBytes)) {
      event.file_version = FileVersionOf(field->bytes);
    } else if (field->Is(kSummary, Type::kBytes)) {
      is_good = TakeSummary(field->bytes, event);
    } else if (field->Is(kSessionLog, Type::kBytes)) {
      is_good = TakeSessionLog(field->bytes, event);
    }
    if (!is_good) return std::nullopt;
  }
  if (reader.is_malformed()) return std::nullopt;
  std::erase_if(event.scalars, [&](const SummaryScalar& scalar) {
    return IsPlaceholder(scalar, event.step);
  });
  return event;
}

bool BeginsSummary(std::string_view prefix) {
  while (const auto key = WireReader::TakeVarint(prefix)) {
    const bool is_skipped =
        (*key == (kWallTime << 3 | 1) &&
         WireReader::TakeFixed(prefix, 8).has_value()) ||
        (*key == (kStep << 3) && WireReader::TakeVarint(prefix).has_value());
    if (!is_skipped) return *key == (kSummary << 3 | 2);
  }
  return false;
}

}  // namespace vernier

#include "cluster/metrics/wandb_file.h"

#include <zlib.h>

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "cluster/metrics/files/place_time.h"
#include "cluster/metrics/tensorboard/wire_reader.h"

namespace vernier {
namespace {

using Type = WireField::Type;

constexpr std::size_t kFileHead = 7;
constexpr std::string_view kMagic = ":W&B";
constexpr std::size_t kBlock = 32768;
constexpr std::size_t kFragmentHead = 7;

enum FragmentType { kZero = 0, kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

// Field numbers of the library's wandb_internal.proto.
constexpr std::uint32_t kHistory = 2;
constexpr std::uint32_t kSummary = 3;
constexpr std::uint32_t kExit = 18;

// HistoryItem and SummaryItem.
struct Item {
  std::string key;
  std::string_view value;  // JSON.
};

std::optional<Item> ReadItem(std::string_view message) {
  Item item;
  WireReader reader(message);
  while (const auto field = reader.Next()) {
    // A key is field 1, or one field 2 for each level of nesting.
    if (field->Is(1, Type::kBytes)) item.key = std::string(field->bytes);
    if (field->Is(2, Type::kBytes)) {
      absl::StrAppend(&item.key, item.key.empty() ? "" : ".",
                      std::string(field->bytes));
    }
    if (field->Is(16, Type::kBytes)) item.value = field->bytes;
  }
  if (reader.is_malformed()) return std::nullopt;
  return item;
}

// Returns the items of a HistoryRecord or SummaryRecord, its fields 1; at most
// as many as one record may have metrics.
std::optional<std::vector<Item>> ReadItems(std::string_view message) {
  std::vector<Item> items;
  WireReader reader(message);
  while (const auto field = reader.Next()) {
    if (!field->Is(1, Type::kBytes) || items.size() >= kMaxMetricsOfRecord) {
      continue;
    }
    std::optional<Item> item = ReadItem(field->bytes);
    if (!item) return std::nullopt;
    items.push_back(*std::move(item));
  }
  if (reader.is_malformed()) return std::nullopt;
  return items;
}

// Returns the number that a JSON text is, NaN and Infinity included; nullopt
// for all else, texts that state a number too.
std::optional<double> NumberIn(std::string_view json) {
  double number = 0;
  if (!absl::SimpleAtod({json.data(), json.size()}, &number)) {
    return std::nullopt;
  }
  return number;
}

bool IsLibrarysKey(const std::string& key) {
  return key == "_step" || key == "_runtime" || key == "_timestamp" ||
         absl::StartsWith(key, "_wandb");
}

}  // namespace

bool IsWandbFileName(std::string_view name) {
  return absl::EndsWith({name.data(), name.size()}, ".wandb");
}

void WandbFileReader::Damage(GrowingFileReading& reading) {
  AddProblem(absl::StrCat("the W&B file is damaged from byte ", offset_,
                          " on and not read any further"),
             reading.problems);
  is_damaged_ = true;
}

bool WandbFileReader::TakeHistory(std::string_view history,
                                  GrowingFileReading& reading) {
  const auto items = ReadItems(history);
  if (!items) return false;
  Timestamp time = last_time_;
  for (const Item& item : *items) {
    const std::optional<double> number = NumberIn(item.value);
    if (!number) continue;
    if (item.key == "_step" && *number >= 0 && *number < 9e15) {
      last_step_ = static_cast<std::int64_t>(*number);
    } else if (item.key == "_timestamp") {
      time = TimeOfSeconds(*number).value_or(time);
    }
  }
  last_time_ = TimeBehind(last_time_, time);
  for (const Item& item : *items) {
    const std::optional<double> number = NumberIn(item.value);
    if (!number || IsLibrarysKey(item.key)) continue;
    if (logged_.size() < kMaxMetricsOfRecord) logged_.insert(item.key);
    summary_.erase(item.key);
    AddMeasurement({item.key, last_step_, last_time_, *number}, "the W&B file",
                   reading);
  }
  return true;
}

bool WandbFileReader::TakeSummary(std::string_view summary) {
  const auto items = ReadItems(summary);
  if (!items) return false;
  for (const Item& item : *items) {
    const std::optional<double> number = NumberIn(item.value);
    if (!number || IsLibrarysKey(item.key) || logged_.count(item.key) > 0 ||
        (summary_.size() >= kMaxMetricsOfRecord &&
         summary_.count(item.key) == 0)) {
      continue;
    }
    summary_[item.key] = *number;
  }
  return true;
}

void WandbFileReader::TakeExit(GrowingFileReading& reading) {
  last_time_ = TimeBehind(last_time_, PlaceTime(offset_));
  for (const auto& [key, number] : std::exchange(summary_, {})) {
    AddMeasurement({key, last_step_, last_time_, number}, "the W&B file",
                   reading);
  }
}

void WandbFileReader::TakeRecord(std::string_view record,
                                 GrowingFileReading& reading) {
  WireReader fields(record);
  bool is_good = true;
  while (const auto field = fields.Next()) {
    if (field->Is(kHistory, Type::kBytes)) {
      is_good &= TakeHistory(field->bytes, reading);
    } else if (field->Is(kSummary, Type::kBytes)) {
      is_good &= TakeSummary(field->bytes);
    } else if (field->Is(kExit, Type::kBytes)) {
      TakeExit(reading);
    }
  }
  if (is_good && !fields.is_malformed()) return;
  AddProblem(absl::StrCat("the record at byte ", offset_,
                          " of the W&B file is not a message of W&B's"),
             reading.problems);
}

std::size_t WandbFileReader::TakeFragment(std::string_view bytes,
                                          GrowingFileReading& reading) {
  const std::size_t room = kBlock - offset_ % kBlock;
  if (room < kFragmentHead) return bytes.size() < room ? 0 : room;
  if (bytes.size() < kFragmentHead) return 0;
  std::string_view head = bytes.substr(0, kFragmentHead);
  const std::uint64_t crc = *WireReader::TakeFixed(head, 4);
  const std::uint64_t size = *WireReader::TakeFixed(head, 2);
  const std::uint64_t type = *WireReader::TakeFixed(head, 1);
  if (type == kZero && size == 0 && crc == 0) {
    // The rest of a block that was set aside and not written yet.
    return bytes.size() <= room ? 0 : room;
  }
  if (type < kFull || type > kLast || kFragmentHead + size > room) {
    Damage(reading);
    return 0;
  }
  const std::size_t framed = kFragmentHead + size;
  if (bytes.size() < framed) return 0;
  // The checksum is of the type and the data, which lie side by side.
  const std::string_view summed = bytes.substr(kFragmentHead - 1, size + 1);
  const bool fits = ::crc32(0, reinterpret_cast<const Bytef*>(summed.data()),
                            static_cast<uInt>(summed.size())) == crc;
  if (!fits) {
    AddProblem(absl::StrCat("the record at byte ", offset_,
                            " of the W&B file does not fit its checksum; it is "
                            "skipped"),
               reading.problems);
  }
  if (type == kFull || type == kFirst) {
    record_.clear();
    is_passed_ = false;
  }
  is_passed_ |= !fits || record_.size() + size > kMaxWandbRecord;
  if (!is_passed_) record_ += bytes.substr(kFragmentHead, size);
  if (!is_passed_ && (type == kFull || type == kLast)) {
    TakeRecord(record_, reading);
  }
  return framed;
}

GrowingFileReading WandbFileReader::Read(std::string_view bytes) {
  GrowingFileReading reading;
  if (offset_ == 0) {
    if (bytes.size() < kFileHead) return reading;
    if (bytes.substr(0, kMagic.size()) != kMagic) {
      Damage(reading);
      return reading;
    }
    offset_ = kFileHead;
    bytes.remove_prefix(kFileHead);
  }
  while (!is_damaged_) {
    if (reading.measurements.size() >= kMaxMeasurementsOfReading) {
      reading.has_more = true;
      break;
    }
    const std::size_t taken = TakeFragment(bytes, reading);
    if (taken == 0) break;
    offset_ += taken;
    bytes.remove_prefix(taken);
  }
  return reading;
}

}  // namespace vernier

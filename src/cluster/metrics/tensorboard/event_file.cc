#include "cluster/metrics/tensorboard/event_file.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/crc32c.h"
#include "base/shown_text.h"
#include "cluster/metrics/files/place_time.h"
#include "cluster/metrics/tensorboard/event_message.h"
#include "cluster/metrics/tensorboard/wire_reader.h"

namespace vernier {
namespace {

constexpr std::size_t kHeadSize = 12;  // Length and checksum.
constexpr std::size_t kTailSize = 4;   // Checksum.
// Larger than any file, but small enough to add to offsets without overflow.
constexpr std::uint64_t kMaxSkip = std::uint64_t{1} << 48;

// TensorFlow masks checksums, because the checksum of data that contains its
// own checksum is weak.
std::uint64_t MaskedCrc(std::string_view data) {
  const std::uint32_t crc = ExtendCrc32c(0, data);
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

}  // namespace

bool IsEventFileName(std::string_view name) {
  // TensorFlow's own rule; tensorboardX and others add suffixes of their own.
  return name.find("tfevents") != std::string_view::npos;
}

void EventFileReader::TakeData(std::string_view data,
                               GrowingFileReading& reading) {
  std::optional<EventMessage> event = ReadEventMessage(data);
  if (!event) {
    AddProblem(
        absl::StrCat("the record at byte ", offset_,
                     " of the event file is not an event; it is skipped"),
        reading.problems);
    return;
  }
  if (event->file_version) file_version_ = *event->file_version;
  const std::optional<Timestamp> time = TimeOfSeconds(event->wall_time);
  // Without a time, earlier points could not be recognized.
  if (event->is_restart && time) {
    reading.restarts.push_back(
        {reading.measurements.size(), event->step, *time});
  }
  for (std::string& problem : event->problems) {
    AddProblem(std::move(problem), reading.problems);
  }
  if (event->scalars.empty()) return;
  if (!time) {
    AddProblem(absl::StrCat("the time of the event at byte ", offset_,
                            " is not a number of seconds: ", event->wall_time),
               reading.problems);
  }
  for (const SummaryScalar& scalar : event->scalars) {
    const std::string tag(scalar.tag);
    const Timestamp own = time.value_or(Timestamp{});
    const auto [last, is_first] = last_times_.try_emplace(tag, own);
    // A writer's clock may stand still, or be set back.
    if (!is_first) last->second = TimeBehind(last->second, own);
    AddMeasurement({tag, event->step, last->second, scalar.value},
                   "the event file", reading);
  }
  if (last_times_.size() > kMaxMetricsOfRecord) last_times_.clear();
}

std::uint64_t EventFileReader::TakeRecord(std::string_view bytes,
                                          GrowingFileReading& reading) {
  if (bytes.size() < kHeadSize) return 0;
  std::string_view head = bytes.substr(0, kHeadSize);
  const std::uint64_t size = *WireReader::TakeFixed(head, 8);
  if (*WireReader::TakeFixed(head, 4) != MaskedCrc(bytes.substr(0, 8)) ||
      size > kMaxSkip) {
    AddProblem(absl::StrCat("the event file is damaged from byte ", offset_,
                            " on and not read any further"),
               reading.problems);
    is_damaged_ = true;
    return 0;
  }
  const std::uint64_t framed = kHeadSize + size + kTailSize;
  if (size > kMaxEventRecord) {
    if (BeginsSummary(bytes.substr(kHeadSize))) {
      AddProblem(
          absl::StrCat("the record at byte ", offset_,
                       " of the event file has ", size, " bytes, and at most ",
                       kMaxEventRecord, " are read"),
          reading.problems);
    }
    return framed;
  }
  if (bytes.size() < framed) return 0;
  const std::string_view data = bytes.substr(kHeadSize, size);
  std::string_view tail = bytes.substr(kHeadSize + size, kTailSize);
  if (*WireReader::TakeFixed(tail, kTailSize) == MaskedCrc(data)) {
    TakeData(data, reading);
  } else {
    AddProblem(absl::StrCat("the record at byte ", offset_,
                            " of the event file does not fit its checksum; it "
                            "is skipped"),
               reading.problems);
  }
  return framed;
}

GrowingFileReading EventFileReader::Read(std::string_view bytes) {
  GrowingFileReading reading;
  while (!is_damaged_) {
    if (reading.measurements.size() + reading.restarts.size() >=
        kMaxMeasurementsOfReading) {
      reading.has_more = true;
      break;
    }
    const std::uint64_t taken = TakeRecord(bytes, reading);
    if (taken == 0) break;
    offset_ += taken;
    if (taken > bytes.size()) break;
    bytes.remove_prefix(taken);
  }
  return reading;
}

}  // namespace vernier

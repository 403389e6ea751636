// Reads the files of logging libraries: TensorBoard's, W&B's, tables, and the
// JSON of Trackio's rows. The first byte says what the rest is: a file as it
// stands, or the data of records that are framed here, because a fuzzer does
// not find checksums. The result must be within its bounds, and the same
// however the file grows.

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/crc32c.h"
#include "cluster/metrics/csv_log_file.h"
#include "cluster/metrics/tensorboard/event_file.h"
#include "cluster/metrics/tensorboard/event_metric_names.h"
#include "cluster/metrics/trackio/trackio_row.h"
#include "cluster/metrics/wandb_file.h"
#include "fuzz/metric_checks.h"

namespace {

using vernier::GrowingFileReader;
using vernier::GrowingFileReading;

// Values of the first byte from here on are of other formats than events.
constexpr std::uint8_t kWandb = 0x80;
constexpr std::uint8_t kWandbRecord = 0x81;
constexpr std::uint8_t kTable = 0x82;
constexpr std::uint8_t kLightningsTable = 0x83;
constexpr std::uint8_t kTrackioRows = 0x84;

std::string Fixed(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) {
    bytes += static_cast<char>(value >> (8 * i) & 0xff);
  }
  return bytes;
}

std::string MaskedCrc(std::string_view data) {
  const std::uint32_t crc = vernier::ExtendCrc32c(0, data);
  return Fixed((crc >> 15 | crc << 17) + 0xa282ead8u, 4);
}

std::string Framed(std::string_view data) {
  const std::string length = Fixed(data.size(), 8);
  return length + MaskedCrc(length) + std::string(data) + MaskedCrc(data);
}

// Returns a W&B file of one record, which is cut where a block ends.
std::string WandbFileOf(std::string_view data) {
  std::string file(":W&B\xe1\xbe\0", 7);
  for (bool is_first = true;; is_first = false) {
    const std::size_t room = 32768 - file.size() % 32768;
    if (room < 7) {
      file.append(room, '\0');
      continue;
    }
    const std::size_t size = std::min(data.size(), room - 7);
    const bool is_last = size == data.size();
    const char type = is_first ? (is_last ? 1 : 2) : (is_last ? 4 : 3);
    const std::string summed = type + std::string(data.substr(0, size));
    const auto* const bytes = reinterpret_cast<const Bytef*>(summed.data());
    file += Fixed(crc32(0, bytes, static_cast<uInt>(summed.size())), 4) +
            Fixed(size, 2) + summed;
    data.remove_prefix(size);
    if (is_last) return file;
  }
}

std::unique_ptr<GrowingFileReader> MakeReader(std::uint8_t kind) {
  if (kind == kWandb || kind == kWandbRecord) {
    return std::make_unique<vernier::WandbFileReader>();
  }
  if (kind == kTable || kind == kLightningsTable) {
    return std::make_unique<vernier::CsvLogReader>(
        kind == kTable ? "log.csv" : "metrics.csv");
  }
  return std::make_unique<vernier::EventFileReader>();
}

// There are two records, so that one follows whatever the first is.
std::string FileOf(std::uint8_t kind, std::string_view data) {
  if (kind == kWandbRecord) return WandbFileOf(data);
  if (kind % 2 == 0 || kind == kLightningsTable) return std::string(data);
  const std::size_t cut = kind % 4 == 1 ? data.size() : data.size() / 2;
  return Framed(data.substr(0, cut)) + Framed(data.substr(cut));
}

void CheckReading(const GrowingFileReading& reading) {
  vernier::CheckReadingBounds(reading);
  std::size_t before = 0;
  for (const vernier::StepRestart& restart : reading.restarts) {
    VERNIER_CHECK(before <= restart.before &&
                  restart.before <= reading.measurements.size());
    before = restart.before;
  }
}

// Takes two rows, so that one follows whatever the first is.
void CheckTrackioRows(std::string_view data) {
  vernier::TrackioRows rows;
  vernier::FileReading reading;
  const std::string_view time = data.substr(0, data.size() / 4);
  for (std::int64_t id = 1; id <= 2; ++id) {
    rows.Take({id, static_cast<std::int64_t>(data.size()) - 8, time, data},
              reading);
  }
  vernier::CheckReadingBounds(reading);
  for (const vernier::Measurement& one : reading.measurements) {
    VERNIER_CHECK(one.step >= 0);
  }
}

void CheckNames(std::string_view folder, std::string_view tag) {
  const auto names = vernier::EventMetricNames(folder, tag);
  VERNIER_CHECK(names.size() <= 16);
  VERNIER_CHECK(names.empty() == (tag.size() > vernier::kMaxMetricName));
  for (const auto& name : names) {
    VERNIER_CHECK(name.metric.size() <= vernier::kMaxMetricName &&
                  name.metric.ends_with(tag));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  if (size < 2) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 2,
                              size - 2);
  if (data[0] == kTrackioRows) {
    CheckTrackioRows(rest);
    return 0;
  }
  const std::string file = FileOf(data[0], rest);
  const auto at_once = MakeReader(data[0]);
  const GrowingFileReading whole = at_once->Read(file);
  CheckReading(whole);

  const auto growing = MakeReader(data[0]);
  std::size_t measurements = 0;
  std::size_t restarts = 0;
  const std::size_t piece = data[1] % 64 + 1u;
  for (std::size_t end = piece; end < file.size() + piece; end += piece) {
    if (growing->offset() > file.size()) break;
    const std::string_view now = std::string_view(file).substr(0, end);
    if (growing->offset() > now.size()) continue;
    const GrowingFileReading reading =
        growing->Read(now.substr(growing->offset()));
    CheckReading(reading);
    measurements += reading.measurements.size();
    restarts += reading.restarts.size();
  }
  if (!whole.has_more) {
    VERNIER_CHECK(measurements == whole.measurements.size());
    VERNIER_CHECK(restarts == whole.restarts.size());
    VERNIER_CHECK(growing->offset() == at_once->offset());
    VERNIER_CHECK(growing->is_damaged() == at_once->is_damaged());
  }
  CheckNames(rest.substr(0, rest.size() / 2), rest.substr(rest.size() / 2));
  return 0;
}

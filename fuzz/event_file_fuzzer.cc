// Reads TensorBoard event files. The first byte says what the rest is: a file
// as it stands, or the data of records that are framed here, because a fuzzer
// does not find checksums. The result must be within its bounds, and the same
// however the file grows.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/crc32c.h"
#include "cluster/metrics/tensorboard/event_file.h"
#include "cluster/metrics/tensorboard/event_metric_names.h"
#include "fuzz/metric_checks.h"

namespace {

using vernier::EventFileReader;
using vernier::EventReading;

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

// There are two records, so that one follows whatever the first is.
std::string FileOf(std::uint8_t kind, std::string_view data) {
  if (kind % 2 == 0) return std::string(data);
  const std::size_t cut = kind % 4 == 1 ? data.size() : data.size() / 2;
  return Framed(data.substr(0, cut)) + Framed(data.substr(cut));
}

void CheckReading(const EventReading& reading) {
  vernier::CheckReadingBounds(reading);
  std::size_t before = 0;
  for (const vernier::EventRestart& restart : reading.restarts) {
    VERNIER_CHECK(before <= restart.before &&
                  restart.before <= reading.measurements.size());
    before = restart.before;
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
  const std::string file = FileOf(data[0], rest);
  EventFileReader at_once;
  const EventReading whole = at_once.Read(file);
  CheckReading(whole);

  EventFileReader growing;
  std::size_t measurements = 0;
  std::size_t restarts = 0;
  const std::size_t piece = data[1] % 64 + 1u;
  for (std::size_t end = piece; end < file.size() + piece; end += piece) {
    if (growing.offset() > file.size()) break;
    const std::string_view now = std::string_view(file).substr(0, end);
    if (growing.offset() > now.size()) continue;
    const EventReading reading = growing.Read(now.substr(growing.offset()));
    CheckReading(reading);
    measurements += reading.measurements.size();
    restarts += reading.restarts.size();
  }
  if (!whole.has_more) {
    VERNIER_CHECK(measurements == whole.measurements.size());
    VERNIER_CHECK(restarts == whole.restarts.size());
    VERNIER_CHECK(growing.offset() == at_once.offset());
    VERNIER_CHECK(growing.is_damaged() == at_once.is_damaged());
  }
  CheckNames(rest.substr(0, rest.size() / 2), rest.substr(rest.size() / 2));
  return 0;
}

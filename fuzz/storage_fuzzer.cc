// Parses the parts of a request to the storage API: paths, names, ranges and
// multipart bodies. The first byte says how long the pieces of a body are.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "buckets/bucket_name.h"
#include "faces/storage/storage_route.h"
#include "http/byte_range.h"
#include "http/multipart_reader.h"
#include "http/url.h"

namespace {

using vernier::MultipartReader;

/// Counts what it gets, so that two ways to feed the same body can be compared.
class CountingSink final : public vernier::MultipartSink {
 public:
  absl::Status BeginPart(const vernier::HttpFields& headers) override {
    ++parts;
    fields += headers.size();
    return absl::OkStatus();
  }
  absl::Status PartData(std::string_view data) override {
    bytes += data.size();
    return absl::OkStatus();
  }
  absl::Status EndPart() override {
    ++ends;
    return absl::OkStatus();
  }
  friend bool operator==(const CountingSink& a, const CountingSink& b) {
    return a.parts == b.parts && a.ends == b.ends && a.fields == b.fields &&
           a.bytes == b.bytes;
  }

  std::size_t parts = 0;
  std::size_t ends = 0;
  std::size_t fields = 0;
  std::size_t bytes = 0;
};

void ReadBody(std::string_view body, std::size_t piece) {
  CountingSink whole;
  MultipartReader at_once("B", whole);
  const bool is_good = at_once.Feed(body).ok() && at_once.End().ok();
  CountingSink cut;
  MultipartReader in_pieces("B", cut);
  bool is_good_cut = true;
  for (std::size_t at = 0; at < body.size() && is_good_cut; at += piece) {
    is_good_cut = in_pieces.Feed(body.substr(at, piece)).ok();
  }
  is_good_cut = is_good_cut && in_pieces.End().ok();
  if (is_good) VERNIER_CHECK(is_good_cut && whole == cut);
}

// Checks that an accepted name stays in its bucket.
void CheckName(std::string_view name) {
  if (!vernier::CheckObjectName(name).ok()) return;
  VERNIER_CHECK(!name.empty() && name.front() != '/');
  std::string_view rest = name;
  while (!rest.empty()) {
    const std::size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    VERNIER_CHECK(!part.empty() && part != "." && part != "..");
    rest = slash == std::string_view::npos ? "" : rest.substr(slash + 1);
  }
}

void CheckRanges(std::string_view text) {
  for (const std::int64_t size :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}}) {
    const vernier::RangeAnswer answer = vernier::ResolveRange(text, size);
    if (answer.kind != vernier::RangeAnswer::Kind::kPart) continue;
    VERNIER_CHECK(answer.range.first >= 0 && answer.range.size() > 0 &&
                  answer.range.last < size);
  }
  const auto range = vernier::ParseContentRange(text);
  if (!range || !range->range) return;
  VERNIER_CHECK(range->range->first >= 0 &&
                range->range->first <= range->range->last);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1,
                              size - 1);
  CheckName(text);
  CheckRanges(text);
  ReadBody(text, data[0] % 32 + 1u);
  const auto boundary = vernier::MultipartBoundary(text);
  VERNIER_CHECK(!boundary || !boundary->empty());
  for (const char* method : {"GET", "POST", "PUT", "DELETE"}) {
    const auto route = vernier::ParseStorageRoute(method, std::string(text));
    if (route.ok()) VERNIER_CHECK(vernier::IsStoragePath(text));
  }
  const auto uri = vernier::ParseObjectUri(text);
  if (uri.ok()) VERNIER_CHECK(vernier::CheckBucketName(uri->bucket).ok());
  return 0;
}

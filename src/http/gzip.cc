#include "http/gzip.h"

#include <zlib.h>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "base/check.h"

namespace vernier {

std::string Gzip(std::string_view text) {
  // zlib's largest window, plus 16 for the gzip format.
  constexpr int kGzipWindow = 15 + 16;
  constexpr int kMemoryLevel = 8;
  z_stream stream{};
  VERNIER_CHECK(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzipWindow,
                             kMemoryLevel, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  // zlib does not write to its input, although the type is not const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int result = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  VERNIER_CHECK(result == Z_STREAM_END);
  return packed;
}

bool AcceptsGzip(std::string_view accept_encoding) {
  const absl::string_view header(accept_encoding.data(),
                                 accept_encoding.size());
  for (absl::string_view item : absl::StrSplit(header, ',')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(item, absl::MaxSplits(';', 1));
    const absl::string_view coding = absl::StripAsciiWhitespace(parts.first);
    if (!absl::EqualsIgnoreCase(coding, "gzip")) continue;
    const std::string weight(absl::StripAsciiWhitespace(parts.second));
    return weight != "q=0" && weight != "q=0.0" && weight != "q=0.00" &&
           weight != "q=0.000";
  }
  return false;
}

}  // namespace vernier

#include "http/client/curl_fetch.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "http/client/curl_poster.h"

namespace vernier {

absl::StatusOr<FetchedAnswer> FetchAnswer(const HttpPost& post,
                                          std::size_t most_bytes) {
  VERNIER_RETURN_IF_ERROR(CheckOutboundUrl(post.url));
  // With one byte more, an answer of just `most_bytes` is not cut off.
  VERNIER_ASSIGN_OR_RETURN(const std::unique_ptr<CurlPoster> poster,
                           CurlPoster::Create(most_bytes + 1));
  VERNIER_ASSIGN_OR_RETURN(HttpPostAnswer answer, poster->Post(post));
  if (answer.is_cut_off) {
    return absl::ResourceExhaustedError(
        absl::StrCat(OriginOf(post.url), ": its answer has more than ",
                     most_bytes, " bytes"));
  }
  return FetchedAnswer{answer.status, std::move(answer.beginning)};
}

}  // namespace vernier

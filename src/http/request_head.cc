#include "http/request_head.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "http/header_text.h"
#include "http/url.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxHeaders = 100;
constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kBlankLine = "\r\n\r\n";

absl::Status BadHead(std::string_view why) {
  return absl::InvalidArgumentError(Absl(why));
}

/// Counts the headers that may occur at most once, and keeps what they must
/// agree with.
struct Counts {
  std::string authority;  // Of an absolute target.
  int hosts = 0;
  int lengths = 0;
  int codings = 0;
};

absl::Status ParseRequestLine(std::string_view line, RequestHead* head,
                              Counts* counts) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return BadHead("the request line must be METHOD TARGET HTTP/1.1");
  }
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!IsHeaderName(method))
    return BadHead("the method of the request is no word");
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    return BadHead("the version of the request must be HTTP/1.1");
  }
  head->keeps_connection = version == "HTTP/1.1";
  std::optional<UrlTarget> parsed;
  if (IsHeaderValue(target) && target.find_first_of(" \t") == target.npos) {
    parsed = ParseTarget(target);
  }
  if (!parsed.has_value())
    return BadHead("the target of the request is no path");
  head->request.method = std::string(method);
  counts->authority = std::move(parsed->authority);
  head->request.path = std::move(parsed->path);
  head->request.query = std::move(parsed->query);
  return absl::OkStatus();
}

bool HasWord(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (absl::EqualsIgnoreCase(Absl(TrimBlanks(list.substr(0, end))),
                               Absl(word))) {
      return true;
    }
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

absl::Status ReadLength(std::string_view value, RequestHead* head) {
  std::uint64_t length = 0;
  const char* const end = value.data() + value.size();
  const auto result = std::from_chars(value.data(), end, length);
  if (value.empty() || result.ec != std::errc() || result.ptr != end) {
    return BadHead("Content-Length must be a whole number");
  }
  head->content_length = length;
  return absl::OkStatus();
}

/// Processes a header that describes the connection or the body.
absl::Status Heed(std::string_view name, std::string_view value,
                  RequestHead* head, Counts* counts) {
  if (name == "host") {
    ++counts->hosts;
  } else if (name == "content-length") {
    ++counts->lengths;
    return ReadLength(value, head);
  } else if (name == "transfer-encoding") {
    ++counts->codings;
    if (!absl::EqualsIgnoreCase(Absl(value), "chunked")) {
      return BadHead("Transfer-Encoding must be chunked");
    }
    head->is_chunked = true;
  } else if (name == "connection") {
    if (HasWord(value, "close")) head->keeps_connection = false;
  } else if (name == "expect") {
    head->expects_continue =
        absl::EqualsIgnoreCase(Absl(value), "100-continue");
  }
  return absl::OkStatus();
}

absl::Status ParseHeader(std::string_view line, RequestHead* head,
                         Counts* counts) {
  if (head->request.headers.size() == kMaxHeaders) {
    return absl::InvalidArgumentError(
        absl::StrCat("the request has more than ", kMaxHeaders, " headers"));
  }
  const std::size_t colon = std::min(line.find(':'), line.size());
  // A line that begins with a blank would continue the one before it.
  if (colon == line.size() || !IsHeaderName(line.substr(0, colon))) {
    return BadHead("a header must be NAME: VALUE, in one line");
  }
  const std::string_view value = TrimBlanks(line.substr(colon + 1));
  if (!IsHeaderValue(value)) {
    return BadHead("a header has a control character in it");
  }
  std::string name = absl::AsciiStrToLower(Absl(line.substr(0, colon)));
  VERNIER_RETURN_IF_ERROR(Heed(name, value, head, counts));
  head->request.headers.emplace_back(std::move(name), std::string(value));
  return absl::OkStatus();
}

absl::Status CheckCounts(const RequestHead& head, bool is_old,
                         const Counts& counts) {
  if (counts.hosts != 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the request must have one Host header: it has ", counts.hosts));
  }
  // Which names are this service's is decided by the Host header, so the target
  // must not name another.
  if (!counts.authority.empty() &&
      !absl::EqualsIgnoreCase(counts.authority,
                              Absl(head.request.Header("host")))) {
    return BadHead(
        "the target of the request names another host than its Host");
  }
  if (counts.lengths > 1) return BadHead("the request has two lengths");
  if (counts.codings > 1)
    return BadHead("the request has two transfer codings");
  if (head.is_chunked && head.content_length.has_value()) {
    return BadHead("the request has a Content-Length and a Transfer-Encoding");
  }
  if (head.is_chunked && is_old) {
    return BadHead("HTTP/1.0 knows no Transfer-Encoding");
  }
  return absl::OkStatus();
}

}  // namespace

std::optional<std::size_t> FindHeadEnd(std::string_view text,
                                       std::size_t seen) {
  const std::size_t from =
      std::max(seen, kBlankLine.size()) - kBlankLine.size();
  const std::size_t at = text.find(kBlankLine, from);
  if (at == std::string_view::npos) return std::nullopt;
  return at + kBlankLine.size();
}

absl::StatusOr<RequestHead> ParseRequestHead(std::string_view text) {
  RequestHead head;
  Counts counts;
  std::size_t end = text.find(kLineEnd);
  if (end == std::string_view::npos) return BadHead("the request has no line");
  VERNIER_RETURN_IF_ERROR(
      ParseRequestLine(text.substr(0, end), &head, &counts));
  const bool is_old = !head.keeps_connection;
  while (true) {
    text.remove_prefix(end + kLineEnd.size());
    end = text.find(kLineEnd);
    if (end == std::string_view::npos) {
      return BadHead("the head of the request does not end");
    }
    if (end == 0) break;
    VERNIER_RETURN_IF_ERROR(ParseHeader(text.substr(0, end), &head, &counts));
  }
  VERNIER_RETURN_IF_ERROR(CheckCounts(head, is_old, counts));
  return head;
}

}  // namespace vernier

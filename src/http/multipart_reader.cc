#include "http/multipart_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/status_macros.h"
#include "http/header_text.h"

namespace vernier {
namespace {

// A state machine over the bytes at hand (rest_): each step either takes
// something off them and returns true, or needs more bytes. Part data are
// passed on at once, except for the last bytes, which may be the beginning of
// the delimiter and are kept for the next call. So memory is bounded by the
// limits on heads and boundaries.

constexpr std::size_t kMaxHeadBytes = 16 << 10;
constexpr std::size_t kMaxBoundary = 200;

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view TrimmedPart(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Like find, but with the C library's vector instructions.
std::size_t Find(std::string_view text, std::string_view wanted) {
  const void* at =
      ::memmem(text.data(), text.size(), wanted.data(), wanted.size());
  if (at == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(at) - text.data());
}

absl::Status BadMultipart(const char* why) {
  return absl::InvalidArgumentError(std::string("bad multipart body: ") + why);
}

absl::StatusOr<HttpFields> ParseHeaders(std::string_view text) {
  HttpFields headers;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = TrimmedPart(text.substr(0, end));
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
    if (line.empty()) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
      return BadMultipart("a header without ':'");
    // Some headers are sent back in answers.
    if (!IsHeaderValue(line))
      return BadMultipart("a header with a control character");
    headers.emplace_back(Lower(TrimmedPart(line.substr(0, colon))),
                         std::string(TrimmedPart(line.substr(colon + 1))));
  }
  return headers;
}

}  // namespace

std::optional<std::string> MultipartBoundary(std::string_view content_type) {
  constexpr std::string_view kType = "multipart/";
  const std::string lower = Lower(content_type);
  if (lower.compare(0, kType.size(), kType) != 0) return std::nullopt;
  constexpr std::string_view kName = "boundary=";
  const std::size_t at = lower.find(kName);
  if (at == std::string::npos) return std::nullopt;
  const std::string_view value = content_type.substr(at + kName.size());
  // Google's apitools quote the boundary as Python quotes a text.
  const bool is_quoted =
      !value.empty() && (value.front() == '"' || value.front() == '\'');
  const std::size_t end = is_quoted ? value.find(value.front(), 1)
                                    : std::min(value.find(';'), value.size());
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view boundary =
      is_quoted ? value.substr(1, end - 1) : TrimmedPart(value.substr(0, end));
  if (boundary.empty() || boundary.size() > kMaxBoundary) return std::nullopt;
  return std::string(boundary);
}

MultipartReader::MultipartReader(const std::string& boundary,
                                 MultipartSink& sink)
    : dash_boundary_("--" + boundary), sink_(sink) {}

absl::Status MultipartReader::Feed(std::string_view bytes) {
  // Usually nothing is buffered, and the bytes are used where they are.
  std::string joined;
  if (!buffer_.empty()) {
    joined = std::move(buffer_);
    joined.append(bytes);
    bytes = joined;
  }
  rest_ = bytes;
  bool goes_on = true;
  while (goes_on) {
    VERNIER_ASSIGN_OR_RETURN(goes_on, Step());
  }
  buffer_ = std::string(rest_);
  rest_ = {};
  return absl::OkStatus();
}

absl::Status MultipartReader::End() const {
  if (state_ == State::kDone) return absl::OkStatus();
  return BadMultipart("it ends before its last part does");
}

absl::StatusOr<bool> MultipartReader::Step() {
  switch (state_) {
    case State::kPreamble:
      return ReadPreamble();
    case State::kHeaders:
      return ReadHeaders();
    case State::kData:
      return ReadData();
    case State::kAfterDelimiter:
      return ReadAfterDelimiter();
    case State::kDone:
      rest_ = {};
      return false;
  }
  return false;
}

absl::StatusOr<bool> MultipartReader::ReadPreamble() {
  while (!rest_.empty() && (rest_.front() == '\r' || rest_.front() == '\n')) {
    rest_.remove_prefix(1);
  }
  const std::size_t end = rest_.find('\n');
  const std::size_t size = dash_boundary_.size();
  const std::string_view line = rest_.substr(0, end);
  const bool is_boundary =
      line.substr(0, size) ==
          std::string_view(dash_boundary_).substr(0, line.size()) &&
      (line.size() <= size || TrimmedPart(line.substr(size)).empty());
  if (!is_boundary || line.size() > kMaxHeadBytes ||
      (end != std::string_view::npos && line.size() < size)) {
    return BadMultipart("it does not begin with its boundary");
  }
  if (end == std::string_view::npos) return false;
  line_end_ = !line.empty() && line.back() == '\r' ? "\r\n" : "\n";
  delimiter_ = line_end_ + dash_boundary_;
  rest_.remove_prefix(end + 1);
  state_ = State::kHeaders;
  return true;
}

absl::StatusOr<bool> MultipartReader::ReadHeaders() {
  // A part without headers begins with the blank line.
  const bool has_none = rest_.substr(0, line_end_.size()) == line_end_;
  const std::string blank_line = line_end_ + line_end_;
  const std::size_t end = has_none ? 0 : Find(rest_, blank_line);
  // The limit also holds for a head whose end has not come yet.
  const std::size_t known =
      end == std::string_view::npos && rest_.size() > blank_line.size()
          ? rest_.size() - blank_line.size()
          : std::min(end, rest_.size());
  if (known > kMaxHeadBytes) return BadMultipart("a part's head is too long");
  if (end == std::string_view::npos || rest_.size() < line_end_.size()) {
    return false;
  }
  VERNIER_ASSIGN_OR_RETURN(const HttpFields headers,
                           ParseHeaders(rest_.substr(0, end)));
  rest_.remove_prefix(has_none ? line_end_.size() : end + blank_line.size());
  VERNIER_RETURN_IF_ERROR(sink_.BeginPart(headers));
  state_ = State::kData;
  return true;
}

absl::StatusOr<bool> MultipartReader::ReadData() {
  const std::size_t end = Find(rest_, delimiter_);
  if (end != std::string_view::npos) {
    if (end > 0) VERNIER_RETURN_IF_ERROR(sink_.PartData(rest_.substr(0, end)));
    VERNIER_RETURN_IF_ERROR(sink_.EndPart());
    rest_.remove_prefix(end + delimiter_.size());
    state_ = State::kAfterDelimiter;
    return true;
  }
  // The last bytes may be the beginning of the delimiter.
  if (rest_.size() >= delimiter_.size()) {
    const std::size_t safe = rest_.size() - delimiter_.size() + 1;
    VERNIER_RETURN_IF_ERROR(sink_.PartData(rest_.substr(0, safe)));
    rest_.remove_prefix(safe);
  }
  return false;
}

absl::StatusOr<bool> MultipartReader::ReadAfterDelimiter() {
  if (rest_.size() < 2) return false;
  if (rest_.substr(0, 2) == "--") {
    state_ = State::kDone;
    return true;
  }
  const std::size_t end = rest_.find('\n');
  const std::string_view line = rest_.substr(0, end);
  if (!TrimmedPart(line).empty() || line.size() > kMaxHeadBytes) {
    return BadMultipart("a boundary line goes on after the boundary");
  }
  if (end == std::string_view::npos) return false;
  rest_.remove_prefix(end + 1);
  state_ = State::kHeaders;
  return true;
}

}  // namespace vernier

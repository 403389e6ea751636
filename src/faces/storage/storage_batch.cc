// Many small calls in one request; Python's client deletes objects in this way.

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "buckets/http_status_payload.h"
#include "faces/storage/storage_call.h"
#include "faces/storage/storage_json.h"
#include "http/multipart_reader.h"
#include "http/url.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxCalls = 100;  // As Cloud Storage.
constexpr std::size_t kMaxAnswer = std::size_t{16} << 20;
constexpr char kBoundary[] = "batch_vernier";

struct BatchPart {
  std::string content_id;  // With its angle brackets; may be empty.
  std::string text;        // A request: line, headers, body.
};

class PartCollector final : public MultipartSink {
 public:
  absl::Status BeginPart(const HttpFields& headers) override {
    if (parts.size() == kMaxCalls) {
      return absl::InvalidArgumentError(
          absl::StrCat("a batch has at most ", kMaxCalls, " calls"));
    }
    parts.emplace_back();
    for (const auto& [name, value] : headers) {
      if (name == "content-id") parts.back().content_id = value;
    }
    return absl::OkStatus();
  }
  absl::Status PartData(std::string_view data) override {
    parts.back().text.append(data);
    return absl::OkStatus();
  }
  absl::Status EndPart() override { return absl::OkStatus(); }

  std::vector<BatchPart> parts;
};

std::string WithoutReturn(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return std::string(line);
}

// Removes the next line from `text` and returns it without its end.
std::string TakeLine(std::string_view* text) {
  const std::size_t end = text->find('\n');
  std::string line = WithoutReturn(text->substr(0, end));
  *text = end == std::string_view::npos ? "" : text->substr(end + 1);
  return line;
}

struct InnerCall {
  HttpRequest request;
  std::string body;
};

absl::StatusOr<InnerCall> ParseCall(std::string_view text) {
  InnerCall call;
  const std::string line = TakeLine(&text);
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string::npos || first == last) {
    return absl::InvalidArgumentError("a part of the batch is no request");
  }
  call.request.method = line.substr(0, first);
  auto target = ParseTarget(line.substr(first + 1, last - first - 1));
  if (!target) return absl::InvalidArgumentError("a bad URL in the batch");
  call.request.path = std::move(target->path);
  call.request.query = std::move(target->query);
  // Headers of the single calls have no effect here.
  while (!text.empty() && !TakeLine(&text).empty()) {
  }
  call.body = std::string(text);
  return call;
}

HttpResponse AnswerPart(const StorageCall& batch, const BatchPart& part) {
  auto inner = ParseCall(part.text);
  if (!inner.ok()) return ErrorResponse(inner.status());
  auto route = ParseStorageRoute(inner->request.method, inner->request.path);
  if (!route.ok()) return ErrorResponse(route.status());
  switch (route->method) {
    case StorageMethod::kBatch:
    case StorageMethod::kUploadObject:
    case StorageMethod::kResumeUpload:
    case StorageMethod::kCancelUpload:
    case StorageMethod::kDownloadObject:
      return ErrorResponse(
          absl::InvalidArgumentError("a batch moves no bytes"));
    default:
      break;
  }
  if (inner->request.Query("alt") == "media" ||
      inner->request.method == "HEAD") {
    return ErrorResponse(absl::InvalidArgumentError("a batch moves no bytes"));
  }
  if (inner->body.size() > kMaxStorageJson) {
    return ErrorResponse(absl::InvalidArgumentError(
        absl::StrCat("a call of the batch has a body of more than ",
                     kMaxStorageJson >> 20, " MiB")));
  }
  const StorageCall call{batch.buckets, batch.user, *std::move(route),
                         std::move(inner->request), batch.base_url};
  return AnswerStorageCall(call, inner->body);
}

// Clients look up the answer's id as "response-" and their own id.
std::string ResponseId(const std::string& content_id) {
  if (content_id.size() < 2 || content_id.front() != '<') {
    return "response-" + content_id;
  }
  return "<response-" + content_id.substr(1);
}

const char* ReasonPhrase(int status) {
  if (status == 204) return "No Content";
  return status < 300 ? "OK" : "Error";
}

void AppendPart(const BatchPart& part, const HttpResponse& response,
                std::string* body) {
  absl::StrAppend(body, "--", kBoundary,
                  "\r\nContent-Type: application/http\r\nContent-ID: ",
                  ResponseId(part.content_id), "\r\n\r\nHTTP/1.1 ",
                  response.status, " ", ReasonPhrase(response.status), "\r\n");
  for (const auto& [name, value] : response.headers) {
    absl::StrAppend(body, name, ": ", value, "\r\n");
  }
  absl::StrAppend(body, "Content-Length: ", response.body.size(), "\r\n\r\n",
                  response.body, "\r\n");
}

HttpResponse TooLong() {
  return ErrorResponse(WithHttpStatus(
      absl::ResourceExhaustedError(
          absl::StrCat("the answers before this one have more than ",
                       kMaxAnswer >> 20, " MiB: ask for it in another batch")),
      413));
}

}  // namespace

HttpResponse AnswerBatch(const StorageCall& batch, const std::string& body) {
  const auto boundary = MultipartBoundary(batch.request.Header("content-type"));
  if (!boundary) {
    return ErrorResponse(absl::InvalidArgumentError(
        "a batch is multipart/mixed and names its boundary"));
  }
  PartCollector collector;
  MultipartReader reader(*boundary, collector);
  absl::Status status = reader.Feed(body);
  if (status.ok()) status = reader.End();
  if (!status.ok()) return ErrorResponse(status);
  std::string answer;
  for (const BatchPart& part : collector.parts) {
    // The answer is built in memory, and a hundred lists would take hundreds of
    // megabytes.
    const bool has_room = answer.size() < kMaxAnswer;
    AppendPart(part, has_room ? AnswerPart(batch, part) : TooLong(), &answer);
  }
  absl::StrAppend(&answer, "--", kBoundary, "--\r\n");
  return TextResponse(200,
                      absl::StrCat("multipart/mixed; boundary=", kBoundary),
                      std::move(answer));
}

}  // namespace vernier

#include "cluster/kubernetes/curl_api.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/small_file.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// One libcurl multi handle drives all streams and the current call, so a single
// thread serves both, and HTTP/2 lets them share a connection. A stream whose
// unread data reach kMaxBuffer is paused until Read takes them, which leaves
// the rest to flow control.

using std::chrono::milliseconds;

constexpr std::size_t kMaxBody = std::size_t{64} << 20;
constexpr std::size_t kMaxError = std::size_t{16} << 10;
// The most bytes of a stream that wait to be read; the rest stays with the
// server.
constexpr std::size_t kMaxBuffer = std::size_t{1} << 20;
constexpr std::size_t kMaxToken = std::size_t{64} << 10;
constexpr long kKeepAliveSeconds = 20;
constexpr int kPollMs = 1000;
constexpr int kMinOk = 200;
constexpr int kMaxOk = 299;

// The address for requests if the certificate has another name than the server:
// libcurl checks the certificate against the host of the URL, so the URL has
// the certificate's name and the connection goes to the server.
struct Detour {
  std::string url;   ///< At the certificate's name.
  std::string host;  ///< The server's, with its port if it has one.
  std::string peer;  ///< As CURLOPT_CONNECT_TO has it.
};

Detour DetourTo(const std::string& url, const std::string& name) {
  const std::size_t begin = url.find("://") + 3;
  const std::size_t end = std::min(url.find('/', begin), url.size());
  Detour detour;
  detour.host = url.substr(begin, end - begin);
  detour.url = url.substr(0, begin) + name + url.substr(end);
  const std::size_t colon = detour.host.rfind(':');
  const bool has_port = colon != std::string::npos &&
                        detour.host.find(']', colon) == std::string::npos;
  detour.peer = absl::StrCat("::", detour.host, has_port ? "" : ":");
  return detour;
}

// Returns whether libcurl's text for an error says more than its code and is
// the same each time. Most texts contain numbers that differ.
bool HasSteadyWords(CURLcode result) {
  return result == CURLE_SSL_CONNECT_ERROR || result == CURLE_SSL_CERTPROBLEM ||
         result == CURLE_PEER_FAILED_VERIFICATION;
}

}  // namespace

// One running request. It is never moved, since libcurl holds its address.
struct CurlApi::Transfer {
  const CurlLibrary* curl = nullptr;
  bool* has_news = nullptr;  ///< Of the streams.
  CURL* easy = nullptr;
  curl_slist* headers = nullptr;
  curl_slist* connect_to = nullptr;
  std::array<char, CURL_ERROR_SIZE> error{};  ///< libcurl writes into it.
  std::string sent;                           ///< The body of the request.
  std::string received;
  bool is_stream = false;
  bool is_paused = false;
  bool is_too_long = false;
  bool is_done = false;
  CURLcode result = CURLE_OK;

  template <typename Value>
  void Set(CURLoption option, Value value) {
    curl->easy_setopt(easy, option, value);
  }
  /// `text` must outlive this object; if it is empty, nothing is set.
  void SetBlob(CURLoption option, const std::string& text) {
    if (text.empty()) return;
    curl_blob blob{};
    blob.data = const_cast<char*>(text.data());
    blob.len = text.size();
    blob.flags = CURL_BLOB_NOCOPY;
    Set(option, &blob);
  }
  void AddHeader(const std::string& header) {
    headers = curl->slist_append(headers, header.c_str());
  }

  int status() const {
    long code = 0;
    curl->easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &code);
    return static_cast<int>(code);
  }
  bool is_error() const { return status() < kMinOk || status() > kMaxOk; }
  std::string trouble() const {
    if (is_too_long) return "the answer is too long";
    const bool is_told = error.front() != '\0' && HasSteadyWords(result);
    return is_told ? error.data() : curl->easy_strerror(result);
  }
};

absl::StatusOr<std::unique_ptr<CurlApi>> CurlApi::Create(
    KubernetesAccess access, milliseconds request_limit) {
  VERNIER_ASSIGN_OR_RETURN(CurlLibrary curl, CurlLibrary::Open());
  return std::unique_ptr<CurlApi>(
      new CurlApi(curl, std::move(access), request_limit));
}

CurlApi::CurlApi(CurlLibrary curl, KubernetesAccess access,
                 milliseconds request_limit)
    : curl_(curl),
      access_(std::move(access)),
      request_limit_(request_limit),
      multi_(curl_.multi_init()) {}

CurlApi::~CurlApi() {
  for (auto& [id, transfer] : streams_) End(*transfer);
  curl_.multi_cleanup(multi_);
}

std::size_t CurlApi::Receive(char* data, std::size_t size, std::size_t count,
                             void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  const std::size_t bytes = size * count;
  std::string& received = transfer.received;
  if (transfer.is_stream) *transfer.has_news = true;
  if (transfer.is_error()) {
    received.append(data, std::min(bytes, kMaxError - received.size()));
    return bytes;
  }
  if (transfer.is_stream) {
    if (received.size() >= kMaxBuffer) {
      transfer.is_paused = true;
      return CURL_WRITEFUNC_PAUSE;
    }
  } else if (received.size() + bytes > kMaxBody) {
    transfer.is_too_long = true;
    return 0;  // Ends it.
  }
  received.append(data, bytes);
  return bytes;
}

std::string CurlApi::Token() const {
  if (access_.token_file.empty()) return access_.token;
  std::string token = ReadSmallFile(access_.token_file, kMaxToken).value_or("");
  const std::size_t end = token.find_first_of("\r\n");
  return token.substr(0, end);
}

// Sets the server, the certificates that prove its identity, and the client's
// credentials.
void CurlApi::SetPeer(const std::string& path, Transfer* transfer) const {
  std::string url = access_.server + path;
  if (!access_.tls_server_name.empty()) {
    const Detour detour = DetourTo(url, access_.tls_server_name);
    url = detour.url;
    transfer->connect_to = curl_.slist_append(nullptr, detour.peer.c_str());
    transfer->Set(CURLOPT_CONNECT_TO, transfer->connect_to);
    transfer->AddHeader("Host: " + detour.host);
  }
  transfer->Set(CURLOPT_URL, url.c_str());
  transfer->SetBlob(CURLOPT_CAINFO_BLOB, access_.authority);
  transfer->SetBlob(CURLOPT_SSLCERT_BLOB, access_.client_certificate);
  transfer->SetBlob(CURLOPT_SSLKEY_BLOB, access_.client_key);
  const std::string token = Token();
  if (!token.empty()) transfer->AddHeader("Authorization: Bearer " + token);
}

std::unique_ptr<CurlApi::Transfer> CurlApi::Begin(const ApiRequest& request,
                                                  bool is_stream) {
  auto transfer = std::make_unique<Transfer>();
  transfer->curl = &curl_;
  transfer->has_news = &has_news_;
  transfer->is_stream = is_stream;
  transfer->sent = request.body;
  transfer->easy = curl_.easy_init();
  curl_.SetUpConnection(transfer->easy);
  transfer->Set(CURLOPT_HTTP_VERSION,
                static_cast<long>(CURL_HTTP_VERSION_2TLS));
  // A peer that is gone is noticed.
  transfer->Set(CURLOPT_TCP_KEEPALIVE, 1L);
  transfer->Set(CURLOPT_TCP_KEEPIDLE, kKeepAliveSeconds);
  transfer->Set(CURLOPT_TCP_KEEPINTVL, kKeepAliveSeconds);
  SetPeer(request.path, transfer.get());
  transfer->Set(CURLOPT_ERRORBUFFER, transfer->error.data());
  transfer->Set(CURLOPT_WRITEFUNCTION, &Receive);
  transfer->Set(CURLOPT_WRITEDATA, static_cast<void*>(transfer.get()));
  transfer->Set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
  if (is_stream) {
    transfer->Set(CURLOPT_PIPEWAIT, 1L);
  } else {
    transfer->Set(CURLOPT_TIMEOUT_MS,
                  static_cast<long>(request_limit_.count()));
    if (needs_new_connection_) transfer->Set(CURLOPT_FRESH_CONNECT, 1L);
  }
  transfer->AddHeader("Accept: application/json");
  transfer->AddHeader("Expect:");
  if (!transfer->sent.empty()) {
    transfer->AddHeader("Content-Type: application/json");
    transfer->Set(CURLOPT_POSTFIELDSIZE,
                  static_cast<long>(transfer->sent.size()));
    transfer->Set(CURLOPT_POSTFIELDS, transfer->sent.c_str());
  }
  transfer->Set(CURLOPT_HTTPHEADER, transfer->headers);
  transfer->Set(CURLOPT_PRIVATE, static_cast<void*>(transfer.get()));
  if (curl_.multi_add_handle(multi_, transfer->easy) != CURLM_OK) {
    transfer->is_done = true;
    transfer->result = CURLE_FAILED_INIT;
  }
  return transfer;
}

void CurlApi::End(Transfer& transfer) {
  curl_.multi_remove_handle(multi_, transfer.easy);
  curl_.easy_cleanup(transfer.easy);
  curl_.slist_free_all(transfer.headers);
  curl_.slist_free_all(transfer.connect_to);
}

void CurlApi::Perform() {
  int running = 0;
  curl_.multi_perform(multi_, &running);
  int left = 0;
  while (const CURLMsg* message = curl_.multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    char* user = nullptr;
    curl_.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &user);
    auto* const transfer = reinterpret_cast<Transfer*>(user);
    transfer->is_done = true;
    transfer->result = message->data.result;
    if (transfer->is_stream) has_news_ = true;
  }
}

absl::StatusOr<ApiReply> CurlApi::Call(const ApiRequest& request) {
  if (is_stopping_) return absl::CancelledError("the service ends");
  const std::unique_ptr<Transfer> transfer = Begin(request, false);
  for (Perform(); !transfer->is_done && !is_stopping_; Perform()) {
    curl_.multi_poll(multi_, nullptr, 0, kPollMs, nullptr);
  }
  ApiReply reply;
  reply.status = transfer->status();
  reply.body = std::move(transfer->received);
  const bool is_done = transfer->is_done;
  const CURLcode result = transfer->result;
  const std::string trouble = transfer->trouble();
  End(*transfer);
  if (!is_done) return absl::CancelledError("the service ends");
  // A dead connection would delay the next call, too.
  needs_new_connection_ = result != CURLE_OK;
  if (result == CURLE_OK) return reply;
  return absl::UnavailableError(absl::StrCat(access_.server, ": ", trouble));
}

KubernetesApi::StreamId CurlApi::Open(const std::string& path) {
  streams_[++last_stream_] = Begin({"GET", path, ""}, true);
  return last_stream_;
}

KubernetesApi::Part CurlApi::Read(StreamId stream) {
  Part part;
  const auto found = streams_.find(stream);
  if (found == streams_.end()) {
    part.is_over = true;
    return part;
  }
  Transfer& transfer = *found->second;
  part.status = transfer.status();
  part.is_over = transfer.is_done;
  if (part.status != 0 && transfer.is_error()) {
    part.trouble = std::move(transfer.received);
  } else {
    part.data = std::move(transfer.received);
  }
  transfer.received.clear();
  if (transfer.is_done && transfer.result != CURLE_OK) {
    part.trouble = transfer.trouble();
  }
  if (std::exchange(transfer.is_paused, false)) {
    curl_.easy_pause(transfer.easy, CURLPAUSE_CONT);
  }
  return part;
}

void CurlApi::Close(StreamId stream) {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return;
  End(*found->second);
  streams_.erase(found);
}

void CurlApi::Wait(milliseconds timeout) {
  // Data that came during a call have not been read yet.
  if (is_stopping_ || std::exchange(has_news_, false)) return;
  curl_.multi_poll(
      multi_, nullptr, 0,
      static_cast<int>(
          std::clamp(timeout, milliseconds(0), milliseconds(60000)).count()),
      nullptr);
  Perform();
  has_news_ = false;
}

void CurlApi::Wake() { curl_.multi_wakeup(multi_); }

void CurlApi::Stop() {
  is_stopping_ = true;
  Wake();
}

}  // namespace vernier

#include "http/request_head.h"

#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "http/url.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxHeaders = 100;

}  // namespace

absl::StatusOr<HttpRequest> ReadRequestHead(
    const boost::beast::http::request_header<>& header) {
  HttpRequest request;
  request.method = std::string(header.method_string());
  const auto raw = header.target();
  std::optional<UrlTarget> target =
      ParseTarget(std::string_view(raw.data(), raw.size()));
  if (!target.has_value()) {
    return absl::InvalidArgumentError("the target of the request is no path");
  }
  request.path = std::move(target->path);
  request.query = std::move(target->query);
  int hosts = 0;
  for (const auto& field : header) {
    if (request.headers.size() == kMaxHeaders) {
      return absl::InvalidArgumentError(
          absl::StrCat("the request has more than ", kMaxHeaders, " headers"));
    }
    hosts += field.name() == boost::beast::http::field::host;
    request.headers.emplace_back(
        absl::AsciiStrToLower(std::string(field.name_string())),
        std::string(field.value()));
  }
  if (hosts != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("the request must have one Host header: it has ", hosts));
  }
  return request;
}

std::string SubjectOfPeer(ssl_st* tls) {
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      SSL_get_peer_certificate(tls), &X509_free);
  if (certificate == nullptr || SSL_get_verify_result(tls) != X509_V_OK) {
    return "";
  }
  const std::unique_ptr<BIO, decltype(&BIO_free_all)> text(BIO_new(BIO_s_mem()),
                                                           &BIO_free_all);
  X509_NAME_print_ex(text.get(), X509_get_subject_name(certificate.get()), 0,
                     XN_FLAG_RFC2253);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(text.get(), &bytes);
  return std::string(bytes, static_cast<std::size_t>(size));
}

}  // namespace vernier

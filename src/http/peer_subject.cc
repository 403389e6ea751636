#include "http/peer_subject.h"

#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <cstddef>
#include <memory>

namespace vernier {

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

#ifndef VERNIER_TESTS_E2E_FRONTENDS_TEST_CERTIFICATES_H_
#define VERNIER_TESTS_E2E_FRONTENDS_TEST_CERTIFICATES_H_

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <string>

namespace vernier {

/// A certificate authority for tests, which signs certificates for 127.0.0.1.
class TestAuthority {
 public:
  /// Writes its certificate to FOLDER/ca.pem.
  explicit TestAuthority(std::string folder)
      : folder_(std::move(folder)), key_(EVP_EC_gen("P-256")) {
    certificate_ = Sign("authority", key_.get(), true);
    Write("ca.pem", [this](std::FILE* file) {
      return PEM_write_X509(file, certificate_.get());
    });
  }

  /// Writes FOLDER/NAME.pem and FOLDER/NAME.key.
  void Issue(const std::string& name) {
    const Key key(EVP_EC_gen("P-256"));
    const Certificate certificate = Sign(name, key.get(), false);
    Write(name + ".pem", [&certificate](std::FILE* file) {
      return PEM_write_X509(file, certificate.get());
    });
    Write(name + ".key", [&key](std::FILE* file) {
      return PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr,
                                  nullptr);
    });
  }

  std::string Path(const std::string& file) const {
    return folder_ + "/" + file;
  }

 private:
  struct Free {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    void operator()(X509* certificate) const { X509_free(certificate); }
    void operator()(X509_EXTENSION* each) const { X509_EXTENSION_free(each); }
  };
  using Key = std::unique_ptr<EVP_PKEY, Free>;
  using Certificate = std::unique_ptr<X509, Free>;

  Certificate Sign(const std::string& name, EVP_PKEY* key, bool is_authority) {
    Certificate made(X509_new());
    X509_set_version(made.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial_);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -86400);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), 86400);
    X509_set_pubkey(made.get(), key);
    X509_NAME* const subject = X509_get_subject_name(made.get());
    X509_NAME_add_entry_by_txt(
        subject, "CN", MBSTRING_ASC,
        reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_issuer_name(
        made.get(),
        is_authority ? subject : X509_get_subject_name(certificate_.get()));
    const std::unique_ptr<X509_EXTENSION, Free> extension(X509V3_EXT_conf_nid(
        nullptr, nullptr,
        is_authority ? NID_basic_constraints : NID_subject_alt_name,
        is_authority ? "critical,CA:TRUE" : "IP:127.0.0.1"));
    X509_add_ext(made.get(), extension.get(), -1);
    EXPECT_GT(X509_sign(made.get(), key_.get(), EVP_sha256()), 0);
    return made;
  }

  template <typename Writer>
  void Write(const std::string& file, const Writer& write) {
    std::FILE* const stream = std::fopen(Path(file).c_str(), "we");
    ASSERT_NE(stream, nullptr);
    EXPECT_EQ(write(stream), 1);
    std::fclose(stream);
  }

  const std::string folder_;
  const Key key_;
  long serial_ = 0;
  Certificate certificate_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_E2E_FRONTENDS_TEST_CERTIFICATES_H_

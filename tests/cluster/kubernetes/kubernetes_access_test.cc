#include "cluster/kubernetes/kubernetes_access.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

constexpr char kConfig[] = R"(
apiVersion: v1
kind: Config
current-context: lab
contexts:
- {name: other, context: {cluster: nowhere, user: nobody}}
- {name: lab, context: {cluster: c, user: u, namespace: trials}}
clusters:
- name: c
  cluster: {server: "https://10.0.0.1:6443/", certificate-authority-data: UEVN}
users:
- name: u
  user: {USER}
)";

std::string Config(const std::string& user) {
  std::string text = kConfig;
  return text.replace(text.find("{USER}"), 6, user);
}

absl::StatusOr<KubernetesAccess> Read(const std::string& user,
                                      const std::string& context = "") {
  return ReadKubeconfig(Config(user), "/home/config", context);
}

TEST(KubernetesAccessTest, ReadsTheCurrentContext) {
  const auto access = Read("{token: secret}");
  ASSERT_TRUE(access.ok()) << access.status();
  EXPECT_EQ(access->server, "https://10.0.0.1:6443");
  EXPECT_EQ(access->name_space, "trials");
  EXPECT_EQ(access->authority, "PEM");
  EXPECT_EQ(access->token, "secret");
}

TEST(KubernetesAccessTest, FilesAreRelativeToTheConfig) {
  const ScratchFolder folder;
  WriteText(folder / "key", "KEY");
  const auto access = ReadKubeconfig(
      Config("{tokenFile: t, client-certificate-data: UEVN, client-key: key}"),
      folder / "config", "");
  ASSERT_TRUE(access.ok()) << access.status();
  EXPECT_EQ(access->token_file, folder / "t");
  EXPECT_EQ(access->client_certificate, "PEM");
  EXPECT_EQ(access->client_key, "KEY");
}

TEST(KubernetesAccessTest, SaysWhatCannotBeUsed) {
  const struct {
    std::string user;
    std::string context;
    const char* words;
  } kCases[] = {
      {"{exec: {command: aws}}", "",
       "has an \"exec\" plugin, which is not run"},
      {"{auth-provider: {name: gcp}}", "", "auth-provider"},
      {"{username: a, password: b}", "", "a password is not supported"},
      {"{client-key-data: \"*\"}", "", "client-key-data is no base64"},
      {"{token: a}", "nope", "has no context \"nope\""},
      {"{token: a}", "other", "the context's cluster is not there: nowhere"},
  };
  for (const auto& test : kCases) {
    const auto access = Read(test.user, test.context);
    ASSERT_FALSE(access.ok()) << test.words;
    EXPECT_NE(std::string(access.status().message()).find(test.words),
              std::string::npos)
        << access.status();
  }
}

TEST(KubernetesAccessTest, TlsIsNotOptional) {
  std::string text = Config("{token: a}");
  text.replace(text.find("certificate-authority-data: UEVN"), 32,
               "insecure-skip-tls-verify: true");
  EXPECT_FALSE(ReadKubeconfig(text, "c", "").ok());
  const auto reads = [](const std::string& server) {
    std::string config = Config("{token: a}");
    config.replace(config.find("https://10.0.0.1:6443/"), 22, server);
    return ReadKubeconfig(config, "c", "").ok();
  };
  EXPECT_TRUE(reads("http://127.0.0.1:8001"));
  EXPECT_TRUE(reads("http://localhost/"));
  EXPECT_FALSE(reads("http://10.0.0.1"));
  EXPECT_FALSE(reads("http://127.0.0.1.example"));
  EXPECT_FALSE(reads("http://localhost.example:8001"));
}

TEST(KubernetesAccessTest, ACertificateMayHaveAnotherName) {
  const auto name_of = [](const std::string& name) {
    std::string text = Config("{token: a}");
    text.replace(text.find("certificate-authority-data"), 0,
                 "tls-server-name: \"" + name + "\", ");
    return ReadKubeconfig(text, "c", "");
  };
  ASSERT_TRUE(name_of("lab.example").ok());
  EXPECT_EQ(name_of("lab.example")->tls_server_name, "lab.example");
  EXPECT_FALSE(name_of("lab.example/x").ok());
}

TEST(KubernetesAccessTest, ATokenIsOneLine) {
  const auto access = Read("{token: \"secret\\nX-Other: header\"}");
  ASSERT_TRUE(access.ok()) << access.status();
  EXPECT_EQ(access->token, "secret");
}

TEST(KubernetesAccessTest, LooksWhereKubectlLooks) {
  const ScratchFolder folder;
  WriteText(folder / "a", "current-context: none");
  WriteText(folder / "b", Config("{token: b}"));
  const auto named = FindKubernetesAccess(
      "", "",
      {{"KUBECONFIG",
        folder / "missing" + ":" + (folder / "a") + ":" + (folder / "b")}});
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_EQ(named->token, "b");
  const auto none = FindKubernetesAccess("", "", {{"HOME", folder.path()}});
  EXPECT_TRUE(absl::IsNotFound(none.status())) << none.status();
}

TEST(KubernetesAccessTest, SurvivesAnyText) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  const std::string config = Config("{token: a}");
  for (int i = 0; i < 2000; ++i) {
    std::string text = config;
    for (int k = 0; k < 5; ++k) {
      text[random() % text.size()] = static_cast<char>(random());
    }
    static_cast<void>(ReadKubeconfig(text, "c", ""));
  }
  EXPECT_FALSE(ReadKubeconfig(std::string(2 << 20, '['), "c", "").ok());
  EXPECT_FALSE(ReadKubeconfig(std::string(100000, '['), "c", "").ok());
}

}  // namespace
}  // namespace vernier

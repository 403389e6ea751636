#include "buckets/open_beneath.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/unique_fd.h"
#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

// A folder with files, folders and links, beside one that nobody may reach.
class OpenBeneathTest : public testing::Test {
 protected:
  OpenBeneathTest() {
    const fs::path top = folder_.path();
    fs::create_directories(top / "in" / "a" / "b");
    fs::create_directories(top / "out");
    std::ofstream(top / "out" / "secret") << "secret";
    std::ofstream(top / "in" / "file") << "1";
    std::ofstream(top / "in" / "a" / "file") << "2";
    std::ofstream(top / "in" / "a" / "b" / "file") << "3";
    const struct {
      const char* name;
      const char* target;
    } kLinks[] = {{"to_file", "file"},
                  {"to_a", "a"},
                  {"to_b", "to_a/b/"},
                  {"a/up", ".."},
                  {"a/up_and_down", "../a/b/../file"},
                  {"a/out", "../../out"},
                  {"out", "../out"},
                  {"secret", "../out/secret"},
                  {"absolute", "/etc/passwd"},
                  {"root", "/"},
                  {"dangling", "a/new"},
                  {"loop", "loop"},
                  {"pool", "lool"},
                  {"lool", "pool"}};
    for (const auto& link : kLinks) {
      fs::create_symlink(link.target, top / "in" / link.name);
    }
    in_.Reset(::open((top / "in").c_str(), O_RDONLY | O_DIRECTORY));
  }

  // The file that was opened, or the error, as text.
  static std::string ResultOf(UniqueFd fd) {
    const int error = errno;
    struct stat info;
    if (!fd.is_open()) return absl::StrCat("error ", error);
    if (::fstat(fd.get(), &info) != 0) return "no file";
    return absl::StrCat("file ", info.st_ino, " flags ",
                        ::fcntl(fd.get(), F_GETFD));
  }
  std::string ByKernel(const std::string& name, int flags, Links links) {
    return ResultOf(UniqueFd(OpenBeneath(in_.get(), name, flags, 0600, links)));
  }
  std::string ByHand(const std::string& name, int flags, Links links) {
    return ResultOf(
        UniqueFd(OpenBeneathByHand(in_.get(), name, flags, 0600, links)));
  }

  ScratchFolder folder_;
  UniqueFd in_;
};

TEST_F(OpenBeneathTest, NothingLeadsOut) {
  for (const char* name :
       {"..", "../in", "../out/secret", "a/../../out", "/etc/passwd", "/",
        "out", "out/secret", "secret", "absolute", "root", "root/etc",
        "a/out/secret", "to_a/out", "to_b/../../..", "a/up/.."}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(OpenBeneathByHand(in_.get(), name, O_RDONLY, 0, Links::kFollow),
              -1);
    EXPECT_EQ(errno, EXDEV);
  }
}

TEST_F(OpenBeneathTest, ByHandIsWhatTheKernelDoes) {
  const std::string parts[] = {
      "a",    "b",  "file",        "to_file",  "to_a",  "to_b", "up",
      "out",  "..", ".",           "dangling", "loop",  "pool", "absolute",
      "root", "",   "up_and_down", "missing",  "secret"};
  const int choices[] = {O_RDONLY,
                         O_RDONLY | O_DIRECTORY,
                         O_RDONLY | O_NOFOLLOW,
                         O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
                         O_WRONLY,
                         O_PATH,
                         O_PATH | O_NOFOLLOW,
                         O_RDWR | O_NONBLOCK | O_NOCTTY};
  std::mt19937 rng(56);
  const auto draw = [&rng](std::size_t below) { return rng() % below; };
  int opened = 0;
  constexpr int kNames = 20000;
  for (int i = 0; i < kNames; ++i) {
    std::string name = parts[draw(std::size(parts))];
    for (std::size_t more = draw(5); more > 0; --more) {
      absl::StrAppend(&name, "/", parts[draw(std::size(parts))]);
    }
    const int flags = choices[draw(std::size(choices))];
    const Links links = draw(4) == 0 ? Links::kRefuse : Links::kFollow;
    const std::string expected = ByKernel(name, flags, links);
    opened += expected.starts_with("file") ? 1 : 0;
    ASSERT_EQ(ByHand(name, flags, links), expected)
        << name << " flags " << flags << " refuse "
        << (links == Links::kRefuse);
  }
  EXPECT_GT(opened, kNames / 20) << "most names lead nowhere";
}

TEST_F(OpenBeneathTest, FilesAreMadeAsTheKernelMakesThem) {
  for (const char* name :
       {"new", "a/new", "to_a/new", "dangling", "missing/new", "out/new",
        "secret", "file", "to_file", "a", "loop", "absolute"}) {
    for (const int flags : {O_WRONLY | O_CREAT, O_WRONLY | O_CREAT | O_EXCL,
                            O_WRONLY | O_CREAT | O_NOFOLLOW}) {
      for (const Links links : {Links::kFollow, Links::kRefuse}) {
        SCOPED_TRACE(absl::StrCat(name, " ", flags, " ",
                                  links == Links::kRefuse ? "refuse" : ""));
        const fs::path in = fs::path(folder_.path()) / "in";
        const auto made = [&](std::string result) {
          const bool is_new =
              fs::exists(in / "new") || fs::exists(in / "a/new");
          fs::remove(in / "new");
          fs::remove(in / "a/new");
          return is_new ? "made" : result;
        };
        const std::string expected = made(ByKernel(name, flags, links));
        EXPECT_EQ(made(ByHand(name, flags, links)), expected);
        EXPECT_FALSE(fs::exists(fs::path(folder_.path()) / "out" / "new"));
      }
    }
  }
}

TEST_F(OpenBeneathTest, ManyLinksAreTooMany) {
  for (int i = 0; i < 50; ++i) {
    fs::create_symlink(i == 0 ? "file" : absl::StrCat("l", i - 1),
                       fs::path(folder_.path()) / "in" / absl::StrCat("l", i));
  }
  for (const int last : {10, 39, 40, 41, 49}) {
    const std::string name = absl::StrCat("l", last);
    EXPECT_EQ(ByHand(name, O_RDONLY, Links::kFollow),
              ByKernel(name, O_RDONLY, Links::kFollow))
        << name;
  }
}

}  // namespace
}  // namespace vernier

#include "faces/dashboard/page_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "faces/dashboard/page_file.h"

namespace vernier {
namespace {

using ::testing::StartsWith;

const std::filesystem::path kPage =
    std::filesystem::path(VERNIER_SOURCE_DIR).parent_path() / "web/page";

HttpResponse Get(std::string_view path) {
  HttpRequest request;
  request.method = "GET";
  request.path = path;
  request.headers.emplace_back("accept-encoding", "gzip");
  return ServePage(request)->Finish();
}

/// The length before packing, which the last four bytes hold (RFC 1952).
std::size_t UnpackedBytes(std::string_view packed) {
  std::size_t bytes = 0;
  for (std::size_t i = 1; i <= 4; ++i) {
    bytes = bytes << 8 | static_cast<unsigned char>(packed[packed.size() - i]);
  }
  return bytes;
}

TEST(PageFilesTest, AreThoseOfTheRepository) {
  std::set<std::string> committed;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(kPage)) {
    if (!entry.is_regular_file()) continue;
    committed.insert(std::filesystem::relative(entry.path(), kPage).string());
  }
  std::set<std::string> embedded;
  for (const PageFile& file : PageFiles()) embedded.emplace(file.name);
  EXPECT_EQ(embedded, committed);
  EXPECT_GE(embedded.size(), 3u);  // The page, a script and a style.
}

TEST(PageFilesTest, EachIsServedWhole) {
  for (const PageFile& file : PageFiles()) {
    SCOPED_TRACE(file.name);
    ASSERT_GT(file.contents.size(), 18u);
    EXPECT_THAT(std::string(file.contents), StartsWith("\x1f\x8b"));
    EXPECT_EQ(UnpackedBytes(file.contents),
              std::filesystem::file_size(kPage / file.name));
    const HttpResponse answer = Get("/ui/" + std::string(file.name));
    EXPECT_EQ(answer.status, 200);
    ASSERT_NE(answer.shared_body, nullptr);
    EXPECT_EQ(*answer.shared_body, file.contents);
  }
}

}  // namespace
}  // namespace vernier

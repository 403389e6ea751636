#include "http/chunked_body.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vernier {
namespace {

/// The body in `text`, fed `step` bytes at a time, and what is left behind it;
/// "?" for an error, "..." if it does not end.
std::string Decode(const std::string& text, std::size_t step) {
  ChunkedBody chunks;
  std::string body;
  for (std::size_t at = 0; at < text.size(); at += step) {
    std::string_view bytes = std::string_view(text).substr(at, step);
    while (!bytes.empty()) {
      const auto piece = chunks.Next(&bytes);
      if (!piece.ok()) return "?";
      body.append(*piece);
      if (chunks.is_done()) {
        return body + "|" + std::string(bytes) +
               text.substr(std::min(at + step, text.size()));
      }
    }
  }
  return body + "...";
}

TEST(ChunkedBodyTest, ReadsChunksHoweverTheyCome) {
  const struct {
    const char* text;
    const char* body;
  } cases[] = {
      {"0\r\n\r\nGET", "|GET"},
      {"3\r\nabc\r\n0\r\n\r\n", "abc|"},
      {"3\r\nabc\r\n00a\r\n0123456789\r\n0\r\n\r\nrest", "abc0123456789|rest"},
      {"3;x=y\r\nabc\r\n0;last\r\nA: b\r\nC: \r\n\r\nrest", "abc|rest"},
      {"3 ; x\r\na\r\n\r\n0\r\n\r\n", "a\r\n|"},
      {"3\r\nab", "ab..."},
      {"3\r\nabc\r\n0\r\n", "abc..."},
  };
  for (const auto& each : cases) {
    for (const std::size_t step : {1u, 2u, 3u, 1000u}) {
      EXPECT_EQ(Decode(each.text, step), each.body) << each.text << step;
    }
  }
}

TEST(ChunkedBodyTest, RefusesWhatIsNoChunk) {
  for (const std::string text :
       {"\r\n", "x\r\n", "-1\r\n", "0x3\r\nabc\r\n", " 3\r\nabc\r\n",
        "3\nabc\r\n", "3\r\nabcd\r\n", "3\r\nabc\n", "3\rabc", ";\r\n",
        "3;a\nb\r\nabc", "0\r\n A: b\r\n\r\n", "0\r\nA: b\nC: d\r\n\r\n",
        "0\r\n\rx", "11111111111111111\r\n"}) {
    for (const std::size_t step : {1u, 1000u}) {
      EXPECT_EQ(Decode(text, step), "?") << text;
    }
  }
}

// Each of these grew until there was no memory left.
TEST(ChunkedBodyTest, BoundsEachPart) {
  EXPECT_EQ(Decode(std::string(17, '0'), 5), "?");
  EXPECT_EQ(Decode("1;" + std::string(257, 'x'), 5), "?");
  EXPECT_EQ(Decode("0\r\nA: " + std::string(9000, 'x'), 50), "?");
  std::string trailers = "0\r\n";
  for (int i = 0; i < 2000; ++i) trailers += "A: b\r\n";
  EXPECT_EQ(Decode(trailers, 50), "?");
}

}  // namespace
}  // namespace vernier

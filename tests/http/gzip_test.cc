#include "http/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

namespace vernier {
namespace {

std::string Gunzip(std::string packed) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string text(1 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

TEST(GzipTest, ComesBackAndIsSmaller) {
  std::string text;
  for (int i = 0; i < 10000; ++i) text += std::to_string(i % 97);
  const std::string packed = Gzip(text);
  EXPECT_LT(packed.size(), text.size() / 2);
  EXPECT_EQ(Gunzip(packed), text);
  EXPECT_EQ(Gunzip(Gzip("")), "");
}

TEST(GzipTest, ReadsAcceptEncoding) {
  EXPECT_TRUE(AcceptsGzip("gzip"));
  EXPECT_TRUE(AcceptsGzip("deflate, GZIP;q=0.5"));
  EXPECT_FALSE(AcceptsGzip(""));
  EXPECT_FALSE(AcceptsGzip("identity"));
  EXPECT_FALSE(AcceptsGzip("br, gzip;q=0"));
  EXPECT_FALSE(AcceptsGzip("gzipped"));
}

}  // namespace
}  // namespace vernier

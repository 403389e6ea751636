#include "http/multipart_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vernier {
namespace {

class Collector final : public MultipartSink {
 public:
  absl::Status BeginPart(const HttpFields& headers) override {
    parts.emplace_back();
    for (const auto& [name, value] : headers) {
      parts.back() += name + "=" + value + ";";
    }
    parts.back() += "|";
    return absl::OkStatus();
  }
  absl::Status PartData(std::string_view data) override {
    parts.back().append(data);
    return absl::OkStatus();
  }
  absl::Status EndPart() override {
    ++ended;
    return absl::OkStatus();
  }

  std::vector<std::string> parts;
  std::size_t ended = 0;
};

absl::Status Read(const std::string& body, std::size_t piece,
                  Collector* collector) {
  MultipartReader reader("B", *collector);
  for (std::size_t at = 0; at < body.size(); at += piece) {
    const absl::Status status = reader.Feed(body.substr(at, piece));
    if (!status.ok()) return status;
  }
  return reader.End();
}

// Whatever the network makes of it, it is the same body.
void ExpectParts(const std::string& body,
                 const std::vector<std::string>& parts) {
  for (std::size_t piece = 1; piece <= body.size(); ++piece) {
    Collector collector;
    EXPECT_TRUE(Read(body, piece, &collector).ok()) << piece;
    EXPECT_EQ(collector.parts, parts) << piece;
    EXPECT_EQ(collector.ended, parts.size()) << piece;
  }
}

TEST(MultipartReaderTest, TakesPartsApartWhereverTheyAreCut) {
  ExpectParts(
      "--B\r\nContent-Type: application/json\r\n\r\n{\"name\": 1}\r\n"
      "--B\r\nContent-Type: text/plain\r\nX-Y:  z \r\n\r\nbytes\r\n--B--\r\n",
      {"content-type=application/json;|{\"name\": 1}",
       "content-type=text/plain;x-y=z;|bytes"});
}

TEST(MultipartReaderTest, TakesLineFeedsAlone) {
  ExpectParts("--B\nA: b\n\none\n--B\nC: d\n\ntwo\r\n--B--",
              {"a=b;|one", "c=d;|two\r"});
}

TEST(MultipartReaderTest, BytesThatLookLikeABoundaryAreBytes) {
  ExpectParts("--B\r\n\r\n\r\n-\r\n--\r\n--A\r\n--\nB--B\n--B\r\n--B--",
              {"|\r\n-\r\n--\r\n--A\r\n--\nB--B\n--B"});
}

TEST(MultipartReaderTest, PartsMayBeEmpty) {
  ExpectParts("\r\n--B\r\nA: b\r\n\r\n\r\n--B \r\n\r\n\r\n--B--\r\nepilogue",
              {"a=b;|", "|"});
}

TEST(MultipartReaderTest, RefusesWhatIsNone) {
  for (const std::string& body :
       {std::string("hello, world"), std::string("--C\r\n\r\nx\r\n--C--"),
        std::string("--B\r\n\r\nx"), std::string("--B\r\n\r\nx\r\n--B"),
        std::string("--B\r\n\r\nx\r\n--Bcd\r\n\r\ny\r\n--B--"),
        std::string("--B\r\nno colon\r\n\r\nx\r\n--B--"), std::string("--B"),
        "--B\r\nA: " + std::string(20000, 'a') + "\r\n\r\nx\r\n--B--"}) {
    for (const std::size_t piece : {std::size_t{1}, body.size()}) {
      Collector collector;
      EXPECT_TRUE(absl::IsInvalidArgument(Read(body, piece, &collector)))
          << body.substr(0, 40);
    }
  }
}

TEST(MultipartReaderTest, HoldsNoPartInMemory) {
  Collector collector;
  MultipartReader reader("B", collector);
  ASSERT_TRUE(reader.Feed("--B\r\n\r\n").ok());
  ASSERT_TRUE(reader.Feed(std::string(100000, 'x')).ok());
  // All but what might begin a delimiter has been handed on.
  EXPECT_GT(collector.parts[0].size(), 99990u);
}

TEST(MultipartBoundaryTest, IsFoundInTheContentType) {
  EXPECT_EQ(MultipartBoundary("multipart/related; boundary=abc"), "abc");
  EXPECT_EQ(MultipartBoundary("multipart/mixed; boundary=\"a b;c\"; x=y"),
            "a b;c");
  EXPECT_EQ(MultipartBoundary("multipart/related; boundary='===1=='"),
            "===1==");
  EXPECT_EQ(MultipartBoundary("Multipart/Related; Boundary=AbC ; x=y"), "AbC");
  for (const char* type :
       {"", "application/json", "multipart/related",
        "multipart/related; boundary=", "multipart/related; boundary=\"\"",
        "multipart/related; boundary=\"a", "text/plain; boundary=a"}) {
    EXPECT_EQ(MultipartBoundary(type), std::nullopt) << type;
  }
  EXPECT_EQ(
      MultipartBoundary("multipart/related; boundary=" + std::string(201, 'a')),
      std::nullopt);
}

}  // namespace
}  // namespace vernier

// Known faults of the gRPC that Debian 12 has, tried against the real
// binary on loopback: none of them may stop the service or starve others.

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/e2e/frontends/service_process.h"
#include "tests/edge/generic_call.h"
#include "tests/edge/raw_http2.h"

namespace vernier {
namespace {

constexpr char kPath[] = "/vernier.v1.JobService/GetServiceInfo";

std::string PackedZeros(int megabytes, int window) {
  const std::string zeros(1 << 20, '\0');
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY),
            Z_OK);
  std::string packed(4 << 20, '\0');
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  for (int i = 0; i < megabytes; ++i) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(zeros.data()));
    stream.avail_in = static_cast<uInt>(zeros.size());
    EXPECT_EQ(deflate(&stream, i + 1 < megabytes ? Z_NO_FLUSH : Z_FINISH),
              i + 1 < megabytes ? Z_OK : Z_STREAM_END);
  }
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

class GrpcFrontendTest : public testing::Test {
 protected:
  void SetUp() override {
    service_.Start({"--listen", "127.0.0.1:0", "--http", "off"});
    const std::string endpoint = service_.LoggedValue("endpoint");
    port_ = std::atoi(endpoint.substr(endpoint.rfind(':') + 1).c_str());
    ASSERT_GT(port_, 0);
  }

  RawHttp2 Connect() { return RawHttp2(ConnectLoopback(port_)); }

  /// What a client that comes anew gets from a call without a token.
  grpc::StatusCode CallAnew() const {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 200);
    grpc::ClientContext context;
    context.set_wait_for_ready(true);
    // Only a service that is dead needs so long.
    context.set_deadline(std::chrono::system_clock::now() +
                         std::chrono::seconds(30));
    return CallGeneric(grpc::CreateCustomChannel(
                           absl::StrCat("127.0.0.1:", port_),
                           grpc::InsecureChannelCredentials(), arguments),
                       context, kPath)
        .status.error_code();
  }

  void ExpectServes() const {
    EXPECT_EQ(CallAnew(), grpc::StatusCode::UNAUTHENTICATED);
    EXPECT_EQ(kill(service_.pid(), 0), 0);
  }

  ServiceProcess service_;
  int port_ = 0;
};

// CVE-2023-4785: gRPC's own acceptor gives up for good.
TEST_F(GrpcFrontendTest, ServesAgainAfterItsDescriptorsRanOut) {
  const rlimit few{128, 128};
  ASSERT_EQ(prlimit(service_.pid(), RLIMIT_NOFILE, &few, nullptr), 0);
  std::vector<UniqueFd> connections;
  for (int i = 0; i < 400; ++i) connections.push_back(ConnectLoopback(port_));
  connections.clear();
  ExpectServes();
}

// CVE-2023-33953: each frame makes gRPC look at all of the string again.
TEST_F(GrpcFrontendTest, AnEndlessHeaderCostsLittleTime) {
  const std::string part(16384, 'a');
  RawHttp2 attacker = Connect();
  const double before = service_.CpuSeconds();
  attacker.Send(RawHttp2::Preface());
  attacker.Send(RawHttp2::Frame(
      RawHttp2::kHeaders, 0, 1,
      '\0' + RawHttp2::Literal("x") + RawHttp2::Integer(12 << 20)));
  bool is_open = true;
  for (int i = 0; i < (12 << 20) / 16384 && is_open; ++i) {
    is_open =
        attacker.Send(RawHttp2::Frame(RawHttp2::kContinuation, 0, 1, part));
  }
  attacker.Send(
      RawHttp2::Frame(RawHttp2::kContinuation, RawHttp2::kEndHeaders, 1, ""));
  ExpectServes();
  EXPECT_TRUE(attacker.ReadUntilClosed());
  // gRPC alone takes some ten seconds for it.
  EXPECT_LT(service_.CpuSeconds() - before, 3);
}

// CVE-2023-44487: what was reset is not counted, but is still in memory.
TEST_F(GrpcFrontendTest, ManyResetCallsTakeLittleMemory) {
  const std::string fields = RawHttp2::CallFields(kPath);
  const std::string cancelled("\0\0\0\x08", 4);
  const long before = service_.StatusKib("VmHWM");
  RawHttp2 attacker = Connect();
  bool is_open = attacker.Send(RawHttp2::Preface());
  for (std::uint32_t stream = 1; stream < 120000 && is_open; stream += 2) {
    is_open = attacker.Send(
        RawHttp2::Frame(RawHttp2::kHeaders, RawHttp2::kEndHeaders, stream,
                        fields) +
        RawHttp2::Frame(RawHttp2::kResetStream, 0, stream, cancelled));
  }
  ExpectServes();
  EXPECT_LT(service_.StatusKib("VmHWM") - before, 200 << 10);
}

TEST_F(GrpcFrontendTest, ManyOpenCallsTakeLittleMemory) {
  const std::string fields = RawHttp2::CallFields(kPath);
  const long before = service_.StatusKib("VmHWM");
  RawHttp2 attacker = Connect();
  bool is_open = attacker.Send(RawHttp2::Preface());
  for (std::uint32_t stream = 1; stream < 160000 && is_open; stream += 2) {
    is_open = attacker.Send(RawHttp2::Frame(
        RawHttp2::kHeaders, RawHttp2::kEndHeaders, stream, fields));
  }
  ExpectServes();
  EXPECT_LT(service_.StatusKib("VmHWM") - before, 200 << 10);
}

// gRPC unpacks a message before it looks at its size, or lets anybody look at
// the token: 600 KB become 600 MB.
TEST_F(GrpcFrontendTest, APackedMessageIsNotUnpacked) {
  const struct {
    const char* name;
    int window;
  } kinds[] = {{"gzip", 15 + 16}, {"deflate", 15}};
  for (const auto& kind : kinds) {
    const std::string packed = PackedZeros(600, kind.window);
    const long before = service_.StatusKib("VmHWM");
    RawHttp2 attacker = Connect();
    attacker.Send(
        RawHttp2::Preface() +
        RawHttp2::Frame(RawHttp2::kHeaders, RawHttp2::kEndHeaders, 1,
                        RawHttp2::CallFields(kPath) +
                            RawHttp2::Field("grpc-encoding", kind.name)));
    std::string message = "\x01";
    for (const int shift : {24, 16, 8, 0}) {
      message += static_cast<char>(packed.size() >> shift);
    }
    message += packed;
    for (std::size_t at = 0; at < message.size(); at += 16384) {
      const bool is_last = at + 16384 >= message.size();
      attacker.Send(
          RawHttp2::Frame(RawHttp2::kData, is_last ? RawHttp2::kEndStream : 0,
                          1, std::string_view(message).substr(at, 16384)));
    }
    // UNIMPLEMENTED, in the trailers.
    EXPECT_TRUE(attacker.ReadUntil("Compression algorithm")) << kind.name;
    ExpectServes();
    EXPECT_LT(service_.StatusKib("VmHWM") - before, 100 << 10) << kind.name;
  }
}

/// A message's head, and `size` bytes of it from `fill`.
std::string MessageOf(std::size_t size, std::string_view fill) {
  std::string message(1, '\0');
  for (const int shift : {24, 16, 8, 0}) {
    message += static_cast<char>(size >> shift);
  }
  while (message.size() < size + 5) message += fill;
  return message;
}

// Two bytes of an empty submessage become a hundred once they are parsed.
TEST_F(GrpcFrontendTest, ParsesNoMessageWithoutAToken) {
  const std::string message = MessageOf(8 << 20, "\x0a\x00\x0a\x00");
  for (const char* path :
       {kPath, "/vizier.VizierService/CreateStudy",
        "/vernier.v1.JobService/AddTrials", "/grpc.health.v1.Health/Check",
        "/no.such.Service/Method"}) {
    const long before = service_.StatusKib("VmHWM");
    RawHttp2 attacker = Connect();
    attacker.Send(RawHttp2::Preface() +
                  RawHttp2::Frame(RawHttp2::kHeaders, RawHttp2::kEndHeaders, 1,
                                  RawHttp2::CallFields(path)));
    bool is_open = true;
    for (std::size_t at = 0; at < message.size() && is_open; at += 16384) {
      const bool is_last = at + 16384 >= message.size();
      is_open = attacker.Send(
          RawHttp2::Frame(RawHttp2::kData, is_last ? RawHttp2::kEndStream : 0,
                          1, std::string_view(message).substr(at, 16384)));
    }
    ExpectServes();
    EXPECT_LT(service_.StatusKib("VmHWM") - before, 32 << 10) << path;
  }
}

// More connections than there may be, each with a call of which nothing comes
// but headers, or not even all of these.
TEST_F(GrpcFrontendTest, CallsThatAreHeldLockOutNobody) {
  const std::string fields =
      RawHttp2::CallFields("/grpc.health.v1.Health/Check");
  for (const bool is_whole : {true, false}) {
    const std::uint8_t flags = is_whole ? RawHttp2::kEndHeaders : 0;
    std::vector<RawHttp2> attackers;
    for (int i = 0; i < 1100; ++i) {
      attackers.push_back(Connect());
      attackers.back().Send(
          RawHttp2::Preface() +
          RawHttp2::Frame(RawHttp2::kHeaders, flags, 1,
                          i % 2 == 0 ? RawHttp2::CallFields(kPath) : fields));
    }
    for (int i = 0; i < 5; ++i) ExpectServes();
  }
}

// CVE-2023-1428: one of three fields, and then more than metadata may have.
TEST_F(GrpcFrontendTest, SurvivesTheHeadersThatAbortedOthers) {
  const std::string long_field =
      RawHttp2::Field("x-long", std::string(9 << 10, 'a'));
  const std::string usual = RawHttp2::Field(":method", "POST") +
                            RawHttp2::Field(":path", kPath) +
                            RawHttp2::Field(":authority", "here") +
                            RawHttp2::Field("content-type", "application/grpc");
  const std::string http = RawHttp2::Field(":scheme", "http");
  const std::string trailers = RawHttp2::Field("te", "trailers");
  for (const std::string& variant :
       {http + usual + RawHttp2::Field("te", "x"),
        RawHttp2::Field(":scheme", "x") + usual + trailers,
        http + usual + trailers +
            RawHttp2::Field("grpclb_client_stats", "x")}) {
    RawHttp2 attacker = Connect();
    attacker.Send(RawHttp2::Preface() +
                  RawHttp2::Frame(RawHttp2::kHeaders,
                                  RawHttp2::kEndHeaders | RawHttp2::kEndStream,
                                  1, variant + long_field));
    ExpectServes();
  }
}

}  // namespace
}  // namespace vernier

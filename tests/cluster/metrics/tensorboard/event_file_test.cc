#include "cluster/metrics/tensorboard/event_file.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tests/cluster/metrics/tensorboard/event_builder.h"

namespace vernier {
namespace {

using Texts = std::vector<std::string>;

const std::string& Version() {
  static const std::string version =
      Framed(DoubleField(1, 99) + BytesField(3, "brain.Event:2"));
  return version;
}

GrowingFileReading ReadAll(const std::string& bytes) {
  EventFileReader reader;
  return reader.Read(bytes);
}

// "loss=0.5@3" each.
Texts Points(const GrowingFileReading& reading) {
  Texts points;
  for (const Measurement& one : reading.measurements) {
    std::string value = std::to_string(one.value);
    value.erase(value.find_last_not_of('0') + 1);
    points.push_back(one.metric + "=" + value + "@" + std::to_string(one.step));
  }
  return points;
}

// What the writer of torch 1.13 wrote for add_scalar("loss", 0.5, 1).
TEST(EventFileTest, ReadsGoldenBytes) {
  const std::string bytes(
      "\x1a\x00\x00\x00\x00\x00\x00\x00\x12\x9b\xd8\x2d"
      "\x09\x00\x00\x00\x00\x00\x00\x59\x40\x10\x01"
      "\x2a\x0d\x0a\x0b\x0a\x04loss\x15\x00\x00\x00\x3f"
      "\xf2\x25\xf0\xd1",
      42);
  const auto reading = ReadAll(bytes);
  ASSERT_EQ(reading.measurements.size(), 1u);
  const Measurement& loss = reading.measurements[0];
  EXPECT_EQ(loss.metric, "loss");
  EXPECT_EQ(loss.value, 0.5);
  EXPECT_EQ(loss.step, 1);
  EXPECT_EQ(loss.reported_at, Timestamp(std::chrono::seconds(100)));
  EXPECT_TRUE(reading.problems.empty());
}

TEST(EventFileTest, ReadsSimpleValuesAndTensors) {
  const std::string scalar = VarintField(1, 1) + FloatField(5, 0.25F);
  const auto reading = ReadAll(
      Version() + Point("loss", 0.5F, 3) +
      Framed(EventOf(100, 4, TensorValue("accuracy", "scalars", scalar))) +
      // Writers leave the metadata out from the second value on.
      Framed(EventOf(100, 5, TensorValue("accuracy", "", scalar))));
  EXPECT_EQ(Points(reading),
            (Texts{"loss=0.5@3", "accuracy=0.25@4", "accuracy=0.25@5"}));
  EXPECT_TRUE(reading.problems.empty());
}

TEST(EventFileTest, KeepsValuesThatAreNotFinite) {
  const auto reading =
      ReadAll(Point("a", std::numeric_limits<float>::quiet_NaN(), 1) +
              Point("a", -std::numeric_limits<float>::infinity(), 2) +
              Point("a", 0, 3));
  ASSERT_EQ(reading.measurements.size(), 3u);
  EXPECT_TRUE(std::isnan(reading.measurements[0].value));
  EXPECT_EQ(reading.measurements[1].value,
            -std::numeric_limits<double>::infinity());
  EXPECT_EQ(reading.measurements[2].value, 0);
}

TEST(EventFileTest, IsOfStepZeroWithoutAStepAndKeepsNegativeOnes) {
  const std::string no_step =
      Framed(DoubleField(1, 100) +
             BytesField(5, BytesField(1, SimpleValue("rmse", 2))));
  EXPECT_EQ(Points(ReadAll(no_step + Point("rmse", 2, -1))),
            (Texts{"rmse=2.@0", "rmse=2.@-1"}));
}

TEST(EventFileTest, ReadsAFileWithoutVersionAndStepsInAnyOrder) {
  EXPECT_EQ(
      Points(ReadAll(Point("a", 1, 5) + Point("a", 2, 3) + Point("a", 3, 5))),
      (Texts{"a=1.@5", "a=2.@3", "a=3.@5"}));
}

TEST(EventFileTest, PassesOverWhatIsNoNumber) {
  const std::string text = VarintField(1, 7) + BytesField(8, "words");
  const std::string several =
      VarintField(1, 2) + BytesField(2, BytesField(2, VarintField(1, 3)));
  const std::string number = VarintField(1, 1) + FloatField(5, 1);
  const auto reading = ReadAll(
      Framed(EventOf(1, 1, TensorValue("a", "text", text))) +
      Framed(EventOf(1, 1, TensorValue("a", "histograms", several))) +
      Framed(EventOf(1, 1, TensorValue("a", "my_plugin", number))) +
      Framed(EventOf(1, 1, TensorValue("a", "", several))) +
      Framed(EventOf(1, 1, BytesField(1, "a") + BytesField(5, "histogram"))) +
      Framed(DoubleField(1, 1) + BytesField(4, "graph")) +
      Framed(EventOf(1, 1, SimpleValue("a", 1)) + VarintField(900, 1) +
             BytesField(901, "unknown")));
  EXPECT_EQ(Points(reading), Texts{"a=1.@1"});
  EXPECT_TRUE(reading.problems.empty());
}

TEST(EventFileTest, NamesAScalarThatIsNoNumber) {
  const std::string several =
      VarintField(1, 2) + BytesField(2, BytesField(2, VarintField(1, 3)));
  EXPECT_EQ(
      ReadAll(Framed(EventOf(1, 1, TensorValue("a", "scalars", several))))
          .problems,
      Texts{"the value of \"a\" in an event is a tensor that has not exactly "
            "one element"});
}

TEST(EventFileTest, DropsLightningsPlaceholder) {
  const auto reading =
      ReadAll(Point("hp_metric", -1, 0) + Point("hp_metric", -1, 1) +
              Point("hp_metric", 0.5F, 0));
  EXPECT_EQ(Points(reading), (Texts{"hp_metric=-1.@1", "hp_metric=0.5@0"}));
}

TEST(EventFileTest, TellsWhereTheProgramBeganAgain) {
  const std::string restart = Framed(DoubleField(1, 100) + VarintField(2, 7) +
                                     BytesField(7, VarintField(1, 1)));
  const std::string checkpoint =
      Framed(DoubleField(1, 100) + VarintField(2, 8) +
             BytesField(7, VarintField(1, 3)));
  const auto reading = ReadAll(Point("a", 1, 7) + Point("a", 1, 8) + restart +
                               Point("a", 2, 7) + checkpoint);
  ASSERT_EQ(reading.restarts.size(), 1u);
  EXPECT_EQ(reading.restarts[0].before, 2u);
  EXPECT_EQ(reading.restarts[0].from_step, 7);
  EXPECT_EQ(reading.measurements.size(), 3u);
}

TEST(EventFileTest, ReadsAFileThatGrowsByAnyPieces) {
  const std::string file = Version() + Point("a", 1, 1) + Point("b", 2, 2);
  for (std::size_t first = 0; first <= file.size(); ++first) {
    EventFileReader reader;
    Texts points = Points(reader.Read(file.substr(0, first)));
    ASSERT_LE(reader.offset(), first);
    const auto rest = reader.Read(file.substr(reader.offset()));
    EXPECT_TRUE(rest.problems.empty());
    for (const std::string& point : Points(rest)) points.push_back(point);
    EXPECT_EQ(points, (Texts{"a=1.@1", "b=2.@2"})) << first;
    EXPECT_EQ(reader.offset(), file.size());
    EXPECT_TRUE(reader.Read("").measurements.empty());
  }
}

TEST(EventFileTest, SkipsARecordWhoseDataAreDamaged) {
  std::string damaged = Point("a", 1, 1);
  damaged[20] ^= 1;
  const auto reading = ReadAll(Version() + damaged + Point("a", 2, 2));
  EXPECT_EQ(Points(reading), Texts{"a=2.@2"});
  EXPECT_EQ(reading.problems,
            Texts{"the record at byte 40 of the event file does not fit its "
                  "checksum; it is skipped"});
}

TEST(EventFileTest, SkipsARecordThatIsNoEvent) {
  const std::string value = BytesField(5, BytesField(1, "\xff"));
  for (const std::string& data :
       {std::string("\xff\xff"), value, BytesField(5, "\x0a\x09"),
        BytesField(7, "\xff"),
        BytesField(5,
                   BytesField(1, BytesField(9, "\xff") + BytesField(8, "")))}) {
    const auto reading = ReadAll(Framed(data) + Point("a", 2, 2));
    EXPECT_EQ(Points(reading), Texts{"a=2.@2"});
    EXPECT_EQ(reading.problems,
              Texts{"the record at byte 0 of the event file is not an event; "
                    "it is skipped"});
  }
}

TEST(EventFileTest, EndsWhereALengthIsDamaged) {
  std::string damaged = Point("a", 2, 2);
  damaged[8] ^= 1;
  EventFileReader reader;
  const std::string file = Point("a", 1, 1) + damaged + Point("a", 3, 3);
  const auto reading = reader.Read(file);
  EXPECT_EQ(Points(reading), Texts{"a=1.@1"});
  EXPECT_EQ(reading.problems,
            Texts{"the event file is damaged from byte 39 on and not read any "
                  "further"});
  EXPECT_TRUE(reader.is_damaged());
  EXPECT_TRUE(reader.Read(file.substr(39)).problems.empty());
  EXPECT_EQ(reader.offset(), 39u);
}

TEST(EventFileTest, DoesNotBelieveALengthBeyondAnyFile) {
  for (const std::uint64_t size : {~std::uint64_t{0}, ~std::uint64_t{0} - 20,
                                   (std::uint64_t{1} << 48) + 1}) {
    const std::string length = Fixed(size, 8);
    EventFileReader reader;
    reader.Read(length + MaskedCrcOf(length) + "data");
    EXPECT_TRUE(reader.is_damaged()) << size;
  }
}

TEST(EventFileTest, SkipsLongRecordsWithoutReadingThem) {
  const std::uint64_t size = kMaxEventRecord + 1;
  const std::string length = Fixed(size, 8);
  const std::string head = length + MaskedCrcOf(length) + DoubleField(1, 1);
  EventFileReader reader;
  const auto graph = reader.Read(Point("a", 1, 1) + head + "\x22");
  EXPECT_EQ(Points(graph), Texts{"a=1.@1"});
  EXPECT_TRUE(graph.problems.empty());
  EXPECT_EQ(reader.offset(), 39 + 16 + size);
  EXPECT_EQ(Points(reader.Read(Point("a", 2, 2))), Texts{"a=2.@2"});

  EXPECT_EQ(ReadAll(head + VarintField(2, 5) + "\x2a").problems,
            Texts{"the record at byte 0 of the event file has 8388609 bytes, "
                  "and at most 8388608 are read"});
}

TEST(EventFileTest, ReadsARecordOfTheGreatestLength) {
  const std::string point = EventOf(1, 1, SimpleValue("a", 1));
  const std::string padded =
      point +
      BytesField(900, std::string(kMaxEventRecord - point.size() - 6, 'x'));
  ASSERT_EQ(padded.size(), kMaxEventRecord);
  const std::string file = Framed(padded);
  ASSERT_EQ(file.size(), kEventReadSize);
  EXPECT_EQ(Points(ReadAll(file)), Texts{"a=1.@1"});
}

TEST(EventFileTest, RefusesNamesThatCannotBe) {
  const auto problems = [](const std::string& tag) {
    return ReadAll(Point(tag, 1, 1)).problems;
  };
  EXPECT_EQ(ReadAll(Point(std::string(kMaxMetricName, 'a'), 1, 1))
                .measurements.size(),
            1u);
  EXPECT_EQ(problems(""), Texts{"a metric in the event file has no name"});
  const std::string long_name(kMaxMetricName + 1, 'a');
  EXPECT_EQ(problems(long_name),
            Texts{"the name of a metric in the event file must have at most "
                  "256 bytes: 257 in \"" +
                  std::string(80, 'a') + "...\""});
  EXPECT_EQ(problems("ab\xff"),
            Texts{"the name of a metric in the event file is not UTF-8 from "
                  "byte 2 on: \"ab\""});
}

TEST(EventFileTest, BoundsTheMetricsOfAnEventAndOfAReading) {
  std::string values;
  for (std::size_t i = 0; i <= kMaxMetricsOfRecord; ++i) {
    values += BytesField(1, SimpleValue("m" + std::to_string(i), 1));
  }
  const std::string event = Framed(BytesField(5, values));
  const auto one = ReadAll(event);
  EXPECT_EQ(one.measurements.size(), kMaxMetricsOfRecord);
  EXPECT_EQ(one.problems,
            Texts{"an event has more than 1000 metrics; the others are left "
                  "out"});

  std::string file;
  for (int i = 0; i < 12; ++i) file += event;
  EventFileReader reader;
  const auto first = reader.Read(file);
  EXPECT_EQ(first.measurements.size(), kMaxMeasurementsOfReading);
  EXPECT_TRUE(first.has_more);
  const auto second = reader.Read(file.substr(reader.offset()));
  EXPECT_EQ(second.measurements.size(), 2 * kMaxMetricsOfRecord);
  EXPECT_FALSE(second.has_more);
}

TEST(EventFileTest, NamesATimeThatIsNone) {
  const auto reading =
      ReadAll(Point("a", 1, 1, std::numeric_limits<double>::quiet_NaN()));
  ASSERT_EQ(reading.measurements.size(), 1u);
  EXPECT_EQ(reading.measurements[0].reported_at, Timestamp{});
  EXPECT_EQ(reading.problems,
            Texts{"the time of the event at byte 0 is not a number of "
                  "seconds: nan"});
}

TEST(EventFileTest, KnowsTheVersionThatAFileGivesItself) {
  for (const auto& [text, version] :
       {std::pair<std::string, int>{"brain.Event:2", 2},
        {"brain.Event:1", 1},
        {"brain.Event:x", 0},
        {"", 0}}) {
    EventFileReader reader;
    EXPECT_EQ(reader.file_version(), 0);
    reader.Read(Framed(BytesField(3, text)) + Point("a", 1, 7));
    EXPECT_EQ(reader.file_version(), version) << text;
  }
}

// It could not be told what came before.
TEST(EventFileTest, IgnoresARestartWithoutATime) {
  const std::string restart = BytesField(7, VarintField(1, 1));
  EXPECT_TRUE(ReadAll(Framed(DoubleField(1, NAN) + restart)).restarts.empty());
}

TEST(EventFileTest, KnowsItsFilesByName) {
  EXPECT_TRUE(IsEventFileName("events.out.tfevents.1700000000.host.12.0.v2"));
  EXPECT_TRUE(IsEventFileName("events.out.tfevents"));
  EXPECT_FALSE(IsEventFileName("events.log"));
}

TEST(EventFileTest, SurvivesAnyBytes) {
  constexpr unsigned kSeed = 5;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 rng(kSeed);
  const std::string tensor = VarintField(1, 2) +
                             BytesField(2, BytesField(2, VarintField(1, 1))) +
                             BytesField(6, Fixed(1, 8));
  const std::string good = EventOf(1, 2, TensorValue("a", "scalars", tensor)) +
                           BytesField(7, VarintField(1, 1));
  for (int i = 0; i < 3000; ++i) {
    std::string data = good;
    for (unsigned k = rng() % 4 + 1; k > 0; --k) {
      data[rng() % data.size()] = static_cast<char>(rng());
    }
    EXPECT_LE(ReadAll(Framed(data) + Framed(good)).measurements.size(), 40u);
  }
}

}  // namespace
}  // namespace vernier

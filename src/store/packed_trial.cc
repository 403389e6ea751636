#include "store/packed_trial.h"

#include <chrono>
#include <utility>

#include "store/packed_bytes.h"

namespace vernier {
namespace {

// The packed form is a Header of fixed size, then the parameters, then the rest
// in the order of PackTrial. The fields that a TrialBrief needs are in the
// Header, where they are read without decoding, and bits say which optional
// parts follow. Whole numbers are variable in length, and texts that trials
// share are numbers in the NameTable.

constexpr std::size_t kNonceDigits = 32;
constexpr std::string_view kDigits = "0123456789abcdef";

// The bits for the optional parts of a trial.
enum Part : std::uint32_t {
  kStarted = 1u << 0,
  kEnded = 1u << 1,
  kFinal = 1u << 2,
  kLast = 1u << 3,
  kBest = 1u << 4,
  kDeleted = 1u << 5,
  kRecord = 1u << 6,
  kRoad = 1u << 7,
  kFinalReport = 1u << 8,
  kFiniteReport = 1u << 9,
  kClientsPart = 1u << 10,
  kNotFiniteLast = 1u << 11,
};

// The bits for the optional parts of an attempt.
enum AttemptPart : std::uint8_t {
  kHexNonce = 1u << 0,
  kKillWanted = 1u << 1,
  kRunning = 1u << 2,
  kAttemptEnded = 1u << 3,
  kExitCode = 1u << 4,
  kSignal = 1u << 5,
};

// The bits for the optional parts of a suggestion's record.
enum RecordPart : std::uint8_t {
  kPrediction = 1u << 0,
  kAcquisition = 1u << 1,
  kMilliseconds = 1u << 2,
  kStoppedPart = 1u << 3,
  kRepeat = 1u << 4,
  kSuccessProbability = 1u << 5,
  kLearnedFrom = 1u << 6,
  kFollowsBeliefs = 1u << 7,
};

// The beginning of a packed trial: the fields of a TrialBrief, at fixed places.
struct Header {
  std::int64_t id;
  std::int64_t created_at;
  std::int64_t started_at;
  std::int64_t ended_at;
  std::int64_t final_step;
  double final_value;
  std::int64_t last_step;
  double last_value;
  std::uint32_t parts;  // Of Part.
  std::int32_t code_version;
  std::uint8_t state;
  std::uint8_t end_cause;
};

std::int64_t Micros(Timestamp time) { return time.time_since_epoch().count(); }

Timestamp TimeOf(std::int64_t micros) {
  return Timestamp(std::chrono::microseconds(micros));
}

std::uint32_t If(bool is_there, std::uint32_t part) {
  return is_there ? part : 0;
}

bool HasClientsPart(const TrialRecord& trial) {
  return !trial.brought.empty() || !trial.client_id.empty() ||
         !trial.metadata.empty() || !trial.metric_problems.empty();
}

Header HeaderOf(const TrialRecord& trial) {
  const TrialBrief brief = BriefOf(trial);
  const FinalMeasurement none;
  const FinalMeasurement& final = brief.final_measurement.value_or(none);
  const FinalMeasurement& last = brief.last.value_or(none);
  // Nobody compares the padding, but it must have a defined value.
  Header header{};
  header.id = ToInt(brief.id);
  header.created_at = Micros(brief.created_at);
  header.started_at = Micros(brief.started_at.value_or(Timestamp()));
  header.ended_at = Micros(brief.ended_at.value_or(Timestamp()));
  header.final_step = final.step;
  header.final_value = final.value;
  header.last_step = last.step;
  header.last_value = last.value;
  header.code_version = brief.code_version;
  header.state = static_cast<std::uint8_t>(brief.state);
  header.end_cause = static_cast<std::uint8_t>(brief.end_cause);
  header.parts =
      If(brief.started_at.has_value(), kStarted) |
      If(brief.ended_at.has_value(), kEnded) |
      If(brief.final_measurement.has_value(), kFinal) |
      If(brief.last.has_value(), kLast) |
      If(trial.objective.best.has_value(), kBest) |
      If(brief.is_deleted, kDeleted) |
      If(trial.origin.record.has_value(), kRecord) |
      If(trial.objective.road.has_value(), kRoad) |
      If(trial.final_report.has_value(), kFinalReport) |
      If(brief.has_finite_report, kFiniteReport) |
      If(HasClientsPart(trial), kClientsPart) |
      If(trial.objective.not_finite_last.has_value(), kNotFiniteLast);
  return header;
}

TrialBrief BriefOf(const Header& header) {
  TrialBrief brief;
  brief.id = TrialId{header.id};
  brief.state = static_cast<TrialState>(header.state);
  brief.end_cause = static_cast<TrialEndCause>(header.end_cause);
  brief.is_deleted = (header.parts & kDeleted) != 0;
  brief.has_finite_report = (header.parts & kFiniteReport) != 0;
  brief.code_version = header.code_version;
  brief.created_at = TimeOf(header.created_at);
  if (header.parts & kStarted) brief.started_at = TimeOf(header.started_at);
  if (header.parts & kEnded) brief.ended_at = TimeOf(header.ended_at);
  if (header.parts & kFinal) {
    brief.final_measurement = {header.final_step, header.final_value};
  }
  if (header.parts & kLast) brief.last = {header.last_step, header.last_value};
  return brief;
}

// Functions for the parameters.

void Pack(const Parameters& parameters, PackedWriter* writer) {
  writer->Size(parameters.size());
  for (const NamedValue& parameter : parameters) {
    writer->Name(parameter.name);
    writer->Raw(static_cast<std::uint8_t>(parameter.value.index()));
    if (const auto* number = std::get_if<double>(&parameter.value)) {
      writer->Raw(*number);
    } else if (const auto* whole =
                   std::get_if<std::int64_t>(&parameter.value)) {
      writer->Number(*whole);
    } else {
      writer->Name(std::get<std::string>(parameter.value));
    }
  }
}

ParameterView UnpackValue(PackedReader* reader) {
  switch (reader->Raw<std::uint8_t>()) {
    case 0:
      return reader->Raw<double>();
    case 1:
      return reader->Number();
    default:
      return reader->Name();
  }
}

Parameters UnpackParameters(PackedReader* reader) {
  Parameters parameters;
  const std::size_t count = reader->Size();
  parameters.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    NamedValue& parameter = parameters.emplace_back();
    parameter.name = reader->Name();
    const ParameterView value = UnpackValue(reader);
    if (const auto* text = std::get_if<std::string_view>(&value)) {
      parameter.value.emplace<std::string>(*text);
    } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
      parameter.value = *whole;
    } else {
      parameter.value = std::get<double>(value);
    }
  }
  return parameters;
}

// Functions for the record of how the parameters came to be.

void Pack(const SuggestionRecord& record, PackedWriter* writer) {
  writer->Raw(static_cast<std::uint8_t>(record.method));
  writer->Raw(static_cast<std::uint8_t>(
      If(record.prediction.has_value(), kPrediction) |
      If(record.acquisition.has_value(), kAcquisition) |
      If(record.milliseconds.has_value(), kMilliseconds) |
      If(record.stopped_part.has_value(), kStoppedPart) |
      If(record.success_probability.has_value(), kSuccessProbability) |
      If(!record.learned_from.empty(), kLearnedFrom) |
      If(record.follows_beliefs, kFollowsBeliefs) |
      If(record.repeat.has_value(), kRepeat)));
  writer->Number(record.num_completed);
  writer->Number(record.num_pending);
  writer->Number(record.num_fitted);
  if (record.prediction.has_value()) writer->Raw(*record.prediction);
  if (record.acquisition.has_value()) writer->Raw(*record.acquisition);
  if (record.milliseconds.has_value()) writer->Raw(*record.milliseconds);
  if (record.stopped_part.has_value()) writer->Raw(*record.stopped_part);
  if (record.success_probability.has_value()) {
    writer->Raw(*record.success_probability);
  }
  if (!record.learned_from.empty()) {
    writer->Size(record.learned_from.size());
    for (const std::string& name : record.learned_from) writer->Name(name);
  }
  if (record.repeat.has_value()) {
    writer->Number(record.repeat->trial);
    writer->Number(record.repeat->number);
    writer->Number(record.repeat->wanted);
  }
  if (record.method == SuggestionMethod::kProposal) {
    writer->Name(record.source);
  }
  writer->Name(record.fallback);
  writer->Name(record.instruction_set);
}

SuggestionRecord UnpackRecord(PackedReader* reader) {
  SuggestionRecord record;
  record.method = static_cast<SuggestionMethod>(reader->Raw<std::uint8_t>());
  const auto parts = reader->Raw<std::uint8_t>();
  record.num_completed = reader->Number();
  record.num_pending = reader->Number();
  record.num_fitted = reader->Number();
  if (parts & kPrediction) record.prediction = reader->Raw<Prediction>();
  if (parts & kAcquisition) record.acquisition = reader->Raw<double>();
  if (parts & kMilliseconds) record.milliseconds = reader->Raw<double>();
  if (parts & kStoppedPart) record.stopped_part = reader->Raw<double>();
  if (parts & kSuccessProbability) {
    record.success_probability = reader->Raw<double>();
  }
  if (parts & kLearnedFrom) {
    record.learned_from.resize(reader->Size());
    for (std::string& name : record.learned_from) name = reader->Name();
  }
  if (parts & kRepeat) {
    PointRepeat& repeat = record.repeat.emplace();
    repeat.trial = reader->Number();
    repeat.number = static_cast<int>(reader->Number());
    repeat.wanted = static_cast<int>(reader->Number());
  }
  record.follows_beliefs = (parts & kFollowsBeliefs) != 0;
  if (record.method == SuggestionMethod::kProposal) {
    record.source = reader->Name();
  }
  record.fallback = reader->Name();
  record.instruction_set = reader->Name();
  return record;
}

// Functions for the attempts. Times are stored as differences from the trial's
// creation, which are short.

bool IsHexNonce(std::string_view nonce) {
  return nonce.size() == kNonceDigits &&
         nonce.find_first_not_of(kDigits) == std::string_view::npos;
}

void PackHex(std::string_view nonce, PackedWriter* writer) {
  for (std::size_t i = 0; i < nonce.size(); i += 2) {
    writer->Raw(static_cast<std::uint8_t>(kDigits.find(nonce[i]) << 4 |
                                          kDigits.find(nonce[i + 1])));
  }
}

std::string UnpackHex(PackedReader* reader) {
  std::string nonce;
  nonce.reserve(kNonceDigits);
  while (nonce.size() < kNonceDigits) {
    const auto byte = reader->Raw<std::uint8_t>();
    nonce += kDigits[byte >> 4];
    nonce += kDigits[byte & 0xf];
  }
  return nonce;
}

void Pack(const AttemptRecord& attempt, Timestamp before,
          PackedWriter* writer) {
  // The difference is unsigned, so that no pair of times overflows.
  const auto put_time = [&](Timestamp time) {
    writer->Number(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(Micros(time)) -
                                  static_cast<std::uint64_t>(Micros(before))));
  };
  const bool is_hex = IsHexNonce(attempt.nonce);
  writer->Number(attempt.number);
  writer->Raw(static_cast<std::uint8_t>(
      If(is_hex, kHexNonce) | If(attempt.kill_wanted, kKillWanted) |
      If(attempt.running_at.has_value(), kRunning) |
      If(attempt.ended_at.has_value(), kAttemptEnded) |
      If(attempt.exit_code.has_value(), kExitCode) |
      If(attempt.signal.has_value(), kSignal)));
  is_hex ? PackHex(attempt.nonce, writer) : writer->Text(attempt.nonce);
  writer->Raw(static_cast<std::uint8_t>(attempt.state));
  writer->Raw(static_cast<std::uint8_t>(attempt.kill_cause));
  writer->Raw(static_cast<std::uint8_t>(attempt.end_cause));
  writer->Number(attempt.code_version);
  writer->Size(attempt.devices.size());
  for (const DeviceId& device : attempt.devices) writer->Name(device);
  put_time(attempt.intended_at);
  if (attempt.running_at.has_value()) put_time(*attempt.running_at);
  if (attempt.ended_at.has_value()) put_time(*attempt.ended_at);
  if (attempt.exit_code.has_value()) writer->Number(*attempt.exit_code);
  if (attempt.signal.has_value()) writer->Number(*attempt.signal);
  writer->Text(attempt.message);
  writer->Number(attempt.lasted.count());
}

AttemptRecord UnpackAttempt(Timestamp before, PackedReader* reader) {
  const auto take_time = [&] {
    return TimeOf(static_cast<std::int64_t>(
        static_cast<std::uint64_t>(Micros(before)) +
        static_cast<std::uint64_t>(reader->Number())));
  };
  AttemptRecord attempt;
  attempt.number = static_cast<int>(reader->Number());
  const auto parts = reader->Raw<std::uint8_t>();
  attempt.nonce =
      parts & kHexNonce ? UnpackHex(reader) : std::string(reader->Text());
  attempt.kill_wanted = (parts & kKillWanted) != 0;
  attempt.state = static_cast<AttemptState>(reader->Raw<std::uint8_t>());
  attempt.kill_cause = static_cast<TrialEndCause>(reader->Raw<std::uint8_t>());
  attempt.end_cause = static_cast<TrialEndCause>(reader->Raw<std::uint8_t>());
  attempt.code_version = static_cast<int>(reader->Number());
  attempt.devices.resize(reader->Size());
  for (DeviceId& device : attempt.devices) device = reader->Name();
  attempt.intended_at = take_time();
  if (parts & kRunning) attempt.running_at = take_time();
  if (parts & kAttemptEnded) attempt.ended_at = take_time();
  if (parts & kExitCode) attempt.exit_code = static_cast<int>(reader->Number());
  if (parts & kSignal) attempt.signal = static_cast<int>(reader->Number());
  attempt.message = reader->Text();
  attempt.lasted = std::chrono::microseconds(reader->Number());
  return attempt;
}

// Functions for the reported metrics. `last`, and the bit for the source, are
// in the header.

void Pack(const MetricSummary& objective, PackedWriter* writer) {
  if (objective.road.has_value()) {
    writer->Raw(static_cast<std::uint8_t>(*objective.road));
  }
  writer->Number(objective.last_attempt);
  writer->Number(Micros(objective.last_reported_at));
  if (objective.best.has_value()) writer->Raw(*objective.best);
  if (objective.not_finite_last.has_value()) {
    writer->Raw(*objective.not_finite_last);
  }
  writer->Number(objective.finite_count);
  writer->Number(objective.not_finite_count);
}

MetricSummary UnpackObjective(const Header& header, PackedReader* reader) {
  MetricSummary objective;
  if (header.parts & kRoad) {
    objective.road = static_cast<MetricRoad>(reader->Raw<std::uint8_t>());
  }
  objective.last_attempt = static_cast<int>(reader->Number());
  objective.last_reported_at = TimeOf(reader->Number());
  if (header.parts & kBest) objective.best = reader->Raw<FinalMeasurement>();
  if (header.parts & kNotFiniteLast) {
    objective.not_finite_last = reader->Raw<MetricSummary::NotFinite>();
  }
  objective.finite_count = reader->Number();
  objective.not_finite_count = reader->Number();
  return objective;
}

void Pack(const MetricReport& report, PackedWriter* writer) {
  writer->Number(report.step);
  writer->Number(report.elapsed.count());
  writer->Size(report.metrics.size());
  for (const MetricValue& metric : report.metrics) {
    writer->Name(metric.metric);
    writer->Raw(metric.value);
  }
}

MetricReport UnpackReport(PackedReader* reader) {
  MetricReport report;
  report.step = reader->Number();
  report.elapsed = std::chrono::microseconds(reader->Number());
  report.metrics.resize(reader->Size());
  for (MetricValue& metric : report.metrics) {
    metric.metric = reader->Name();
    metric.value = reader->Raw<double>();
  }
  return report;
}

// Functions for the parts that few trials have.

void PackClientsPart(const TrialRecord& trial, PackedWriter* writer) {
  writer->Size(trial.metric_problems.size());
  for (const std::string& problem : trial.metric_problems) {
    writer->Text(problem);
  }
  writer->Size(trial.brought.size());
  for (const MetricReport& report : trial.brought) Pack(report, writer);
  writer->Text(trial.client_id);
  writer->Size(trial.metadata.size());
  for (const auto& [key, value] : trial.metadata) {
    writer->Text(key.first);
    writer->Text(key.second);
    writer->Raw(value.is_text);
    writer->Text(value.value);
  }
}

void UnpackClientsPart(PackedReader* reader, TrialRecord* trial) {
  trial->metric_problems.resize(reader->Size());
  for (std::string& problem : trial->metric_problems) problem = reader->Text();
  trial->brought.resize(reader->Size());
  for (MetricReport& report : trial->brought) report = UnpackReport(reader);
  trial->client_id = reader->Text();
  for (std::size_t left = reader->Size(); left > 0; --left) {
    MetadataKey key;
    key.first = reader->Text();
    key.second = reader->Text();
    MetadataValue value;
    value.is_text = reader->Raw<bool>();
    value.value = reader->Text();
    trial->metadata.emplace(std::move(key), std::move(value));
  }
}

Header HeaderAt(const char* packed) {
  Header header;
  std::memcpy(&header, packed, sizeof(header));
  return header;
}

}  // namespace

// Writes in the order that UnpackTrial reads. The parameters come first, so
// that FindParameter finds them without reading the rest.
void PackTrial(const TrialRecord& trial,
               std::shared_ptr<const NameTable>* names, std::string* bytes) {
  PackedWriter writer(names, bytes);
  writer.Raw(HeaderOf(trial));
  Pack(trial.parameters, &writer);
  writer.Name(trial.origin.suggester);
  writer.Number(ToInt(trial.origin.seen_events));
  if (trial.origin.record.has_value()) Pack(*trial.origin.record, &writer);
  writer.Size(trial.attempts.size());
  for (const AttemptRecord& attempt : trial.attempts) {
    Pack(attempt, trial.created_at, &writer);
  }
  Pack(trial.objective, &writer);
  writer.Size(trial.metrics_seen.size());
  for (const SeenMetric& metric : trial.metrics_seen) {
    writer.Name(metric.name);
    writer.Raw(static_cast<std::uint8_t>(metric.road));
  }
  writer.Text(trial.message);
  if (trial.final_report.has_value()) Pack(*trial.final_report, &writer);
  if (IsDeleted(trial)) writer.Number(Micros(*trial.deleted_at));
  if (HasClientsPart(trial)) PackClientsPart(trial, &writer);
}

TrialRecord UnpackTrial(const char* packed, const NameTable& names) {
  const Header header = HeaderAt(packed);
  const TrialBrief brief = BriefOf(header);
  TrialRecord trial;
  trial.id = brief.id;
  trial.state = brief.state;
  trial.end_cause = brief.end_cause;
  trial.created_at = brief.created_at;
  trial.started_at = brief.started_at;
  trial.ended_at = brief.ended_at;
  trial.final_measurement = brief.final_measurement;
  PackedReader reader(packed + sizeof(header), names);
  trial.parameters = UnpackParameters(&reader);
  trial.origin.suggester = reader.Name();
  trial.origin.seen_events = EventSequence{reader.Number()};
  if (header.parts & kRecord) trial.origin.record = UnpackRecord(&reader);
  const std::size_t attempts = reader.Size();
  trial.attempts.reserve(attempts);
  for (std::size_t i = 0; i < attempts; ++i) {
    trial.attempts.push_back(UnpackAttempt(trial.created_at, &reader));
  }
  trial.objective = UnpackObjective(header, &reader);
  trial.objective.last = brief.last;
  trial.metrics_seen.resize(reader.Size());
  for (SeenMetric& metric : trial.metrics_seen) {
    metric.name = reader.Name();
    metric.road = static_cast<MetricRoad>(reader.Raw<std::uint8_t>());
  }
  trial.message = reader.Text();
  if (header.parts & kFinalReport) trial.final_report = UnpackReport(&reader);
  if (header.parts & kDeleted) trial.deleted_at = TimeOf(reader.Number());
  if (header.parts & kClientsPart) UnpackClientsPart(&reader, &trial);
  return trial;
}

TrialBrief UnpackBrief(const char* packed) { return BriefOf(HeaderAt(packed)); }

Parameters UnpackParameters(const char* packed, const NameTable& names) {
  PackedReader reader(packed + sizeof(Header), names);
  return UnpackParameters(&reader);
}

std::optional<ParameterView> FindParameter(const char* packed,
                                           const NameTable& names,
                                           std::string_view name) {
  PackedReader reader(packed + sizeof(Header), names);
  for (std::size_t left = reader.Size(); left > 0; --left) {
    const bool is_it = reader.Name() == name;
    const ParameterView value = UnpackValue(&reader);
    if (is_it) return value;
  }
  return std::nullopt;
}

}  // namespace vernier

#include "store/packed_trial.h"

#include <chrono>
#include <utility>

#include "store/packed_bytes.h"

namespace vernier {
namespace {

// The packed form is a Header of fixed size, then the parameters, then the rest
// in the order of VisitRest. The fields that a TrialBrief needs are in the
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
  writer->List(parameters, [&](const NamedValue& parameter) {
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
  });
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
  reader->List(parameters, [&](NamedValue& parameter) {
    reader->Name(parameter.name);
    const ParameterView value = UnpackValue(reader);
    if (const auto* text = std::get_if<std::string_view>(&value)) {
      parameter.value.emplace<std::string>(*text);
    } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
      parameter.value = *whole;
    } else {
      parameter.value = std::get<double>(value);
    }
  });
  return parameters;
}

// Each of these templates names the fields of a record in the order in which
// they are packed. The archive is a PackedWriter or a PackedReader, and the
// record is constant or, for the reader, new.

template <typename Archive, typename Record>
void VisitSuggestion(Archive& archive, Record& record) {
  bool has_learned = !record.learned_from.empty();
  archive.Choice(record.method);
  archive.Parts(record.prediction, record.acquisition, record.milliseconds,
                record.stopped_part, record.repeat, record.success_probability,
                has_learned, record.follows_beliefs);
  archive.Number(record.num_completed);
  archive.Number(record.num_pending);
  archive.Number(record.num_fitted);
  if (record.prediction.has_value()) archive.Raw(*record.prediction);
  if (record.acquisition.has_value()) archive.Raw(*record.acquisition);
  if (record.milliseconds.has_value()) archive.Raw(*record.milliseconds);
  if (record.stopped_part.has_value()) archive.Raw(*record.stopped_part);
  if (record.success_probability.has_value()) {
    archive.Raw(*record.success_probability);
  }
  if (has_learned) {
    archive.List(record.learned_from, [&](auto& name) { archive.Name(name); });
  }
  if (record.repeat.has_value()) {
    archive.Number(record.repeat->trial);
    archive.Number(record.repeat->number);
    archive.Number(record.repeat->wanted);
  }
  if (record.method == SuggestionMethod::kProposal) archive.Name(record.source);
  archive.Name(record.fallback);
  archive.Name(record.instruction_set);
}

bool IsHexNonce(std::string_view nonce) {
  return nonce.size() == kNonceDigits &&
         nonce.find_first_not_of(kDigits) == std::string_view::npos;
}

void VisitHexNonce(PackedWriter& writer, std::string_view nonce) {
  for (std::size_t i = 0; i < nonce.size(); i += 2) {
    writer.Raw(static_cast<std::uint8_t>(kDigits.find(nonce[i]) << 4 |
                                         kDigits.find(nonce[i + 1])));
  }
}

void VisitHexNonce(PackedReader& reader, std::string& nonce) {
  nonce.reserve(kNonceDigits);
  while (nonce.size() < kNonceDigits) {
    const auto byte = reader.Raw<std::uint8_t>();
    nonce += kDigits[byte >> 4];
    nonce += kDigits[byte & 0xf];
  }
}

// Times are stored as differences from the trial's creation, which are short.
template <typename Archive, typename Attempt>
void VisitAttempt(Archive& archive, Attempt& attempt, Timestamp created_at) {
  bool is_hex = IsHexNonce(attempt.nonce);
  archive.Number(attempt.number);
  archive.Parts(is_hex, attempt.kill_wanted, attempt.running_at,
                attempt.ended_at, attempt.exit_code, attempt.signal);
  is_hex ? VisitHexNonce(archive, attempt.nonce) : archive.Text(attempt.nonce);
  archive.Choice(attempt.state);
  archive.Choice(attempt.kill_cause);
  archive.Choice(attempt.end_cause);
  archive.Number(attempt.code_version);
  archive.List(attempt.devices, [&](auto& device) { archive.Name(device); });
  archive.Time(attempt.intended_at, created_at);
  if (attempt.running_at) archive.Time(*attempt.running_at, created_at);
  if (attempt.ended_at) archive.Time(*attempt.ended_at, created_at);
  if (attempt.exit_code) archive.Number(*attempt.exit_code);
  if (attempt.signal) archive.Number(*attempt.signal);
  archive.Text(attempt.message);
  archive.Number(attempt.lasted);
}

// `last` is in the header.
template <typename Archive, typename Summary>
void VisitObjective(Archive& archive, Summary& objective) {
  if (objective.road.has_value()) archive.Choice(*objective.road);
  archive.Number(objective.last_attempt);
  archive.Time(objective.last_reported_at);
  if (objective.best.has_value()) archive.Raw(*objective.best);
  if (objective.not_finite_last.has_value()) {
    archive.Raw(*objective.not_finite_last);
  }
  archive.Number(objective.finite_count);
  archive.Number(objective.not_finite_count);
}

template <typename Archive, typename Report>
void VisitReport(Archive& archive, Report& report) {
  archive.Number(report.step);
  archive.Number(report.elapsed);
  archive.List(report.metrics, [&](auto& metric) {
    archive.Name(metric.metric);
    archive.Raw(metric.value);
  });
}

// The parts that few trials have.
template <typename Archive, typename Trial>
void VisitClientsPart(Archive& archive, Trial& trial) {
  archive.List(trial.metric_problems,
               [&](auto& problem) { archive.Text(problem); });
  archive.List(trial.brought,
               [&](auto& report) { VisitReport(archive, report); });
  archive.Text(trial.client_id);
  archive.List(trial.metadata, [&](auto& item) {
    archive.Text(item.first.first);
    archive.Text(item.first.second);
    archive.Raw(item.second.is_text);
    archive.Text(item.second.value);
  });
}

// All that follows the parameters. The header says which of the optional parts
// are there.
template <typename Archive, typename Trial>
void VisitRest(Archive& archive, Trial& trial, std::uint32_t parts) {
  archive.Name(trial.origin.suggester);
  archive.Number(trial.origin.seen_events);
  if (parts & kRecord) VisitSuggestion(archive, *trial.origin.record);
  archive.List(trial.attempts, [&](auto& attempt) {
    VisitAttempt(archive, attempt, trial.created_at);
  });
  VisitObjective(archive, trial.objective);
  archive.List(trial.metrics_seen, [&](auto& metric) {
    archive.Name(metric.name);
    archive.Choice(metric.road);
  });
  archive.Text(trial.message);
  if (parts & kFinalReport) VisitReport(archive, *trial.final_report);
  if (parts & kDeleted) archive.Time(*trial.deleted_at);
  if (parts & kClientsPart) VisitClientsPart(archive, trial);
}

Header HeaderAt(const char* packed) {
  Header header;
  std::memcpy(&header, packed, sizeof(header));
  return header;
}

}  // namespace

// The parameters come first, so that FindParameter finds them without reading
// the rest.
void PackTrial(const TrialRecord& trial,
               std::shared_ptr<const NameTable>* names, std::string* bytes) {
  PackedWriter writer(names, bytes);
  const Header header = HeaderOf(trial);
  writer.Raw(header);
  Pack(trial.parameters, &writer);
  VisitRest(writer, trial, header.parts);
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
  trial.objective.last = brief.last;
  if (header.parts & kBest) trial.objective.best.emplace();
  if (header.parts & kDeleted) trial.deleted_at.emplace();
  if (header.parts & kRecord) trial.origin.record.emplace();
  if (header.parts & kRoad) trial.objective.road.emplace();
  if (header.parts & kFinalReport) trial.final_report.emplace();
  if (header.parts & kNotFiniteLast) {
    trial.objective.not_finite_last = MetricSummary::NotFinite();
  }
  PackedReader reader(packed + sizeof(header), names);
  trial.parameters = UnpackParameters(&reader);
  VisitRest(reader, trial, header.parts);
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
  for (std::int64_t left = reader.Number(); left > 0; --left) {
    const bool is_it = reader.Name() == name;
    const ParameterView value = UnpackValue(&reader);
    if (is_it) return value;
  }
  return std::nullopt;
}

}  // namespace vernier

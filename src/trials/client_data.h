#ifndef VERNIER_TRIALS_CLIENT_DATA_H_
#define VERNIER_TRIALS_CLIENT_DATA_H_

#include <cstddef>
#include <string>

#include "store/study_records.h"

namespace vernier {

/// Of what a client keeps with a study's space; see SpecEdit::client_data.
inline constexpr std::size_t kMostClientData = std::size_t{256} << 10;

/// The namespace of the study's metadata with the choices of a parameter, by
/// its name, as a JSON array in Python's form: what the texts stand for that
/// the space has. For studies that are made by an API without client data.
inline constexpr char kChoicesNamespace[] = ":vernier.choices";

/// Returns the client data that our Python package would have written of these
/// choices; empty if there are none, or too many. Pure.
std::string ClientDataOf(const Metadata& metadata);

}  // namespace vernier

#endif  // VERNIER_TRIALS_CLIENT_DATA_H_

#ifndef VERNIER_EDGE_GRPC_TRANSFER_LIMITS_H_
#define VERNIER_EDGE_GRPC_TRANSFER_LIMITS_H_

namespace vernier {

/// The limit of one received message in bytes. OSS Vizier's algorithms keep
/// megabytes of state in metadata.
inline constexpr int kMaxReceivedBytes = 32 << 20;
/// The limit of one sent message in bytes. A job of 10,000 trials takes some 4
/// MiB.
inline constexpr int kMaxSentBytes = 64 << 20;

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_TRANSFER_LIMITS_H_

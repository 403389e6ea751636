#include "base/rng.h"

#include <cmath>
#include <cstddef>

namespace vernier {
namespace {

// Horner's rule for a polynomial of degree 7, constant term first.
double Polynomial(const double (&coefficients)[8], double x) {
  double sum = 0;
  for (std::size_t i = 8; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

// Wichura 1988, algorithm AS 241, PPND16: about 16 digits. `p` in (0, 1).
constexpr double kA[8] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                          1.9715909503065514427e3, 1.3731693765509461125e4,
                          4.5921953931549871457e4, 6.7265770927008700853e4,
                          3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr double kB[8] = {1.0,
                          4.2313330701600911252e1,
                          6.8718700749205790830e2,
                          5.3941960214247511077e3,
                          2.1213794301586595867e4,
                          3.9307895800092710610e4,
                          2.8729085735721942674e4,
                          5.2264952788528545610e3};
constexpr double kC[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                          5.76949722146069140550e0,  3.64784832476320460504e0,
                          1.27045825245236838258e0,  2.41780725177450611770e-1,
                          2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr double kD[8] = {1.0,
                          2.05319162663775882187e0,
                          1.67638483018380384940e0,
                          6.89767334985100004550e-1,
                          1.48103976427480074590e-1,
                          1.51986665636164571966e-2,
                          5.47593808499534494600e-4,
                          1.05075007164441684324e-9};
constexpr double kE[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                          1.78482653991729133580e0,  2.96560571828504891230e-1,
                          2.65321895265761230930e-2, 1.24266094738807843860e-3,
                          2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double kF[8] = {1.0,
                          5.99832206555887937690e-1,
                          1.36929880922735805310e-1,
                          1.48753612908506148525e-2,
                          7.86869131145613259100e-4,
                          1.84631831751005468180e-5,
                          1.42151175831644588870e-7,
                          2.04426310338993978564e-15};

double NormalQuantile(double p) {
  const double q = p - 0.5;
  if (std::fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * Polynomial(kA, r) / Polynomial(kB, r);
  }
  double r = std::sqrt(-std::log(q < 0 ? p : 1 - p));
  double magnitude = 0;
  if (r <= 5) {
    r -= 1.6;
    magnitude = Polynomial(kC, r) / Polynomial(kD, r);
  } else {
    r -= 5;
    magnitude = Polynomial(kE, r) / Polynomial(kF, r);
  }
  return q < 0 ? -magnitude : magnitude;
}

}  // namespace

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): neighbouring seeds
// give unrelated results.
std::uint64_t MixBits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::mt19937_64 MakeRng(std::uint64_t seed, std::uint64_t stream) {
  return std::mt19937_64(MixBits(MixBits(seed) + stream));
}

double UniformDouble(std::mt19937_64& rng) {
  return static_cast<double>(rng() >> 11) * 0x1p-53;
}

std::uint64_t UniformInt(std::mt19937_64& rng, std::uint64_t n) {
  // The draws below 2^64 mod n are rejected: they would make the low results
  // likelier.
  const std::uint64_t surplus = (0 - n) % n;
  std::uint64_t draw = rng();
  while (draw < surplus) draw = rng();
  return draw % n;
}

double Normal(std::mt19937_64& rng) {
  // The middles of 2^52 cells, all exact: neither 0 nor 1 can come up.
  return NormalQuantile((static_cast<double>(rng() >> 12) + 0.5) * 0x1p-52);
}

}  // namespace vernier

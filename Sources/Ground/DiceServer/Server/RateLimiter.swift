/// How often each address may come: a bucket of tokens for each.
struct RateLimiter {
  private struct Bucket {
    var tokens: Double
    var time: Double
  }

  /// The most addresses that are remembered.
  static let addressLimit = 1024

  private let rate: Double
  private let burst: Double
  private var buckets: [String: Bucket] = [:]

  /// Buckets that fill by `rate` tokens in a second, up to `burst` of them.
  init(rate: Double, burst: Double) {
    self.rate = rate
    self.burst = burst
  }

  /// Takes a token of an address.
  ///
  /// - Parameter seconds: the time, on any clock that does not go back.
  /// - Returns: false where there is none, or where too many addresses come at once.
  mutating func admits(_ address: String, at seconds: Double) -> Bool {
    if buckets[address] == nil, buckets.count >= Self.addressLimit {
      buckets = buckets.filter { $0.value.tokens + (seconds - $0.value.time) * rate < burst }
      if buckets.count >= Self.addressLimit { return false }
    }
    var bucket = buckets[address] ?? Bucket(tokens: burst, time: seconds)
    bucket.tokens = min(burst, bucket.tokens + max(0, seconds - bucket.time) * rate)
    bucket.time = max(bucket.time, seconds)
    let isAdmitted = bucket.tokens >= 1
    if isAdmitted { bucket.tokens -= 1 }
    buckets[address] = bucket
    return isAdmitted
  }
}

/// Finds repetitions: chains of earlier places with the same hash of three bytes.
///
/// Places are kept modulo 2³²; whatever a chain yields is compared byte by byte before it becomes a
/// match, so that an outdated entry costs time but never a wrong result.
@unsafe struct DeflateMatcher {
  /// Tokens after which a block ends.
  static let blockTokenCount = 32768

  private static let longestMatch = 258
  private static let windowSize = 32768
  private static let hashBits: UInt32 = 15
  /// A match of three bytes from farther away costs more than three literals.
  private static let farDistance = 4096

  private let input: UnsafeBufferPointer<UInt8>
  private let effort: DeflateEffort
  private let minimumLength: Int
  /// The latest place of each hash, plus one; 0 for none.
  private var heads = [UInt32](repeating: 0, count: 1 << hashBits)
  /// For each place modulo the window the one before it in its chain, plus one; 0 for none.
  private var links = [UInt32](repeating: 0, count: windowSize)
  /// The first byte without a token.
  private(set) var position = 0

  private struct Match {
    var length: Int
    var distance: Int
  }

  init(input: UnsafeBufferPointer<UInt8>, effort: DeflateEffort, minimumLength: Int) {
    precondition(minimumLength >= 3)
    unsafe self.input = unsafe input
    unsafe self.effort = effort
    unsafe self.minimumLength = minimumLength
  }

  /// Appends the tokens of the next block and moves the position behind it.
  mutating func appendTokens(to tokens: inout [UInt32]) {
    let none = unsafe Match(length: minimumLength - 1, distance: 0)
    while unsafe position < input.count && tokens.count < Self.blockTokenCount {
      var match = unsafe longestMatch(at: position, beating: none)
      if match.distance == 0 {
        unsafe tokens.append(UInt32(input[position]))
        unsafe position += 1
        continue
      }
      // Places up to here are in their chains.
      var entered = unsafe position + 1
      while unsafe match.length < effort.lazyLength && position + 1 < input.count {
        let next = unsafe longestMatch(
          at: position + 1, beating: Match(length: match.length, distance: 0))
        unsafe entered = position + 2
        if next.distance == 0 { break }
        unsafe tokens.append(UInt32(input[position]))
        unsafe position += 1
        match = next
      }
      tokens.append(DeflateToken.match(length: match.length, distance: match.distance))
      let end = unsafe position + match.length
      if unsafe effort.lazyLength > 0 || match.length <= effort.niceLength {
        while entered < end {
          unsafe enter(entered)
          entered += 1
        }
      }
      unsafe position = end
    }
  }

  /// Puts a place at the head of its chain and returns the head before, as it is stored.
  @inline(__always) @discardableResult
  private mutating func enter(_ place: Int) -> UInt32 {
    guard let start = unsafe input.baseAddress, unsafe input.count &- place >= 4 else { return 0 }
    // Four bytes are there; the highest one in memory is left out of the hash.
    let word = unsafe UInt32(
      littleEndian: UnsafeRawPointer(start).loadUnaligned(fromByteOffset: place, as: UInt32.self))
    let hash = unsafe Int(((word &<< 8) &* 0x9E37_79B1) &>> (32 &- Self.hashBits))
    let head = unsafe heads[hash]
    unsafe links[place & (Self.windowSize &- 1)] = head
    unsafe heads[hash] = UInt32(truncatingIfNeeded: place &+ 1)
    return head
  }

  /// The longest match at a place that is longer than `best`, or `best` where there is none.
  ///
  /// Of equally long ones it is the nearest. The place enters its chain.
  private mutating func longestMatch(at place: Int, beating best: Match) -> Match {
    var candidate = unsafe enter(place)
    guard let start = unsafe input.baseAddress else { return best }
    let limit = unsafe min(Self.longestMatch, input.count &- place)
    var best = best
    if best.length >= limit { return best }
    let niceLength = unsafe min(effort.niceLength, limit)
    let farthest = unsafe min(place, Self.windowSize)
    var lastDistance = 0
    var tries = unsafe effort.candidateCount
    let here = unsafe start + place
    while candidate != 0 && tries > 0 {
      let difference = UInt32(truncatingIfNeeded: place &+ 1) &- candidate
      let distance = Int(truncatingIfNeeded: difference)
      // A chain leads away; one that does not has been overwritten.
      if distance <= lastDistance || distance > farthest { break }
      lastDistance = distance
      tries &-= 1
      let there = unsafe here - distance
      // In bounds: best.length < limit, and distance <= place.
      if unsafe there[best.length] == here[best.length] {
        let length = unsafe Self.commonLength(here, there, limit: limit)
        if unsafe length > best.length && (length > 3 || distance <= Self.farDistance) {
          best = Match(length: length, distance: distance)
          if length >= niceLength { break }
        }
      }
      candidate = unsafe links[(place &- distance) & (Self.windowSize &- 1)]
    }
    return best
  }

  /// The number of equal bytes at two places, at most `limit`, which both have.
  @inline(__always)
  private static func commonLength(
    _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, limit: Int
  ) -> Int {
    var length = 0
    let first = unsafe UnsafeRawPointer(first)
    let second = unsafe UnsafeRawPointer(second)
    while length &+ 8 <= limit {
      let difference =
        unsafe first.loadUnaligned(fromByteOffset: length, as: UInt64.self).littleEndian
        ^ second.loadUnaligned(fromByteOffset: length, as: UInt64.self).littleEndian
      if difference != 0 { return length &+ difference.trailingZeroBitCount / 8 }
      length &+= 8
    }
    while unsafe length < limit
      && first.load(fromByteOffset: length, as: UInt8.self)
        == second.load(fromByteOffset: length, as: UInt8.self)
    {
      length &+= 1
    }
    return length
  }
}

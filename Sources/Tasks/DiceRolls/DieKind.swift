/// What kind of die it is: how many sides it has, and how they count.
///
/// Kinds are ordered by their sides; ``percentile`` follows ``d10``.
public enum DieKind: String, CaseIterable, Hashable, Sendable {
  /// Four sides: the number at the corner that is up, or at the edges on the table.
  case d4
  /// Six sides, with pips or numerals.
  case d6
  /// Eight sides.
  case d8
  /// Ten sides, 0 to 9; the 0 counts as 10.
  case d10
  /// Ten sides that count in tens, 00 to 90; the 00 counts as 0.
  case percentile = "d%"
  /// Twelve sides.
  case d12
  /// Twenty sides.
  case d20

  /// How many sides there are.
  public var sides: Int {
    switch self {
    case .d4: 4
    case .d6: 6
    case .d8: 8
    case .d10, .percentile: 10
    case .d12: 12
    case .d20: 20
    }
  }

  /// The numbers that count, from the smallest: 1 to the number of sides, or 0, 10, … 90.
  public var values: [Int] {
    self == .percentile ? (0...9).map { $0 * 10 } : Array(1...sides)
  }

  /// What is printed where a number counts: "0" for the 10 of a ``d10``, "00" for the 0 of a
  /// ``percentile`` die, else the number.
  public func face(for value: Int) -> String {
    switch (self, value) {
    case (.d10, 10): "0"
    case (.percentile, 0): "00"
    default: "\(value)"
    }
  }
}

extension DieKind {
  /// Feeds the place in the order of kinds into a hash.
  ///
  /// A hash of its text would ask for Unicode's tables, which programs without an operating system
  /// lack.
  public func hash(into hasher: inout Hasher) { hasher.combine(rank) }
}

extension DieKind: Comparable {
  /// Whether one kind comes before another in the order of sides.
  public static func < (first: DieKind, second: DieKind) -> Bool { first.rank < second.rank }

  /// The place in the order.
  package var rank: UInt8 {
    switch self {
    case .d4: 0
    case .d6: 1
    case .d8: 2
    case .d10: 3
    case .percentile: 4
    case .d12: 5
    case .d20: 6
    }
  }
}

#if !hasFeature(Embedded)
  extension DieKind: Codable {}
#endif

/// What a network's label says of a die: `17` of six sides, `d20-17` of any kind.
package struct DieFace: Hashable, Sendable {
  package var kind: DieKind
  /// The number that counts.
  package var value: Int

  package init(kind: DieKind, value: Int) {
    self.kind = kind
    self.value = value
  }

  /// Nil for a label that is neither an integer of at most nine digits nor a face of a kind.
  package init?(label: String) {
    var kind: [UInt8] = []
    var face: [UInt8] = []
    var isKind = label.utf8.first == UInt8(ascii: "d")
    for byte in label.utf8 {
      if isKind, byte == UInt8(ascii: "-") {
        isKind = false
      } else if isKind {
        kind.append(byte)
      } else {
        face.append(byte)
      }
    }
    let isNegative = face.first == UInt8(ascii: "-")
    guard let number = Self.number(face[(isNegative ? 1 : 0)...]) else { return nil }
    guard !kind.isEmpty else {
      self.init(kind: .d6, value: isNegative ? -number : number)
      return
    }
    for known in DieKind.allCases where known.rawValue.utf8.elementsEqual(kind) {
      for value in known.values where known.face(for: value).utf8.elementsEqual(face) {
        self.init(kind: known, value: value)
        return
      }
    }
    return nil
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...9).contains(digits.count) else { return nil }
    var number = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }
}

extension DieFace: Comparable {
  package static func < (first: DieFace, second: DieFace) -> Bool {
    first.value != second.value ? first.value < second.value : first.kind < second.kind
  }
}

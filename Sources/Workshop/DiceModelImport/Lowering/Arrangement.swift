internal import DiceDetectorHeads
internal import DiceWeights

/// Where the numbers of a tensor with any number of axes lie in a value `[H, W, C]`.
///
/// A tensor's axes are made of *factors*: an axis of extent 6 may be one factor of 6, or one of 2 and
/// one of 3, the slower one first; an axis of extent 1 has none. The rows, columns and channels of
/// the value run through factors, too, each through its own. Transposing and reshaping a tensor
/// therefore change what its axes are made of, and hardly ever where its numbers lie.
struct Arrangement: Hashable, Sendable {
  /// The extent of each factor, 2 at least.
  private(set) var extents: [Int]
  /// The factors of each axis, the slowest first.
  private(set) var axes: [[Int]]
  /// The factors of rows, columns and channels, the slowest first; each factor stands in one of them.
  private(set) var places: [[Int]]

  /// A tensor whose axes lie in some places.
  ///
  /// - Precondition: Every axis of an extent other than 1 stands in one of the places, once.
  init(shape: [Int], _ places: Places) {
    extents = []
    axes = []
    for extent in shape {
      axes.append(extent == 1 ? [] : [extents.count])
      if extent != 1 { extents.append(extent) }
    }
    let axes = axes
    self.places = places.all.map { (place) in place.flatMap { (axis) in axes[axis] } }
    precondition(self.places.joined().count == extents.count, "each axis has one place")
  }

  /// Groups the parts without checking them.
  init(extents: [Int], axes: [[Int]], places: [[Int]]) {
    self.extents = extents
    self.axes = axes
    self.places = places
  }

  /// The extent of each axis.
  var shape: [Int] { axes.map(product) }

  /// The shape of the value.
  var tensorShape: TensorShape {
    TensorShape(
      height: product(places[0]), width: product(places[1]), channels: product(places[2]))
  }

  /// All factors in the order of the value's numbers.
  var order: [Int] { Array(places.joined()) }

  /// The same tensor with its factors in an order, in three places of about the same extent.
  func spread(_ order: [Int]) -> Arrangement {
    var places: [[Int]] = [[], [], []]
    let side = Int(Double(product(order)).squareRoot().squareRoot() * 4) + 1
    var place = 0
    for factor in order {
      if place < 2, product(places[place]) * extents[factor] > side, !places[place].isEmpty {
        place += 1
      }
      places[place].append(factor)
    }
    return Arrangement(extents: extents, axes: axes, places: places)
  }

  private func product(_ factors: [Int]) -> Int {
    factors.reduce(1) { (product, factor) in product * extents[factor] }
  }

  /// The factors of some axes, one after another.
  func factors(of axes: [Int]) -> [Int] { axes.flatMap { (axis) in self.axes[axis] } }

  /// The extents of an axis' factors.
  func extents(ofAxis axis: Int) -> [Int] { axes[axis].map { (factor) in extents[factor] } }

  // MARK: The same numbers in the same places

  /// The tensor with its axes in another order: axis `k` is what was axis `permutation[k]`.
  func transposed(_ permutation: [Int]) -> Arrangement {
    var result = self
    result.axes = permutation.map { (axis) in axes[axis] }
    return result
  }

  /// The tensor in another shape, its numbers in the same order; nil where an axis of one shape
  /// begins inside a factor of the other that cannot be cut there.
  func reshaped(to shape: [Int]) -> Arrangement? {
    var result = self
    var factors = Array(axes.joined())
    guard let cuts = result.cut(&factors, into: shape) else { return nil }
    result.axes = cuts
    return result
  }

  /// The tensor whose axis has factors of these extents, or of parts of them; nil where it cannot.
  func refined(axis: Int, by extents: [Int]) -> Arrangement? {
    var result = self
    var factors = axes[axis]
    guard let cuts = result.cut(&factors, into: extents) else { return nil }
    result.axes[axis] = Array(cuts.joined())
    return result
  }

  /// Divides factors, in order, into runs of the given extents, and cuts them where runs end.
  private mutating func cut(_ factors: inout [Int], into runs: [Int]) -> [[Int]]? {
    var cuts: [[Int]] = []
    var next = 0
    for run in runs {
      var rest = run
      var cut: [Int] = []
      while rest > 1 {
        guard next < factors.count else { return nil }
        let factor = factors[next]
        let extent = extents[factor]
        if extent > rest {
          guard extent % rest == 0 else { return nil }
          factors.insert(split(factor, rest), at: next + 1)
        } else if rest % extent != 0 {
          return nil
        }
        rest /= extents[factor]
        cut.append(factor)
        next += 1
      }
      cuts.append(cut)
    }
    return next == factors.count ? cuts : nil
  }

  /// Leaves the slower part of a factor, of the given extent; returns the new factor of the rest.
  private mutating func split(_ factor: Int, _ extent: Int) -> Int {
    let new = extents.count
    extents.append(extents[factor] / extent)
    extents[factor] = extent
    for (axis, factors) in axes.enumerated() {
      if let place = factors.firstIndex(of: factor) { axes[axis].insert(new, at: place + 1) }
    }
    for (place, factors) in places.enumerated() {
      if let index = factors.firstIndex(of: factor) { places[place].insert(new, at: index + 1) }
    }
    return new
  }

  /// The same with factors joined that follow each other in an axis and in a place.
  var simplified: Arrangement {
    var joined: [Int: Int] = [:]  // a factor and the one that it continues
    for factors in axes {
      for (first, second) in zip(factors, factors.dropFirst()) {
        let follows = places.contains { (place) in
          guard let index = place.firstIndex(of: first) else { return false }
          return index + 1 < place.count && place[index + 1] == second
        }
        if follows { joined[second] = first }
      }
    }
    guard !joined.isEmpty else { return self }
    func head(_ factor: Int) -> Int {
      var factor = factor
      while let before = joined[factor] { factor = before }
      return factor
    }
    var numbers: [Int: Int] = [:]
    var result = self
    result.extents = []
    for factor in extents.indices where joined[factor] == nil {
      numbers[factor] = result.extents.count
      result.extents.append(extents[factor])
    }
    for factor in extents.indices where joined[factor] != nil {
      result.extents[numbers[head(factor)]!] *= extents[factor]
    }
    let known = numbers
    result.axes = axes.map { (factors) in factors.compactMap { (factor) in known[factor] } }
    result.places = places.map { (factors) in factors.compactMap { (factor) in known[factor] } }
    return result
  }

  /// The tensor with more axes of extent 1 in front.
  func extended(toRank rank: Int) -> Arrangement {
    var result = self
    result.axes = [[Int]](repeating: [], count: max(0, rank - axes.count)) + axes
    return result
  }

  // MARK: The same tensor elsewhere

  /// The same tensor with other factors in rows, columns and channels.
  func placed(_ places: [[Int]]) -> Arrangement {
    var result = self
    result.places = places
    return result
  }

  /// Which axes lie in which place, where every axis lies in one as a whole; else nil.
  var wholeAxes: Places? {
    var found: [[Int]] = []
    for place in simplified.places {
      let axes = place.map { (factor) in
        simplified.axes.firstIndex { (factors) in factors == [factor] }
      }
      if axes.contains(nil) { return nil }
      found.append(axes.compactMap { $0 })
    }
    return Places(rows: found[0], columns: found[1], channels: found[2])
  }
}

/// Which axes of a tensor are rows, columns and channels of a map to windows that move over it.
struct MapAxes: Hashable, Sendable {
  /// The axis of rows.
  var rows: Int
  /// The axis of columns; nil where windows move along one axis only.
  var columns: Int?
  /// The axis of channels.
  var channels: Int

  /// `[N, C, H, W]`, or `[N, C, L]`.
  static func channelsFirst(rank: Int) -> MapAxes {
    MapAxes(rows: 2, columns: rank > 3 ? 3 : nil, channels: 1)
  }

  /// `[N, H, W, C]`, or `[N, L, C]`.
  static func channelsLast(rank: Int) -> MapAxes {
    MapAxes(rows: 1, columns: rank > 3 ? 2 : nil, channels: rank > 3 ? 3 : 2)
  }

  /// Where the axes lie for a layer with windows.
  var places: Places {
    Places(rows: [rows], columns: columns.map { [$0] } ?? [], channels: [channels])
  }
}

internal import DiceNumerics

extension Homography {
  /// How many correspondences determine a homography.
  public static let leastCorrespondenceCount = 4

  /// The map with the least weighted sum of squared distances in the target plane.
  ///
  /// Both planes are first moved and scaled so that the points' mean is 0 and their mean distance from
  /// it √2. The linear equations of the correspondences give a first map, which Levenberg's and
  /// Marquardt's method then brings to the least sum of squares. Four correspondences are met exactly
  /// but for rounding.
  ///
  /// - Parameter correspondences: At least four.
  /// - Returns: the map, with weight 1 at the mean of the sources; all sources have positive weights.
  /// - Throws: ``HomographyError``: `tooFewCorrespondences`, `correspondenceNotUsable` or `degenerate`.
  /// - Complexity: O(correspondences); no memory is taken.
  ///
  /// Source: R. Hartley and A. Zisserman, Multiple View Geometry, 2nd edition, sections 4.1 and 4.4.4.
  public init(
    fitting correspondences: [PointCorrespondence]
  ) throws(HomographyError) {
    guard correspondences.count >= Self.leastCorrespondenceCount else {
      throw .tooFewCorrespondences(
        found: correspondences.count, required: Self.leastCorrespondenceCount)
    }
    for index in correspondences.indices where !correspondences[index].isUsable {
      throw .correspondenceNotUsable(index: index)
    }
    guard
      let result = Self.fit(
        count: correspondences.count, { (index) in correspondences[index] })
    else { throw .degenerate }
    self = result
  }

  /// The root of the mean squared distance between where the map takes the sources and the targets.
  ///
  /// In the target's unit; 0 for no correspondences. Weights do not count.
  public func rootMeanSquareError(of correspondences: [PointCorrespondence]) -> Double {
    guard !correspondences.isEmpty else { return 0 }
    var sum = 0.0
    for correspondence in correspondences { sum += correspondence.squaredError(under: self) }
    return (sum / Double(correspondences.count)).squareRoot()
  }

  /// As the initializer, for usable correspondences that a closure gives.
  static func fit(count: Int, _ correspondence: (Int) -> PointCorrespondence) -> Homography? {
    guard
      let source = PlaneScale(count: count, { correspondence($0).source }),
      let target = PlaneScale(count: count, { correspondence($0).target }),
      var map = linearFit(count: count, source, target, correspondence)
    else { return nil }
    if count > leastCorrespondenceCount {
      map.refine(count: count, source, target, correspondence)
    }
    // What stands behind the camera cannot have been seen.
    for index in 0..<count {
      guard map.weight(at: source.scaled(correspondence(index).source)) > 1e-9 else { return nil }
    }
    let result = Homography(source.map).concatenated(with: map).concatenated(
      with: Homography(target.inverse))
    return result.isFinite ? result : nil
  }

  /// The least squares of `first · p − X third · p` and `second · p − Y third · p`, with 1 at the lower
  /// right, which is the weight of the sources' mean.
  private static func linearFit(
    count: Int, _ source: PlaneScale, _ target: PlaneScale,
    _ correspondence: (Int) -> PointCorrespondence
  ) -> Homography? {
    var equations = NormalEquations(unknownCount: 8)
    for index in 0..<count {
      let pair = correspondence(index)
      let (p, q) = (source.scaled(pair.source), target.scaled(pair.target))
      equations.add(
        SIMD8(p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y), value: q.x, weight: pair.weight)
      equations.add(
        SIMD8(0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y), value: q.y, weight: pair.weight)
    }
    guard let elements = equations.solution() else { return nil }
    let map = Homography(elements: elements)
    // Points on a line leave a map that flattens the plane.
    return map.determinant.magnitude > 1e-9 ? map : nil
  }

  /// Levenberg's and Marquardt's method on the distances in the scaled target plane.
  private mutating func refine(
    count: Int, _ source: PlaneScale, _ target: PlaneScale,
    _ correspondence: (Int) -> PointCorrespondence
  ) {
    func sumOfSquares(_ map: Homography) -> Double {
      var sum = 0.0
      for index in 0..<count {
        let pair = correspondence(index)
        let scaled = PointCorrespondence(
          source: source.scaled(pair.source), target: target.scaled(pair.target))
        guard map.weight(at: scaled.source) > 0 else { return .infinity }
        sum += pair.weight * scaled.squaredError(under: map)
      }
      return sum
    }
    var least = sumOfSquares(self)
    guard least.isFinite else { return }
    var damping = 1e-3
    for _ in 0..<30 {
      var equations = NormalEquations(unknownCount: 8)
      for index in 0..<count {
        let pair = correspondence(index)
        let (p, q) = (source.scaled(pair.source), target.scaled(pair.target))
        let weight = weight(at: p)
        let image = map(p)
        let (x, y) = (p.x / weight, p.y / weight)
        equations.add(
          SIMD8(x, y, 1 / weight, 0, 0, 0, -image.x * x, -image.x * y), value: q.x - image.x,
          weight: pair.weight)
        equations.add(
          SIMD8(0, 0, 0, x, y, 1 / weight, -image.y * x, -image.y * y), value: q.y - image.y,
          weight: pair.weight)
      }
      var isBetter = false
      while !isBetter, damping < 1e6 {
        guard let step = equations.solution(damping: damping) else { return }
        let next = Homography(elements: elements + step)
        let sum = sumOfSquares(next)
        if sum < least {
          isBetter = true
          let isDone = least - sum <= 1e-14 * least
          (self, least) = (next, sum)
          damping = max(damping / 10, 1e-12)
          if isDone { return }
        } else {
          damping *= 10
        }
      }
      if !isBetter { return }
    }
  }

  /// All elements but the lower right one, row by row.
  private var elements: SIMD8<Double> {
    SIMD8(first.x, first.y, first.z, second.x, second.y, second.z, third.x, third.y)
  }

  /// The matrix with these elements and 1 at the lower right.
  private init(elements: SIMD8<Double>) {
    self.init(
      first: SIMD3(elements[0], elements[1], elements[2]),
      second: SIMD3(elements[3], elements[4], elements[5]),
      third: SIMD3(elements[6], elements[7], 1))
  }
}

/// Moves and scales points so that their mean is 0 and their mean distance from it √2.
struct PlaneScale {
  private let mean: SIMD2<Double>
  private let factor: Double

  /// Nil where all points coincide, or numbers are too large.
  init?(count: Int, _ point: (Int) -> SIMD2<Double>) {
    var sum = SIMD2<Double>.zero
    for index in 0..<count { sum += point(index) }
    mean = sum / Double(count)
    var distance = 0.0
    for index in 0..<count {
      let difference = point(index) - mean
      distance += (difference * difference).sum().squareRoot()
    }
    factor = Double(count) * 1.4142135623730951 / distance
    guard distance > 0, factor.isFinite, factor > 0, mean.x.isFinite, mean.y.isFinite else {
      return nil
    }
  }

  func scaled(_ point: SIMD2<Double>) -> SIMD2<Double> { (point - mean) * factor }

  var map: AffineMap {
    AffineMap(
      scaleX: factor, scaleY: factor, translationX: -mean.x * factor,
      translationY: -mean.y * factor)
  }

  var inverse: AffineMap {
    AffineMap(
      scaleX: 1 / factor, scaleY: 1 / factor, translationX: mean.x, translationY: mean.y)
  }
}

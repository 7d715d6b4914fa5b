internal import DiceGeometry
public import DiceImaging

/// Finds fields of play in a picture: boards, sheets, trays and mats, as quadrilaterals.
///
/// Two ways lead to candidates. Straight pieces of edges show where the parallel lines of a board meet,
/// and which of them are evenly spaced: a grid, whose extent is where its lines end. And contours with four
/// straight sides are outlines. Candidates are ranked by what the picture shows of them, and their corners
/// refined to less than a pixel. No network is needed.
///
///     let fields = try FieldDetector().detect(in: image)
///     if let board = fields.first { print(board.corners) }
public struct FieldDetector: Sendable {
  /// What to look for, and how.
  public struct Options: Hashable, Sendable {
    /// The range of the maximum dimension.
    public static let dimensionRange = 128...2048
    /// The range of the number of candidates.
    public static let countRange = 1...32

    /// The longest side, in pixels, of the picture that lines and contours are looked for in.
    public var maximumDimension = 768
    /// Whether the playing field goes before the frame around it: the squares of a board, the felt of a
    /// tray.
    ///
    /// Else the frame goes first.
    public var prefersPlayingField = true
    /// The least area of a field, as a share of the picture.
    public var minimumArea = 0.02
    /// How many candidates are reported at most.
    public var maximumCount = 6
    /// Whether the corners are moved to where lines fitted to the sides' edges meet.
    public var refinesCorners = true

    /// The options of the properties' defaults.
    public init() {}
  }

  /// What to look for, and how.
  public var options: Options

  /// The longest side of the picture that corners are refined in.
  private static let refinedDimension = 2048

  /// How many of the best lattices a frame is looked for around.
  private static let framedCount = 2

  /// A detector.
  public init(_ options: Options = Options()) { self.options = options }

  /// The fields of a picture, best first.
  ///
  /// - Returns: None where nothing looks like a field; no two that share nine tenths of their area.
  /// - Throws: ``FieldError``.
  public func detect(in image: PixelImage) throws(FieldError) -> [Field] {
    try image.withFrame { (frame) throws(FieldError) in try detect(in: frame) }
  }

  /// The fields of a frame in any orientation, best first.
  ///
  /// - Throws: ``FieldError``.
  public func detect(in frame: borrowing RawFrame) throws(FieldError) -> [Field] {
    try check()
    let (width, height) = (Double(frame.uprightWidth), Double(frame.uprightHeight))
    var sampler = UprightSampler()
    let gray = try sampler.takeGray(of: frame, limit: options.maximumDimension)
    guard min(gray.width, gray.height) >= 16 else { return [] }
    var candidates = candidates(in: gray)
    rank(&candidates)
    var fine = gray
    if options.refinesCorners, max(frame.uprightWidth, frame.uprightHeight) > gray.width {
      fine = try sampler.takeGray(of: frame, limit: Self.refinedDimension)
    }
    return candidates.map { candidate in
      var outline = candidate.outline
      if options.refinesCorners {
        outline = Self.scaled(
          outline, Double(fine.width) / Double(gray.width),
          Double(fine.height) / Double(gray.height))
        outline = SideRefiner(image: fine, reach: Self.reach(of: candidate, outline)).refined(
          outline)
        outline = Self.scaled(outline, width / Double(fine.width), height / Double(fine.height))
      } else {
        outline = Self.scaled(outline, width / Double(gray.width), height / Double(gray.height))
      }
      return Field(
        outline: outline.clockwiseFromUpperLeft(), kind: candidate.kind,
        confidence: candidate.confidence, imageWidth: width, imageHeight: height)
    }
  }

  private func check() throws(FieldError) {
    guard Options.dimensionRange.contains(options.maximumDimension) else {
      throw .maximumDimensionOutOfRange(options.maximumDimension)
    }
    guard options.minimumArea >= 0, options.minimumArea <= 1 else {
      throw .minimumAreaOutOfRange(options.minimumArea)
    }
    guard Options.countRange.contains(options.maximumCount) else {
      throw .maximumCountOutOfRange(options.maximumCount)
    }
  }

  /// A field in the reduced picture.
  private struct Candidate {
    var outline: Quadrilateral
    var kind: Field.Kind
    var confidence: Double
    /// What candidates are ordered by.
    var value: Double
  }

  private func candidates(in gray: GrayImage) -> [Candidate] {
    let field = GradientField(gray)
    let segments = SegmentFinder.segments(in: field, leastLength: 12, limit: 500)
    let area = Double(gray.width * gray.height)
    var result: [Candidate] = []
    var frames: [(grid: Int, outline: Quadrilateral, support: Double)] = []
    for lattice in LatticeFinder.lattices(in: field, segments: segments) {
      guard let outline = lattice.outline, outline.area >= options.minimumArea * area,
        Self.isNear(gray, outline)
      else { continue }
      let cells = Double(lattice.box.columns * lattice.box.rows)
      let size = (outline.area / area).squareRoot().squareRoot()
      result.append(
        Candidate(
          outline: outline, kind: lattice.kind,
          confidence: (0.4 + 0.6 * max(0, lattice.mean)) * cells / (cells + 6),
          value: lattice.score * size))
      if result.count <= Self.framedCount,
        let frame = FrameFinder(lattice: lattice.lattice, box: lattice.box, field: field).frame()
      {
        frames.append((result.count - 1, frame.outline, frame.support))
      }
    }
    // Lattices are compared by their scores, and with outlines by their confidence.
    if let best = result.map(\.value).max(), best > 0 {
      for index in result.indices {
        let share = result[index].value / best
        result[index].confidence *= min(1, share.squareRoot())
        result[index].value = result[index].confidence
      }
    }
    for frame in frames where Self.isNear(gray, frame.outline) {
      // A frame is no surer than the grid in it.
      let confidence = 0.95 * frame.support * result[frame.grid].confidence
      result.append(
        Candidate(
          outline: frame.outline, kind: .outline, confidence: confidence, value: confidence))
    }
    var finder = OutlineFinder()
    for found in finder.outlines(in: gray, field, leastArea: options.minimumArea, limit: 12) {
      let size = (found.outline.area / area).squareRoot().squareRoot()
      let confidence = 0.75 * found.meanSupport * found.leastSupport.squareRoot() * size
      result.append(
        Candidate(
          outline: found.outline, kind: .outline, confidence: confidence, value: confidence))
    }
    return result
  }

  /// Whether no corner lies further outside a picture than a tenth of its longer side.
  ///
  /// Lines of a texture that meet near the horizon make lattices of any length.
  private static func isNear(_ gray: GrayImage, _ outline: Quadrilateral) -> Bool {
    let (width, height) = (Double(gray.width), Double(gray.height))
    let reach = 0.1 * max(width, height)
    return outline.corners.allSatisfy {
      (-reach...width + reach).contains($0.x) && (-reach...height + reach).contains($0.y)
    }
  }

  /// Orders candidates, leaves out those that are nearly the same as a better one.
  private func rank(_ candidates: inout [Candidate]) {
    candidates.sort { $0.value > $1.value }
    promote(&candidates)
    var kept: [Candidate] = []
    for candidate in candidates where kept.count < options.maximumCount {
      let isNew = !kept.contains {
        $0.outline.intersectionOverUnion(with: candidate.outline) > 0.9
      }
      if isNew { kept.append(candidate) }
    }
    candidates = kept
  }

  /// Puts the playing field before the frame around it, or the frame first where that is asked for.
  ///
  /// A playing field is a grid in the outline that would be first, or an outline in it that has most of
  /// its area and edges as good.
  private func promote(_ candidates: inout [Candidate]) {
    guard let first = candidates.first else { return }
    let index: Int?
    if options.prefersPlayingField {
      guard first.kind == .outline else { return }
      index = candidates.firstIndex { (other) in
        let isWithin =
          other.outline.intersectionArea(with: first.outline)
          > 0.95 * other.outline.area
        guard isWithin, other.outline.area < 0.97 * first.outline.area else { return false }
        if other.kind == .outline {
          return other.outline.area > 0.6 * first.outline.area
            && other.confidence > 0.8 * first.confidence
        }
        return other.confidence > 0.45 && other.outline.area > 0.3 * first.outline.area
      }
    } else {
      index = candidates.firstIndex { (other) in
        other.kind == .outline && other.outline.area > 1.03 * first.outline.area
          && other.outline.intersectionArea(with: first.outline) > 0.95 * first.outline.area
      }
    }
    if let index { candidates.insert(candidates.remove(at: index), at: 0) }
  }

  /// How far from a side its edge may be: less than to the next line of a grid.
  private static func reach(of candidate: Candidate, _ outline: Quadrilateral) -> Double {
    guard case .grid(let columns, let rows) = candidate.kind else {
      return max(2, min(0.006 * outline.perimeter, 24))
    }
    let pitch = (outline.area / Double(columns * rows)).squareRoot()
    return max(2, min(0.2 * pitch, 0.015 * outline.perimeter, 24))
  }

  private static func scaled(_ outline: Quadrilateral, _ x: Double, _ y: Double) -> Quadrilateral {
    Quadrilateral(corners: outline.corners.map { PixelPoint(x: $0.x * x, y: $0.y * y) }) ?? outline
  }
}

extension FoundLattice {
  /// How many cells lie along the upper and the left side in the picture.
  fileprivate var kind: Field.Kind {
    guard let outline else { return .outline }
    let place = lattice.inverse.map(SIMD2(outline.upperLeft.x, outline.upperLeft.y))
    let next = lattice.inverse.map(SIMD2(outline.upperRight.x, outline.upperRight.y))
    let isAcross = abs(next.x - place.x) > abs(next.y - place.y)
    return isAcross
      ? .grid(columns: box.columns, rows: box.rows) : .grid(columns: box.rows, rows: box.columns)
  }
}

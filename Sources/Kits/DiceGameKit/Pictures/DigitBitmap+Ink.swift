extension DigitBitmap {
  /// The widths of lines that are left as they are, in samples.
  static let lineWidths: ClosedRange<Float> = 2.2...3.6

  /// A picture of ink, placed as MNIST places its digits: the box of the ink fits into 20 by 20
  /// samples with its shape kept, and the middle of the ink lies in the middle.
  ///
  /// Lines that would be too thin are thickened, those too thick are thinned. No ink gives a black
  /// picture.
  ///
  /// - Complexity: O(pixels).
  package init(_ raster: InkRaster) {
    guard let ink = raster.cropped(above: 0.3) else {
      self.init(placing: InkRaster(width: 1, height: 1))
      return
    }
    let longer = max(ink.width, ink.height)
    if (16...21).contains(longer) {
      // As large as it has to be: with its soft edges, if lines are neither too thin nor too thick.
      let width = ink.ink.reduce(0) { $0 + $1 } / Float(longer)
      if width >= 1.6, let soft = raster.cropped(above: 0.02), max(soft.width, soft.height) <= 23 {
        self.init(placing: soft)
        return
      }
    }
    self.init(placing: Self.normalized(ink, longer: longer))
  }

  /// The ink in 20 by 20 samples, with lines of the usual widths.
  private static func normalized(_ ink: InkRaster, longer: Int) -> InkRaster {
    let (work, margin) = (80, 8)
    let scale = Float(work) / Float(longer)
    func side(_ side: Int, _ scale: Float) -> Int { max(1, Int((Float(side) * scale).rounded())) }
    let large = ink.resized(width: side(ink.width, scale), height: side(ink.height, scale))
    var padded = large.part(
      columns: -margin..<large.width + margin, rows: -margin..<large.height + margin)
    let depths = padded.depths()
    let width = InkRaster.lineWidth(depths)
    guard width > 0 else { return InkRaster(width: 1, height: 1) }
    let unit = Float(work) / 20
    let wanted = min(max(width, lineWidths.lowerBound * unit), lineWidths.upperBound * unit)
    let growth = min(max((wanted - width) / 2, -0.35 * width), Float(margin - 1))
    for place in padded.ink.indices {
      padded.ink[place] = min(max(0, depths[place] + growth + 0.5), 1)
    }
    let grown = padded.cropped(above: 0.5) ?? padded
    let factor = 20 / Float(max(grown.width, grown.height))
    return grown.resized(width: side(grown.width, factor), height: side(grown.height, factor))
  }

  /// Ink of at most 28 by 28 samples, with its middle in the middle.
  private init(placing ink: InkRaster) {
    var (mass, x, y) = (Float(0), Float(0), Float(0))
    for row in 0..<ink.height {
      for column in 0..<ink.width {
        let value = ink[row, column]
        mass += value
        x += value * Float(column)
        y += value * Float(row)
      }
    }
    let middle = Float(Self.side - 1) / 2
    let left = mass > 0 ? Int((middle - x / mass).rounded()) : 0
    let top = mass > 0 ? Int((middle - y / mass).rounded()) : 0
    var samples = [UInt8](repeating: 0, count: Self.side * Self.side)
    for row in 0..<ink.height where (0..<Self.side).contains(row + top) {
      for column in 0..<ink.width where (0..<Self.side).contains(column + left) {
        samples[(row + top) * Self.side + column + left] =
          UInt8((min(max(0, ink[row, column]), 1) * 255).rounded())
      }
    }
    self.init(values: samples)
  }
}

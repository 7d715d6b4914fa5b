/// How far each pixel of a picture differs from its ground towards ink, whatever the light.
struct PictureGround {
  /// Which samples are ink.
  enum Polarity: CaseIterable, Sendable {
    case darkOnLight
    case lightOnDark
  }

  let width: Int
  let height: Int
  /// For each pixel, by how much it is darker than the ground, or brighter for light ink.
  let differences: [Float]
  /// The standard deviation of the ground.
  let noise: Float
  /// How far ink differs that is well seen; 0 where there is none.
  let contrast: Float

  /// From which difference on a pixel may belong to ink.
  var lowThreshold: Float { max(4 * noise, 0.18 * contrast, 8) }
  /// Which difference some pixel of a line of ink has.
  var highThreshold: Float { max(7 * noise, 0.3 * contrast, 16) }

  /// Tiles over the picture, each with a gray value.
  private struct Tiles {
    let size: Int
    let columns: Int
    let rows: Int
    var values: [Float]

    init(_ width: Int, _ height: Int) {
      size = max(4, (max(width, height) + 15) / 16)
      columns = (width + size - 1) / size
      rows = (height + size - 1) / size
      values = [Float](repeating: 0, count: columns * rows)
    }

    /// The value at a pixel, linear between the middles of tiles.
    func line(row: Int, width: Int, into line: inout [Float]) {
      let place = min(
        max(0, (Float(row) + 0.5) / Float(size) - 0.5), Float(rows - 1))
      let first = min(Int(place), max(0, rows - 2))
      let share = rows > 1 ? place - Float(first) : 0
      for column in 0..<width {
        let place = min(
          max(0, (Float(column) + 0.5) / Float(size) - 0.5), Float(columns - 1))
        let left = min(Int(place), max(0, columns - 2))
        let part = columns > 1 ? place - Float(left) : 0
        func value(_ row: Int) -> Float {
          let one = values[row * columns + left]
          return part > 0 ? one + part * (values[row * columns + left + 1] - one) : one
        }
        let upper = value(first)
        line[column] = share > 0 ? upper + share * (value(first + 1) - upper) : upper
      }
    }
  }

  /// The ground of a picture, for ink of a polarity.
  init(_ samples: [UInt8], width: Int, height: Int, polarity: Polarity) {
    let sign: Float = polarity == .darkOnLight ? 1 : -1
    var tiles = Tiles(width, height)
    let histograms = Self.histograms(samples, width, height, tiles)
    // Ink covers less than three quarters of some tiles' surroundings.
    let first = Self.quantiles(
      histograms, tiles, reach: 2, share: polarity == .darkOnLight ? 0.75 : 0.25)
    tiles.values = first
    var differences = Self.differences(samples, width, height, tiles, sign)
    var (noise, contrast) = Self.scales(differences)
    for _ in 0..<2 {
      // The mean of what is no ink.
      let limit = max(4 * noise, 0.3 * contrast, 6)
      Self.average(
        samples, width, height, differences, limit: limit, first: first, into: &tiles)
      differences = Self.differences(samples, width, height, tiles, sign)
      (noise, contrast) = Self.scales(differences)
    }
    if max(width, height) >= 60 {
      Self.limit(&differences, samples, width, height, sign)
      (noise, contrast) = Self.scales(differences)
    }
    self.width = width
    self.height = height
    self.differences = differences
    self.noise = noise
    self.contrast = contrast
  }

  /// How sure it is that ink is dark, -1...1; negative for light ink.
  ///
  /// Ink is what differs most from the middle of its surroundings.
  static func darkness(_ samples: [UInt8], width: Int, height: Int) -> Float {
    var tiles = Tiles(width, height)
    tiles.values = quantiles(
      histograms(samples, width, height, tiles), tiles, reach: 4, share: 0.5)
    let differences = differences(samples, width, height, tiles, 1)
    var (sum, total) = (0.0, 0.0)
    for difference in differences {
      let cube = Double(difference * difference * difference)
      sum += cube
      total += cube.magnitude
    }
    return total > 0 ? Float(sum / total) : 0
  }

  // MARK: Parts of the work

  private static func histograms(
    _ samples: [UInt8], _ width: Int, _ height: Int, _ tiles: Tiles
  ) -> [Int32] {
    var counts = [Int32](repeating: 0, count: 256 * tiles.values.count)
    for row in 0..<height {
      let line = row / tiles.size * tiles.columns
      for column in 0..<width {
        counts[256 * (line + column / tiles.size) + Int(samples[row * width + column])] += 1
      }
    }
    return counts
  }

  /// For each tile, the value below which a share of the samples around it lies.
  private static func quantiles(
    _ histograms: [Int32], _ tiles: Tiles, reach: Int, share: Float
  ) -> [Float] {
    var values: [Float] = []
    for row in 0..<tiles.rows {
      for column in 0..<tiles.columns {
        var counts = [Int32](repeating: 0, count: 256)
        var total: Int32 = 0
        for y in max(0, row - reach)...min(tiles.rows - 1, row + reach) {
          for x in max(0, column - reach)...min(tiles.columns - 1, column + reach) {
            let place = 256 * (y * tiles.columns + x)
            for value in 0..<256 {
              counts[value] += histograms[place + value]
              total += histograms[place + value]
            }
          }
        }
        let wanted = share * Float(total)
        var (sum, value) = (Float(0), 0)
        while value < 255, sum + Float(counts[value]) < wanted {
          sum += Float(counts[value])
          value += 1
        }
        values.append(Float(value))
      }
    }
    return values
  }

  private static func differences(
    _ samples: [UInt8], _ width: Int, _ height: Int, _ tiles: Tiles, _ sign: Float
  ) -> [Float] {
    var differences = [Float](repeating: 0, count: width * height)
    var line = [Float](repeating: 0, count: width)
    for row in 0..<height {
      tiles.line(row: row, width: width, into: &line)
      for column in 0..<width {
        let place = row * width + column
        differences[place] = sign * (line[column] - Float(samples[place]))
      }
    }
    return differences
  }

  /// Brings differences down to those from what is left without narrow lines: at a shadow's edge the
  /// ground of tiles is neither that of the light nor that of the shadow.
  private static func limit(
    _ differences: inout [Float], _ samples: [UInt8], _ width: Int, _ height: Int, _ sign: Float
  ) {
    let side = min(161, max(15, max(width, height) / 6)) | 1
    let smooth = GrayClosing.smoothed(
      samples.map { sign * Float($0) }, width: width, height: height)
    let closed = GrayClosing.closed(smooth, width: width, height: height, side: side)
    for place in differences.indices {
      differences[place] = min(
        differences[place], closed[place] - sign * Float(samples[place]))
    }
  }

  /// The noise of the ground and the contrast of ink.
  private static func scales(_ differences: [Float]) -> (noise: Float, contrast: Float) {
    var magnitudes = [Int](repeating: 0, count: 1024)
    var counts = [Int](repeating: 0, count: 256)
    for difference in differences {
      magnitudes[min(1023, Int(difference.magnitude * 4))] += 1
      if difference > 0 { counts[min(255, Int(difference))] += 1 }
    }
    var (sum, median) = (0, 0)
    while median < 1023, sum + magnitudes[median] <= differences.count / 2 {
      sum += magnitudes[median]
      median += 1
    }
    let noise = max(1, 1.4826 * Float(median) / 4)
    let least = min(255, Int(max(5 * noise, 10)))
    let total = counts[least...].reduce(0, +)
    guard total > 0 else { return (noise, 0) }
    var (above, value) = (0, 255)
    while value > least, above + counts[value] <= total / 5 {
      above += counts[value]
      value -= 1
    }
    return (noise, Float(value))
  }

  /// The mean, over each tile and those beside it, of the samples that are no ink.
  private static func average(
    _ samples: [UInt8], _ width: Int, _ height: Int, _ differences: [Float], limit: Float,
    first: [Float], into tiles: inout Tiles
  ) {
    var (sums, counts) = (
      [Float](repeating: 0, count: tiles.values.count),
      [Float](repeating: 0, count: tiles.values.count)
    )
    for row in 0..<height {
      let line = row / tiles.size * tiles.columns
      for column in 0..<width where differences[row * width + column] < limit {
        let tile = line + column / tiles.size
        sums[tile] += Float(samples[row * width + column])
        counts[tile] += 1
      }
    }
    let area = Float(tiles.size * tiles.size)
    for row in 0..<tiles.rows {
      for column in 0..<tiles.columns {
        var (sum, count) = (Float(0), Float(0))
        for y in max(0, row - 1)...min(tiles.rows - 1, row + 1) {
          for x in max(0, column - 1)...min(tiles.columns - 1, column + 1) {
            let weight: Float = y == row && x == column ? 2 : 1
            sum += weight * sums[y * tiles.columns + x]
            count += weight * counts[y * tiles.columns + x]
          }
        }
        let place = row * tiles.columns + column
        tiles.values[place] = count > 0.3 * area ? sum / count : first[place]
      }
    }
  }
}

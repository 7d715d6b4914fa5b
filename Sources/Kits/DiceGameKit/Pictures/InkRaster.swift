/// A small picture of ink: how much of each pixel is covered, 0...1, row by row.
package struct InkRaster: Sendable {
  /// Columns, at least 1.
  package let width: Int
  /// Rows, at least 1.
  package let height: Int
  /// `[height, width]` shares.
  package var ink: [Float]

  /// A picture without ink.
  ///
  /// - Precondition: both sides are positive.
  package init(width: Int, height: Int) {
    precondition(width > 0 && height > 0, "a picture has a pixel")
    self.width = width
    self.height = height
    ink = [Float](repeating: 0, count: width * height)
  }

  /// What the samples of a digit's picture cover.
  package init(_ bitmap: DigitBitmap) {
    self.init(width: DigitBitmap.side, height: DigitBitmap.side)
    for place in ink.indices { ink[place] = Float(bitmap.samples[place]) / 255 }
  }

  package subscript(row: Int, column: Int) -> Float {
    get { ink[row * width + column] }
    set { ink[row * width + column] = newValue }
  }

  /// The part that has ink above a share; nil without any.
  package func cropped(above share: Float) -> InkRaster? {
    var (left, right, top, bottom) = (width, -1, height, -1)
    for row in 0..<height {
      for column in 0..<width where self[row, column] > share {
        left = min(left, column)
        right = max(right, column)
        top = min(top, row)
        bottom = row
      }
    }
    guard right >= 0 else { return nil }
    return part(columns: left..<right + 1, rows: top..<bottom + 1)
  }

  /// A part of the picture; where it reaches beyond, there is no ink.
  ///
  /// - Precondition: the part is not empty.
  package func part(columns: Range<Int>, rows: Range<Int>) -> InkRaster {
    var part = InkRaster(width: columns.count, height: rows.count)
    for row in rows.clamped(to: 0..<height) {
      for column in columns.clamped(to: 0..<width) {
        part[row - rows.lowerBound, column - columns.lowerBound] = self[row, column]
      }
    }
    return part
  }

  /// The picture at another size: the mean of what each pixel covers where it gets smaller, linear
  /// between the middles of pixels where it gets larger.
  package func resized(width newWidth: Int, height newHeight: Int) -> InkRaster {
    if newWidth == width, newHeight == height { return self }
    let columns = Self.weights(from: width, to: newWidth)
    let rows = Self.weights(from: height, to: newHeight)
    var across = InkRaster(width: newWidth, height: height)
    for row in 0..<height {
      for column in 0..<newWidth {
        var sum: Float = 0
        for (offset, weight) in columns[column].weights.enumerated() {
          sum += weight * ink[row * width + columns[column].first + offset]
        }
        across[row, column] = sum
      }
    }
    var result = InkRaster(width: newWidth, height: newHeight)
    for row in 0..<newHeight {
      for (offset, weight) in rows[row].weights.enumerated() {
        let source = (rows[row].first + offset) * newWidth
        for column in 0..<newWidth {
          result.ink[row * newWidth + column] += weight * across.ink[source + column]
        }
      }
    }
    return result
  }

  /// For each place of an axis, where in the old one its numbers begin and what each weighs.
  private static func weights(from old: Int, to new: Int) -> [(first: Int, weights: [Float])] {
    let step = Float(old) / Float(new)
    return (0..<new).map { place in
      if step <= 1 {
        let middle = min(max(0, (Float(place) + 0.5) * step - 0.5), Float(old - 1))
        let first = min(Int(middle), max(0, old - 2))
        let share = middle - Float(first)
        return old == 1 ? (0, [1]) : (first, [1 - share, share])
      }
      let (low, high) = (Float(place) * step, Float(place + 1) * step)
      let (first, last) = (min(Int(low), old - 1), min(Int(high.rounded(.up)), old))
      let weights = (first..<max(first + 1, last)).map { source in
        max(0, min(high, Float(source + 1)) - max(low, Float(source))) / step
      }
      return (first, weights)
    }
  }

  // MARK: The width of lines

  /// How far the middle of each pixel lies within the ink, in pixels; negative outside.
  ///
  /// Distances go by steps to the side and across corners: too long by 8 % at most.
  func depths(threshold: Float = 0.5) -> [Float] {
    let isInk = ink.map { $0 >= threshold }
    let inside = distances { isInk[$0] }
    let outside = distances { !isInk[$0] }
    return ink.indices.map { isInk[$0] ? inside[$0] - 0.5 : 0.5 - outside[$0] }
  }

  /// For each pixel that counts, the way to the nearest that does not; 0 for the others.
  ///
  /// What lies beyond the picture is not looked at.
  private func distances(_ counts: (Int) -> Bool) -> [Float] {
    let far = Float(width + height)
    var values = ink.indices.map { counts($0) ? far : 0 }
    let diagonal: Float = 1.41421356
    for row in 0..<height {
      for column in 0..<width {
        let place = row * width + column
        var least = values[place]
        if column > 0 { least = min(least, values[place - 1] + 1) }
        if row > 0 {
          least = min(least, values[place - width] + 1)
          if column > 0 { least = min(least, values[place - width - 1] + diagonal) }
          if column + 1 < width { least = min(least, values[place - width + 1] + diagonal) }
        }
        values[place] = least
      }
    }
    for row in (0..<height).reversed() {
      for column in (0..<width).reversed() {
        let place = row * width + column
        var least = values[place]
        if column + 1 < width { least = min(least, values[place + 1] + 1) }
        if row + 1 < height {
          least = min(least, values[place + width] + 1)
          if column > 0 { least = min(least, values[place + width - 1] + diagonal) }
          if column + 1 < width { least = min(least, values[place + width + 1] + diagonal) }
        }
        values[place] = least
      }
    }
    return values
  }

  /// How wide lines are, from the depths of pixels: four times the mean depth within the ink.
  static func lineWidth(_ depths: [Float]) -> Float {
    var (sum, count) = (Float(0), Float(0))
    for depth in depths where depth > 0 {
      sum += depth
      count += 1
    }
    return count > 0 ? 4 * sum / count : 0
  }
}

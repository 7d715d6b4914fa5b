/// A picture of two values, foreground and ground, a bit for each pixel.
///
/// Column 0 and row 0 are at the upper left. What lies beyond the picture is ground.
public struct BinaryImage: Equatable, Sendable {
  /// The longest side of a picture.
  public static let maximumSide = 16_384

  /// Columns, at least 1.
  public private(set) var width: Int
  /// Rows, at least 1.
  public private(set) var height: Int

  /// Words of 64 pixels for each row, the first pixel in the lowest bit.
  ///
  /// At least one bit at the end of a row is no pixel and 0, so that pixels at both edges have
  /// neighbours. A row of zeros lies above the first and below the last row.
  private(set) var words: [UInt64]
  private(set) var wordsPerRow: Int

  /// A picture of ground alone.
  ///
  /// - Precondition: Both sides are in 1...``maximumSide``.
  public init(width: Int, height: Int) {
    Self.check(width, height)
    self.width = width
    self.height = height
    wordsPerRow = width / 64 + 1
    words = [UInt64](repeating: 0, count: Self.wordCount(width, height))
  }

  /// A picture whose foreground are the samples above 0, row by row.
  ///
  /// - Precondition: Both sides are in 1...``maximumSide``, and there are `width * height` samples.
  public init(width: Int, height: Int, samples: [UInt8]) {
    self.init(width: width, height: height)
    precondition(samples.count == width * height, "there is a sample for each pixel")
    for row in 0..<height {
      for column in 0..<width where samples[row * width + column] != 0 {
        words[wordIndex(row, column)] |= 1 << UInt64(column & 63)
      }
    }
  }

  /// Whether a pixel is foreground; false beyond the picture.
  ///
  /// - Precondition: For setting, the pixel is in the picture.
  public subscript(column column: Int, row row: Int) -> Bool {
    get {
      guard (0..<width).contains(column), (0..<height).contains(row) else { return false }
      return words[wordIndex(row, column)] >> UInt64(column & 63) & 1 == 1
    }
    set {
      precondition(
        (0..<width).contains(column) && (0..<height).contains(row), "the pixel is in the picture")
      let bit: UInt64 = 1 << UInt64(column & 63)
      if newValue {
        words[wordIndex(row, column)] |= bit
      } else {
        words[wordIndex(row, column)] &= ~bit
      }
    }
  }

  /// How many pixels are foreground.
  public var foregroundCount: Int {
    var count = 0
    for word in words { count += word.nonzeroBitCount }
    return count
  }

  /// Whether both have the same size and the same foreground.
  public static func == (first: BinaryImage, second: BinaryImage) -> Bool {
    guard first.width == second.width, first.height == second.height else { return false }
    let count = first.wordsPerRow * (first.height + 1)
    return first.words[..<count] == second.words[..<count]
  }

  /// Takes another size; what the pixels are is not said then.
  ///
  /// Memory is taken only where the picture has never been as large.
  mutating func resize(width: Int, height: Int) {
    guard width != self.width || height != self.height else { return }
    Self.check(width, height)
    self.width = width
    self.height = height
    wordsPerRow = width / 64 + 1
    let count = Self.wordCount(width, height)
    if words.count < count {
      words = [UInt64](repeating: 0, count: count)
    } else {
      // The rows around the picture are zeros again.
      for index in 0..<wordsPerRow { words[index] = 0 }
      for index in (height + 1) * wordsPerRow..<words.count { words[index] = 0 }
    }
  }

  /// Lends the words of the rows, the first of which begins at the address; the rows around the picture
  /// lie before and behind.
  mutating func withWords<Result>(
    _ body: (UnsafeMutablePointer<UInt64>) -> Result
  ) -> Result {
    let offset = wordsPerRow
    return unsafe words.withUnsafeMutableBufferPointer { (buffer) in
      unsafe body(buffer.baseAddress! + offset)
    }
  }

  private func wordIndex(_ row: Int, _ column: Int) -> Int {
    (row + 1) * wordsPerRow + column >> 6
  }

  private static func check(_ width: Int, _ height: Int) {
    precondition(
      (1...maximumSide).contains(width) && (1...maximumSide).contains(height),
      "a side has 1 to \(maximumSide) pixels")
  }

  /// One word more than the rows, since neighbours are read two bytes at a time.
  private static func wordCount(_ width: Int, _ height: Int) -> Int {
    (height + 2) * (width / 64 + 1) + 1
  }
}

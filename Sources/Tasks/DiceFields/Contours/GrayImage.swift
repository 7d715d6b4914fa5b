public import DiceImaging

/// A picture of 8-bit gray samples, row by row without padding, whose memory can be used again.
public struct GrayImage: Sendable {
  /// The longest side of a picture.
  public static let maximumSide = BinaryImage.maximumSide

  /// Columns, at least 1.
  public private(set) var width: Int
  /// Rows, at least 1.
  public private(set) var height: Int

  /// The samples, and perhaps unused ones behind them, left from a larger picture.
  var storage: [UInt8]

  /// A black picture.
  ///
  /// - Precondition: Both sides are in 1...``maximumSide``.
  public init(width: Int, height: Int) {
    self.init(width: width, height: height, samples: [UInt8](repeating: 0, count: width * height))
  }

  /// A picture with the given samples, row by row.
  ///
  /// - Precondition: Both sides are in 1...``maximumSide``, and there are `width * height` samples.
  public init(width: Int, height: Int, samples: [UInt8]) {
    precondition(
      (1...Self.maximumSide).contains(width) && (1...Self.maximumSide).contains(height),
      "a side has 1 to \(Self.maximumSide) pixels")
    precondition(samples.count == width * height, "there is a sample for each pixel")
    self.width = width
    self.height = height
    storage = samples
  }

  /// The luminance of a frame, rows as stored.
  ///
  /// - Precondition: Neither side of the frame is above ``maximumSide``.
  public init(_ frame: borrowing RawFrame) {
    self.init(width: frame.width, height: frame.height)
    update(from: frame)
  }

  /// Takes the luminance of a frame, rows as stored, in place of what was there.
  ///
  /// Memory is taken only where the picture has never been as large.
  ///
  /// - Precondition: Neither side of the frame is above ``maximumSide``.
  public mutating func update(from frame: borrowing RawFrame) {
    resize(width: frame.width, height: frame.height)
    frame.copyLuminance(into: &storage, columns: 0..<frame.width, rows: 0..<frame.height)
  }

  /// The luminance of a picture, rows as stored.
  ///
  /// - Precondition: Neither side of the picture is above ``maximumSide``.
  public init(_ image: PixelImage) {
    self = image.withFrame { (frame) in GrayImage(frame) }
  }

  /// The samples, row by row.
  public var samples: ArraySlice<UInt8> { storage[0..<width * height] }

  /// A sample.
  ///
  /// - Precondition: The pixel is in the picture.
  public subscript(column column: Int, row row: Int) -> UInt8 {
    get {
      check(column, row)
      return storage[row * width + column]
    }
    set {
      check(column, row)
      storage[row * width + column] = newValue
    }
  }

  /// Takes another size; what the samples are is not said then.
  ///
  /// Memory is taken only where the picture has never been as large.
  ///
  /// - Precondition: Both sides are in 1...``maximumSide``.
  public mutating func resize(width: Int, height: Int) {
    precondition(
      (1...Self.maximumSide).contains(width) && (1...Self.maximumSide).contains(height),
      "a side has 1 to \(Self.maximumSide) pixels")
    self.width = width
    self.height = height
    let missing = width * height - storage.count
    if missing > 0 { storage.append(contentsOf: repeatElement(0, count: missing)) }
  }

  /// Multiplies the differences from a pivot, and rounds and clamps the results.
  ///
  /// `v' = pivot + (v − pivot) factor`
  ///
  /// - Parameters:
  ///   - factor: What differences are multiplied with; 1 changes nothing. NaN counts as 1.
  ///   - pivot: The value that stays, in the unit of the samples. NaN counts as 0.
  public mutating func adjustContrast(by factor: Double, about pivot: Double) {
    guard factor != 1, !factor.isNaN else { return }
    let pivot = min(max(0, pivot), 255)
    let samples = width * height
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { (table) in
      for value in 0..<256 {
        let adjusted = pivot + (Double(value) - pivot) * factor + 0.5
        unsafe table[value] = UInt8(min(max(0, adjusted), 255))
      }
      unsafe storage.withUnsafeMutableBufferPointer { (storage) in
        for index in 0..<samples { unsafe storage[index] = table[Int(storage[index])] }
      }
    }
  }

  /// As a picture to draw on or to write to a file.
  public func makeImage() -> PixelImage {
    PixelImage(width: width, height: height, format: .gray, samples: Array(samples))
  }

  private func check(_ column: Int, _ row: Int) {
    precondition(
      (0..<width).contains(column) && (0..<height).contains(row), "the pixel is in the picture")
  }
}

/// Rows of bytes: a part of a plane of a picture.
///
/// Kernels trust their callers: `rowCount` rows of `columnCount` bytes, `bytesPerRow` apart, can be
/// read. Nothing behind the last byte of a row is.
@frozen @safe public struct SampleRows {
  /// The first byte of the first row.
  public let pointer: UnsafeRawPointer
  /// Bytes from a row to the next.
  public let bytesPerRow: Int
  /// The number of rows.
  public let rowCount: Int
  /// The number of bytes of a row.
  public let columnCount: Int

  /// The rows that start at a pointer.
  @unsafe
  public init(
    _ pointer: UnsafeRawPointer, bytesPerRow: Int, rowCount: Int, columnCount: Int
  ) {
    unsafe self.pointer = pointer
    self.bytesPerRow = bytesPerRow
    self.rowCount = rowCount
    self.columnCount = columnCount
  }

  /// Where a byte is.
  @_alwaysEmitIntoClient @inline(__always)
  func place(row: Int, column: Int) -> UnsafeRawPointer {
    unsafe pointer + (row &* bytesPerRow &+ column)
  }

  /// One byte.
  @_alwaysEmitIntoClient @inline(__always)
  public func sample(row: Int, column: Int) -> UInt8 {
    unsafe place(row: row, column: column).load(as: UInt8.self)
  }

  /// As many bytes as the vector has lanes, side by side; any alignment.
  @_alwaysEmitIntoClient @inline(__always)
  func samples<Bytes: SIMD>(row: Int, column: Int, as: Bytes.Type) -> Bytes
  where Bytes.Scalar == UInt8 {
    // Not `loadUnaligned`, for the reason that stands at `Address`.
    var bytes = Bytes()
    unsafe withUnsafeMutableBytes(of: &bytes) { (target) in
      unsafe target.baseAddress!.copyMemory(
        from: place(row: row, column: column), byteCount: MemoryLayout<Bytes>.size)
    }
    return bytes
  }
}

/// Bytes as 16-bit numbers and those as floats, in vectors of one width.
public protocol SampleLanes {
  /// Some samples.
  associatedtype Bytes: SIMD where Bytes.Scalar == UInt8
  /// As many 16-bit numbers.
  associatedtype Counts: SIMD where Counts.Scalar == UInt16
  /// Half as many floats.
  associatedtype Floats: FloatLanes

  /// `a + b`, wrapping around.
  static func sum(_ a: Counts, _ b: Counts) -> Counts
}

/// Vectors of 128 bits.
public enum NarrowLanes: SampleLanes {
  /// Eight samples.
  public typealias Bytes = SIMD8<UInt8>
  /// Four floats.
  public typealias Floats = SIMD4<Float>

  /// `a + b`, wrapping around.
  @_alwaysEmitIntoClient @inline(__always)
  public static func sum(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> { a &+ b }
}

/// Vectors of 256 bits.
public enum MediumLanes: SampleLanes {
  /// Sixteen samples.
  public typealias Bytes = SIMD16<UInt8>
  /// Eight floats.
  public typealias Floats = SIMD8<Float>

  /// `a + b`, wrapping around.
  @_alwaysEmitIntoClient @inline(__always)
  public static func sum(_ a: SIMD16<UInt16>, _ b: SIMD16<UInt16>) -> SIMD16<UInt16> { a &+ b }
}

/// Vectors of 512 bits.
public enum WideLanes: SampleLanes {
  /// Thirty-two samples.
  public typealias Bytes = SIMD32<UInt8>
  /// Sixteen floats.
  public typealias Floats = SIMD16<Float>

  /// `a + b`, wrapping around.
  @_alwaysEmitIntoClient @inline(__always)
  public static func sum(_ a: SIMD32<UInt16>, _ b: SIMD32<UInt16>) -> SIMD32<UInt16> { a &+ b }
}

extension SampleLanes {
  // Loops over lanes, which become one instruction. The conversions of the standard library would be
  // calls, whose symbols the linker might choose for modules that run everywhere.

  /// Bytes as 16-bit numbers.
  @_alwaysEmitIntoClient @inline(__always)
  static func widened(_ bytes: Bytes) -> Counts {
    var counts = Counts()
    for lane in 0..<Counts.scalarCount { counts[lane] = UInt16(truncatingIfNeeded: bytes[lane]) }
    return counts
  }

  /// The first half of some numbers as floats, exactly.
  @_alwaysEmitIntoClient @inline(__always)
  static func lower(_ counts: Counts) -> Floats {
    var floats = Floats()
    for lane in 0..<Floats.scalarCount {
      floats[lane] = Float(Int32(truncatingIfNeeded: counts[lane]))
    }
    return floats
  }

  /// The second half of some numbers as floats, exactly.
  @_alwaysEmitIntoClient @inline(__always)
  static func upper(_ counts: Counts) -> Floats {
    var floats = Floats()
    for lane in 0..<Floats.scalarCount {
      floats[lane] = Float(Int32(truncatingIfNeeded: counts[lane &+ Floats.scalarCount]))
    }
    return floats
  }
}

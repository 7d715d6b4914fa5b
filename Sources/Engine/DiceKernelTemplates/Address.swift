/// A place in a buffer of floats: the one helper that holds the pointer arithmetic of all kernels.
///
/// Kernels trust their callers: every offset handed in must stay inside the buffer, which the
/// entry points of `DiceKernels` state as preconditions.
@frozen @safe public struct Address {
  /// The memory behind this place.
  public let pointer: UnsafeMutablePointer<Float>

  /// The place that a pointer names.
  @_alwaysEmitIntoClient @inline(__always)
  public init(_ pointer: UnsafeMutablePointer<Float>) { unsafe self.pointer = pointer }

  /// The place of a buffer that is only read through this address.
  @_alwaysEmitIntoClient @inline(__always)
  public init(_ pointer: UnsafePointer<Float>) {
    unsafe self.pointer = UnsafeMutablePointer(mutating: pointer)
  }

  /// The place `count` floats further on.
  @_alwaysEmitIntoClient @inline(__always)
  public func advanced(by count: Int) -> Address { unsafe Address(pointer + count) }

  /// One float, `offset` floats further on.
  @_alwaysEmitIntoClient @inline(__always)
  public func scalar(at offset: Int) -> Float { unsafe pointer[offset] }

  /// Writes one float, `offset` floats further on.
  @_alwaysEmitIntoClient @inline(__always)
  public func store(_ value: Float, at offset: Int) { unsafe pointer[offset] = value }

  /// A vector that starts `offset` floats further on; any alignment.
  @_alwaysEmitIntoClient @inline(__always)
  public func vector<Vector: FloatLanes>(at offset: Int, as: Vector.Type) -> Vector {
    // Not `loadUnaligned`: its specialization becomes a symbol of its own, compiled for this module's
    // instruction set, that the linker might choose for modules that run everywhere.
    var vector = Vector()
    unsafe withUnsafeMutableBytes(of: &vector) { (bytes) in
      unsafe bytes.baseAddress!.copyMemory(
        from: pointer + offset, byteCount: MemoryLayout<Vector>.size)
    }
    return vector
  }

  /// Writes a vector that starts `offset` floats further on; any alignment.
  @_alwaysEmitIntoClient @inline(__always)
  public func store<Vector: FloatLanes>(_ value: Vector, at offset: Int) {
    unsafe UnsafeMutableRawPointer(pointer + offset).storeBytes(of: value, as: Vector.self)
  }
}

/// The pixels of a map: where the first one lies and how far its neighbours are.
@frozen @safe public struct PixelGrid<Place> {
  /// Channel 0 of the first pixel.
  public var start: Place
  /// Numbers between neighbouring columns.
  public var columnStep: Int
  /// Numbers between neighbouring rows.
  public var rowStep: Int

  /// A grid of the given parts.
  @_alwaysEmitIntoClient @inline(__always)
  public init(_ start: Place, columnStep: Int, rowStep: Int) {
    self.start = start
    self.columnStep = columnStep
    self.rowStep = rowStep
  }
}

/// Distances in memory that a kernel looks up, such as those of a convolution's taps.
@frozen @safe public struct OffsetList {
  /// The first distance.
  public var first: UnsafePointer<Int>
  /// How many.
  public var count: Int

  /// So many distances from a place in memory on.
  @unsafe
  public init(_ first: UnsafePointer<Int>, count: Int) {
    unsafe self.first = first
    self.count = count
  }
}

/// How a product is added to a sum: in one rounding where the hardware has it, else in two.
public protocol MultiplyAdd {
  /// `sum + a * b`.
  static func apply<Vector: FloatLanes>(_ sum: Vector, _ a: Vector, _ b: Vector) -> Vector

  /// Fetches what stands at a place into a cache, where that is worth an instruction.
  static func fetch(_ place: Address)
}

extension MultiplyAdd {
  /// Nothing: numbers come when they are read.
  @_alwaysEmitIntoClient @inline(__always)
  public static func fetch(_ place: Address) {}
}

/// One rounding: a single instruction where the module's flags enable it, a slow call elsewhere.
public enum Fused: MultiplyAdd {
  /// `sum + a * b`, rounded once.
  @_alwaysEmitIntoClient @inline(__always)
  public static func apply<Vector: FloatLanes>(_ sum: Vector, _ a: Vector, _ b: Vector) -> Vector {
    sum.addingProduct(a, b)
  }
}

/// Two roundings: fast on every processor.
public enum Separate: MultiplyAdd {
  /// `sum + a * b`, the product rounded before it is added.
  @_alwaysEmitIntoClient @inline(__always)
  public static func apply<Vector: FloatLanes>(_ sum: Vector, _ a: Vector, _ b: Vector) -> Vector {
    sum + a * b
  }
}

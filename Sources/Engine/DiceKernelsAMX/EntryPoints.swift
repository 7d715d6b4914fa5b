#if arch(x86_64) && os(Linux)
  internal import Builtin
  public import DiceKernelTemplates
  internal import _Builtin_intrinsics.intel

  // Never inlined, so that no such instruction gets into a module that must run everywhere.

  /// Rounds floats to bfloat16, with zeros behind them.
  @inline(never)
  public func narrowAMX(_ source: Address, to target: BFloat16Address, count: Int) {
    narrow(source, to: target, count: count)
  }

  /// The rows `rows` of a convolution.
  @inline(never)
  public func convolveAMX(_ task: MatrixConvolutionTask, rows: Range<Int>) {
    convolve(Hardware.self, task, rows: rows)
  }

  /// The rows `rows` of a layer.
  @inline(never)
  public func convolveAMX(_ task: MatrixLayerTask, rows: Range<Int>, scratch: Address) {
    convolve(Hardware.self, task, rows: rows, scratch: scratch)
  }

  /// The rows `rows` of a layer of integers.
  @inline(never)
  public func convolveAMX(_ task: IntegerLayerTask, rows: Range<Int>, scratch: Address) {
    convolve(IntegerHardware.self, task, rows: rows, scratch: scratch)
  }

  /// Adds the weight gradient over all rows.
  @inline(never)
  public func gatherWeightGradientAMX(_ task: MatrixWeightGradientTask, scratch: Address) {
    gatherWeightGradient(Hardware.self, task, scratch: scratch)
  }

  // In the same file as the entry points: debug builds compile file by file and inline these as well.

  // The instructions of Intel's matrix extensions (AMX). Tiles are named by constants, which the compiler's
  // intrinsics take as such only when they are called by name.

  /// Loads a tile's rows, `stride` bytes apart.
  @_extern(c, "llvm.x86.tileloadd64")
  func loadTile(_ tile: Int8, _ place: UnsafeRawPointer, _ stride: Int64)

  /// Stores a tile's rows, `stride` bytes apart.
  @_extern(c, "llvm.x86.tilestored64")
  func storeTile(_ tile: Int8, _ place: UnsafeMutableRawPointer, _ stride: Int64)

  /// The processor's own tiles, of bfloat16 numbers.
  struct Hardware: HardwareTiles {
    @inline(__always)
    static var stepByteCount: Int { 2 }

    @inline(__always)
    init(rows: Int) { Self.configure(rows: rows) }

    @inline(__always)
    func addProduct(to sums: MatrixTile) {
      switch sums {
      case .firstFirst:
        Builtin.int_x86_tdpbf16ps(Int8(0)._value, Int8(4)._value, Int8(6)._value)
      case .firstSecond:
        Builtin.int_x86_tdpbf16ps(Int8(1)._value, Int8(4)._value, Int8(7)._value)
      case .secondFirst:
        Builtin.int_x86_tdpbf16ps(Int8(2)._value, Int8(5)._value, Int8(6)._value)
      case .secondSecond:
        Builtin.int_x86_tdpbf16ps(Int8(3)._value, Int8(5)._value, Int8(7)._value)
      default: break
      }
    }
  }

  /// The processor's own tiles, of unsigned 8-bit integers on the left and signed ones on the right.
  struct IntegerHardware: HardwareTiles {
    @inline(__always)
    static var stepByteCount: Int { 4 }

    @inline(__always)
    init(rows: Int) { Self.configure(rows: rows) }

    @inline(__always)
    func addProduct(to sums: MatrixTile) {
      switch sums {
      case .firstFirst: Builtin.int_x86_tdpbusd(Int8(0)._value, Int8(4)._value, Int8(6)._value)
      case .firstSecond: Builtin.int_x86_tdpbusd(Int8(1)._value, Int8(4)._value, Int8(7)._value)
      case .secondFirst: Builtin.int_x86_tdpbusd(Int8(2)._value, Int8(5)._value, Int8(6)._value)
      case .secondSecond: Builtin.int_x86_tdpbusd(Int8(3)._value, Int8(5)._value, Int8(7)._value)
      default: break
      }
    }
  }

  /// How integers are written.
  enum ByteStore: IntegerStore {
    typealias Lanes = SIMD16<Float>

    @inline(__always)
    static func store(_ values: SIMD16<Float>, _ target: UnsafeMutableRawPointer) {
      // Of two operands, one of which is a NaN, the second one is taken.
      let least = _mm512_max_ps(values, _mm512_setzero_ps())
      let integers = _mm512_cvtps_epi32(_mm512_min_ps(least, _mm512_set1_ps(255)))
      unsafe _mm_storeu_si128(
        target.assumingMemoryBound(to: __m128i.self), _mm512_cvtepi32_epi8(integers))
    }
  }

  /// What the processor's tiles do whatever they hold.
  protocol HardwareTiles: TileUnit where ByteStore == DiceKernelsAMX.ByteStore {}

  extension HardwareTiles {
    @inline(__always)
    static func storeRectified(
      _ sums: SIMD16<Float>, slope: SIMD16<Float>, _ target: BFloat16Address
    ) {
      let rectified = _mm512_mask_mul_ps(
        sums, _mm512_movepi32_mask(_mm512_castps_si512(sums)), sums, slope)
      // Of two operands, one of which is a NaN, the second one is taken.
      let greatest = _mm512_set1_ps(Float(bitPattern: 0x7F7F_0000))
      let least = _mm512_set1_ps(-Float(bitPattern: 0x7F7F_0000))
      let finite = _mm512_min_ps(greatest, _mm512_max_ps(least, rectified))
      let bits = _mm512_castps_si512(finite)
      let upper = _mm512_srli_epi32(bits, 16)
      let last = _mm512_and_si512(upper, _mm512_set1_epi32(1))
      let rounded = _mm512_srli_epi32(
        _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7FFF)), last), 16)
      // A NaN's magnitude lies above that of infinity.
      let magnitude = _mm512_and_si512(bits, _mm512_set1_epi32(0x7FFF_FFFF))
      let isNaN = _mm512_movepi32_mask(
        _mm512_sub_epi32(_mm512_set1_epi32(0x7F80_0000), magnitude))
      let result = _mm512_mask_or_epi32(rounded, isNaN, upper, _mm512_set1_epi32(0x40))
      unsafe _mm256_storeu_si256(
        target.pointer.assumingMemoryBound(to: __m256i.self), _mm512_cvtepi32_epi16(result))
    }

    @inline(__always)
    static func configure(rows: Int) {
      var bytes = (
        SIMD16<UInt8>(repeating: 0), SIMD16<UInt8>(repeating: 0), SIMD16<UInt8>(repeating: 0),
        SIMD16<UInt8>(repeating: 0)
      )
      unsafe withUnsafeMutableBytes(of: &bytes) { (bytes) in
        // Palette 1; bytes per row from byte 16 on, two bytes each; rows from byte 48 on.
        unsafe bytes[0] = 1
        for tile in 0..<8 {
          unsafe bytes[16 + 2 * tile] = 64
          unsafe bytes[48 + tile] = tile < 6 ? UInt8(truncatingIfNeeded: rows) : 16
        }
        unsafe _tile_loadconfig(bytes.baseAddress!)
      }
    }

    @inline(__always)
    func release() { _tile_release() }

    @inline(__always)
    func clearSums() {
      Builtin.int_x86_tilezero(Int8(0)._value)
      Builtin.int_x86_tilezero(Int8(1)._value)
      Builtin.int_x86_tilezero(Int8(2)._value)
      Builtin.int_x86_tilezero(Int8(3)._value)
    }

    // The compiler removes every branch: callers name the tile.

    @inline(__always)
    func load(_ tile: MatrixTile, _ place: UnsafeRawPointer, stride: Int) {
      let stride = Int64(stride)
      switch tile {
      case .firstFirst: unsafe loadTile(0, place, stride)
      case .firstSecond: unsafe loadTile(1, place, stride)
      case .secondFirst: unsafe loadTile(2, place, stride)
      case .secondSecond: unsafe loadTile(3, place, stride)
      case .firstLeft: unsafe loadTile(4, place, stride)
      case .secondLeft: unsafe loadTile(5, place, stride)
      case .firstRight: unsafe loadTile(6, place, stride)
      case .secondRight: unsafe loadTile(7, place, stride)
      }
    }

    @inline(__always)
    func store(_ tile: MatrixTile, _ place: UnsafeMutableRawPointer, stride: Int) {
      let stride = Int64(stride)
      switch tile {
      case .firstFirst: unsafe storeTile(0, place, stride)
      case .firstSecond: unsafe storeTile(1, place, stride)
      case .secondFirst: unsafe storeTile(2, place, stride)
      case .secondSecond: unsafe storeTile(3, place, stride)
      case .firstLeft: unsafe storeTile(4, place, stride)
      case .secondLeft: unsafe storeTile(5, place, stride)
      case .firstRight: unsafe storeTile(6, place, stride)
      case .secondRight: unsafe storeTile(7, place, stride)
      }
    }
  }
#endif

#if arch(x86_64) && os(Linux)
  internal import Builtin
  internal import _Builtin_intrinsics.intel

  // The instructions of Intel's matrix extensions (AMX). Tiles are named by constants, which the compiler's
  // intrinsics take as such only when they are called by name.

  /// Loads a tile's rows, `stride` bytes apart.
  @_extern(c, "llvm.x86.tileloadd64")
  func loadTile(_ tile: Int8, _ place: UnsafeRawPointer, _ stride: Int64)

  /// Stores a tile's rows, `stride` bytes apart.
  @_extern(c, "llvm.x86.tilestored64")
  func storeTile(_ tile: Int8, _ place: UnsafeMutableRawPointer, _ stride: Int64)

  /// The tiles in use: four of sums, two of left factors and two of right ones.
  ///
  /// | tile | what it holds |
  /// |---|---|
  /// | 0, 1 | sums of the first left factor with the first and second right one |
  /// | 2, 3 | sums of the second left factor with the first and second right one |
  /// | 4, 5 | left factors: rows of 32 numbers |
  /// | 6, 7 | right factors: 16 rows of 16 pairs |
  enum Tiles {
    /// Sets the number of rows of the sums and left factors; all tiles become zero.
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

    /// Gives the tiles back to the operating system.
    @inline(__always)
    static func release() { _tile_release() }

    /// Sets the sums to zero.
    @inline(__always)
    static func clearSums() {
      Builtin.int_x86_tilezero(Int8(0)._value)
      Builtin.int_x86_tilezero(Int8(1)._value)
      Builtin.int_x86_tilezero(Int8(2)._value)
      Builtin.int_x86_tilezero(Int8(3)._value)
    }

    /// Adds the product of the first left and the first right factor.
    @inline(__always)
    static func addFirstFirst() {
      Builtin.int_x86_tdpbf16ps(Int8(0)._value, Int8(4)._value, Int8(6)._value)
    }

    /// Adds the product of the first left and the second right factor.
    @inline(__always)
    static func addFirstSecond() {
      Builtin.int_x86_tdpbf16ps(Int8(1)._value, Int8(4)._value, Int8(7)._value)
    }

    /// Adds the product of the second left and the first right factor.
    @inline(__always)
    static func addSecondFirst() {
      Builtin.int_x86_tdpbf16ps(Int8(2)._value, Int8(5)._value, Int8(6)._value)
    }

    /// Adds the product of the second left and the second right factor.
    @inline(__always)
    static func addSecondSecond() {
      Builtin.int_x86_tdpbf16ps(Int8(3)._value, Int8(5)._value, Int8(7)._value)
    }
  }
#endif

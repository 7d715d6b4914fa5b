// What the compiler and the Swift runtime ask of a C library, which is not there.

@_cdecl("posix_memalign")
func allocateAligned(
  _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: Int, _ byteCount: Int
) -> Int32 {
  guard let block = unsafe Heap.allocate(byteCount: byteCount, alignment: alignment) else {
    return 12  // ENOMEM
  }
  unsafe result.pointee = block
  return 0
}

/// `free`: the compiler keeps that name for itself, and the linker puts this one in its place (`--wrap`).
@_cdecl("__wrap_free")
func free(_ pointer: UnsafeMutableRawPointer?) {
  if let pointer = unsafe pointer { unsafe Heap.free(pointer) }
}

/// The seed of hash tables: always the same, so that the same frames give the same results.
@_cdecl("arc4random_buf")
func fillSeed(_ pointer: UnsafeMutableRawPointer, _ byteCount: Int) {
  for offset in 0..<byteCount {
    let byte = UInt8(truncatingIfNeeded: 151 &* offset)
    unsafe pointer.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
  }
}

/// The first difference of two blocks of bytes, 0 where there is none.
@_cdecl("memcmp")
func compareBytes(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _ byteCount: Int) -> Int32
{
  for offset in 0..<byteCount {
    let a = unsafe first.load(fromByteOffset: offset, as: UInt8.self)
    let b = unsafe second.load(fromByteOffset: offset, as: UInt8.self)
    if a != b { return Int32(a) - Int32(b) }
  }
  return 0
}

/// The nearest integer, away from zero where two are equally near.
@_cdecl("round")
func roundAway(_ value: Double) -> Double {
  // The largest number below a half: with a half itself the number below a half would become 1.
  let half = 0.5.nextDown
  return value < 0 ? (value - half).rounded(.up) : (value + half).rounded(.down)
}

/// The same of a number of 32 bits.
@_cdecl("roundf")
func roundAway(_ value: Float) -> Float {
  let half = Float(0.5).nextDown
  return value < 0 ? (value - half).rounded(.up) : (value + half).rounded(.down)
}

/// The lower 128 bits of a product of two numbers of 128 bits, as `Duration` wants them.
@_cdecl("__multi3")
func multiply128(
  _ result: UnsafeMutablePointer<UInt64>, _ a: UInt64, _ aHigh: UInt64, _ b: UInt64,
  _ bHigh: UInt64
) {
  // By halves of 32 bits: a wider product would be a call of this function.
  let (a0, a1, b0, b1) = (a & 0xFFFF_FFFF, a >> 32, b & 0xFFFF_FFFF, b >> 32)
  let low = a0 * b0
  let middle = a1 * b0 + (low >> 32)
  let cross = a0 * b1 + (middle & 0xFFFF_FFFF)
  unsafe result[0] = cross << 32 | low & 0xFFFF_FFFF
  unsafe result[1] =
    a1 * b1 &+ (middle >> 32) &+ (cross >> 32) &+ a &* bHigh &+ aHigh &* b
}

import TestSupport
import Testing

@testable import DiceNumerics

struct HalfPrecisionTests {
  @Test func everyFloat16HasTheValueOfItsFields() {
    var count = 0
    for bits in UInt16.min...UInt16.max {
      let value = HalfPrecision.float(float16: bits)
      let fraction = Double(bits & 0x3FF) / 1024
      let magnitude: Double =
        switch bits >> 10 & 0x1F {
        case 0: fraction * 0x1p-14
        case 31: fraction == 0 ? .infinity : .nan
        case let exponent:
          (1 + fraction) * Double(sign: .plus, exponent: Int(exponent) - 15, significand: 1)
        }
      let isSame = magnitude.isNaN ? value.isNaN : Double(value.magnitude) == magnitude
      let isRight = isSame && (value.sign == .minus) == (bits >= 0x8000)
      if !isRight { Issue.record("\(bits)") }
      count += 1
    }
    expectEqual(count, 65_536)
  }

  @Test func everyFloat16HasTheValueOfNumPy() throws {
    var bytes: [UInt8] = []
    for bits in UInt16.min...UInt16.max {
      let value = HalfPrecision.float(float16: bits)
      let word = value.isNaN ? 0x7FC0_0000 : value.bitPattern
      for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    let golden = String(
      decoding: try Fixtures.bytes("golden/weights/float16.txt").dropLast(), as: UTF8.self)
    expectEqual(XXHash64.hash(bytes), UInt64(golden, radix: 16))
  }

  @Test func everyFloat16SurvivesTheWayThroughFloat() {
    var count = 0
    for bits in UInt16.min...UInt16.max {
      let isNaN = bits & 0x7FFF > 0x7C00
      // A NaN becomes quiet and keeps the rest of its bits.
      let expected = isNaN ? bits | 0x200 : bits
      let found = HalfPrecision.float16(HalfPrecision.float(float16: bits))
      if found != expected { Issue.record("\(bits) became \(found)") }
      count += 1
    }
    expectEqual(count, 65_536)
  }

  @Test func everyBfloat16SurvivesTheWayThroughFloat() {
    var count = 0
    for bits in UInt16.min...UInt16.max {
      let isNaN = bits & 0x7FFF > 0x7F80
      let found = HalfPrecision.bfloat16(HalfPrecision.float(bfloat16: bits))
      if found != (isNaN ? bits | 0x40 : bits) { Issue.record("\(bits) became \(found)") }
      count += 1
    }
    expectEqual(count, 65_536)
  }

  /// NumPy's float16 and ml_dtypes' bfloat16, at and beside the boundaries between neighbours.
  @Test func roundsLikeNumPyAndMLDtypes() throws {
    let bytes = try Fixtures.bytes("golden/weights/rounding.bin")
    func word(_ offset: Int, _ count: Int) -> UInt32 {
      bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    let offsets = stride(from: 0, to: bytes.count, by: 8)
    for offset in offsets {
      let value = Float(bitPattern: word(offset, 4))
      let half = HalfPrecision.float16(value)
      let brain = HalfPrecision.bfloat16(value)
      if UInt32(half) != word(offset + 4, 2) || UInt32(brain) != word(offset + 6, 2) {
        Issue.record("\(value) became \(half) and \(brain)")
      }
    }
    #expect(Array(offsets).count > 5000)
  }

  #if !(arch(x86_64) && (os(macOS) || targetEnvironment(macCatalyst)))
    @Test func agreesWithTheStandardLibraryOnRandomBits() {
      var generator = SeededGenerator(seed: 7)
      for _ in 0..<100_000 {
        // Half of the values lie where float16 has its rounding boundaries.
        var bits = UInt32(truncatingIfNeeded: generator.next())
        if bits & 0x8000_0000 == 0 { bits = 0x3200_0000 &+ bits % 0x1600_0000 }
        let value = Float(bitPattern: bits)
        if value.isNaN { continue }
        if HalfPrecision.float16(value) != Float16(value).bitPattern {
          Issue.record("\(value)")
        }
      }
    }
  #endif
}

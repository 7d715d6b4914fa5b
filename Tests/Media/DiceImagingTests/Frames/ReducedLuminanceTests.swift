import DiceImaging
import TestSupport
import Testing

struct ReducedLuminanceTests {
  private func reduced(_ frame: StoredFrame, columns: Int, rows: Int) -> [UInt8] {
    var plane = [UInt8](repeating: 99, count: columns * rows + 2)
    frame.withFrame { $0.reduceLuminance(into: &plane, columns: columns, rows: rows) }
    expectEqual(plane.suffix(2), [99, 99])
    return Array(plane.dropLast(2))
  }

  @Test func averagesBoxesOfUnevenSize() throws {
    // Five columns in two boxes: 0 and 1, 2 to 4.
    let frame = try StoredFrame(
      pixels: [10, 20, 30, 40, 50, 30, 40, 50, 60, 70], format: .gray, width: 5, height: 2)
    expectEqual(reduced(frame, columns: 2, rows: 1), [25, 50])
    expectEqual(reduced(frame, columns: 5, rows: 2), [10, 20, 30, 40, 50, 30, 40, 50, 60, 70])
  }

  @Test func takesFourRowsOfATallBox() throws {
    // Of 16 rows those at 2, 6, 10 and 14.
    let frame = try StoredFrame(
      pixels: (0..<16).map { UInt8($0 * 10) }, format: .gray, width: 1, height: 16)
    expectEqual(reduced(frame, columns: 1, rows: 1), [80])
  }

  @Test func weighsColoursTheSameInEveryOrder() throws {
    let rgb = try StoredFrame(pixels: [100, 200, 40], format: .rgb, width: 1, height: 1)
    let rgba = try StoredFrame(pixels: [100, 200, 40, 7], format: .rgba, width: 1, height: 1)
    let bgra = try StoredFrame(pixels: [40, 200, 100, 7], format: .bgra, width: 1, height: 1)
    for frame in [rgb, rgba, bgra] { expectEqual(reduced(frame, columns: 1, rows: 1), [135]) }
  }

  @Test func takesLumaAsItIs() throws {
    let frame = try StoredFrame(
      planes: [16, 235, 50, 70, 128, 128], subsampling: .s420,
      encoding: YCbCrEncoding(.bt601, .video),
      width: 2, height: 2)
    expectEqual(reduced(frame, columns: 2, rows: 2), [16, 235, 50, 70])
  }
}

import DiceImaging
import TestSupport
import Testing

struct FrameReductionTests {
  private func reduced(
    _ frame: StoredFrame, columns: Int, rows: Int,
    by reduce: (borrowing RawFrame, inout [UInt8]) -> Void
  ) -> [UInt8] {
    var plane = [UInt8](repeating: 99, count: columns * rows + 2)
    frame.withFrame { reduce($0, &plane) }
    expectEqual(plane.suffix(2), [99, 99])
    return Array(plane.dropLast(2))
  }

  private func reduced(_ frame: StoredFrame, columns: Int, rows: Int) -> [UInt8] {
    reduced(frame, columns: columns, rows: rows) {
      $0.reduceLuminance(into: &$1, columns: columns, rows: rows)
    }
  }

  private func colors(of frame: StoredFrame, columns: Int, rows: Int) -> [UInt8] {
    reduced(frame, columns: columns, rows: rows) {
      $0.reduceColors(into: &$1, columns: columns, rows: rows)
    }
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

  @Test func saysHowRedOrBlueColoursAreInEveryOrder() throws {
    let rgb = try StoredFrame(
      pixels: [255, 9, 0, 0, 9, 255, 40, 9, 10, 60, 9, 60], format: .rgb, width: 4, height: 1)
    let bgra = try StoredFrame(
      pixels: [0, 9, 255, 7, 255, 9, 0, 7, 10, 9, 40, 7, 60, 9, 60, 7], format: .bgra, width: 4,
      height: 1)
    for frame in [rgb, bgra] {
      expectEqual(colors(of: frame, columns: 4, rows: 1), [255, 0, 143, 128])
      expectEqual(colors(of: frame, columns: 2, rows: 1), [127, 135])
    }
  }

  @Test func takesTwoRowsOfATallBoxForItsColour() throws {
    // Of 8 rows those at 2 and 6.
    let frame = try StoredFrame(
      pixels: (0..<8).flatMap { [UInt8($0 * 20), 0, 0] }, format: .rgb, width: 1, height: 8)
    expectEqual(colors(of: frame, columns: 1, rows: 1), [168])
  }

  @Test func takesColoursFromChroma() throws {
    // Blue, then red, for two by two pixels each.
    let frame = try StoredFrame(
      planes: [UInt8](repeating: 90, count: 8) + [200, 100, 128, 228], subsampling: .s420,
      encoding: YCbCrEncoding(.bt601, .video), width: 4, height: 2)
    expectEqual(colors(of: frame, columns: 2, rows: 1), [92, 192])
    expectEqual(colors(of: frame, columns: 4, rows: 2), [92, 92, 192, 192, 92, 92, 192, 192])
  }

  @Test func grayHasNoColour() throws {
    let gray = try StoredFrame(pixels: [10, 200, 90, 0], format: .gray, width: 2, height: 2)
    expectEqual(colors(of: gray, columns: 2, rows: 2), [128, 128, 128, 128])
  }

  /// Boxes of all widths, odd and even, against the definition.
  @Test(arguments: RawFrame.PixelFormat.allCases)
  func agreesWithTheDefinition(format: RawFrame.PixelFormat) throws {
    var generator = SeededGenerator(seed: 12)
    for (width, height) in [(37, 23), (64, 9), (130, 50), (5, 1)] {
      let channels = format.channelCount
      let pixels = (0..<width * height * channels).map { (_) in
        UInt8(truncatingIfNeeded: generator.next())
      }
      let frame = try StoredFrame(pixels: pixels, format: format, width: width, height: height)
      func mean(
        _ column: Int, _ row: Int, _ columns: Int, _ rows: Int, of rowLimit: Int,
        _ value: ([Int]) -> Int
      ) -> UInt8 {
        let box = column * width / columns..<(column + 1) * width / columns
        let top = row * height / rows
        let count = (row + 1) * height / rows - top
        let taken = min(count, rowLimit)
        var sum = 0
        for index in 0..<taken {
          let line = top + (2 * index + 1) * count / (2 * taken)
          for x in box {
            let start = (line * width + x) * channels
            sum += value(pixels[start..<start + channels].map { Int($0) })
          }
        }
        return UInt8(sum / (taken * box.count))
      }
      for (columns, rows) in [(1, 1), (5, 1), (4, 1), (min(width, 36), min(height, 8))] {
        var luminance: [UInt8] = []
        var colors: [UInt8] = []
        for row in 0..<rows {
          for column in 0..<columns {
            luminance.append(
              mean(column, row, columns, rows, of: 4) {
                channels == 1 ? $0[0] : ($0[0] + 2 * $0[1] + $0[2]) / 4
              })
            colors.append(
              mean(column, row, columns, rows, of: 2) {
                let difference = channels == 1 ? 0 : format == .bgra ? $0[2] - $0[0] : $0[0] - $0[2]
                return (difference + 256) / 2
              })
          }
        }
        expectEqual(reduced(frame, columns: columns, rows: rows), luminance)
        expectEqual(self.colors(of: frame, columns: columns, rows: rows), colors)
      }
    }
  }
}

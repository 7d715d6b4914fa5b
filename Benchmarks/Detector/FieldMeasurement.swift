import BenchmarkSupport
import DiceFields
import DiceGeometry
import DiceImaging

/// A chess board on a table, found in a frame and followed while the camera moves.
enum FieldMeasurement {
  static func run(_ settings: Settings) throws -> Table {
    var table = Table(
      "a chess board in 1080p frames, one thread",
      [.init("step", "step"), .init("medianMilliseconds", "median ms a frame")])
    let film = try Film()
    let found = try Timing(rounds: max(3, settings.rounds / 6), warm: 1) {
      try film.check(FieldDetector().detect(in: film.images[0]).first, 0)
    }
    table.append(.text("found"), .number(found.median, decimals: 1))
    var tracker = FieldTracker()
    try film.follow(&tracker)
    let followed = try Timing(rounds: max(3, settings.rounds / 6), warm: 1) {
      try film.follow(&tracker)
    }
    table.append(
      .text("followed"), .number(followed.median / Double(2 * film.frames.count), decimals: 2))
    return table
  }

  /// Frames of a camera that moves to and fro above a board, with the corners that it has in them.
  struct Film {
    private(set) var frames: [StoredFrame] = []
    private(set) var images: [PixelImage] = []
    private var outlines: [Quadrilateral] = []

    init() throws {
      for number in 0..<8 {
        let shift = Double(6 * number)
        let outline = Quadrilateral(
          upperLeft: PixelPoint(x: 560 + shift, y: 200 + shift / 2),
          upperRight: PixelPoint(x: 1340 + shift / 3, y: 230 - shift / 3),
          lowerRight: PixelPoint(x: 1560 - shift / 2, y: 900 + shift / 4),
          lowerLeft: PixelPoint(x: 380 + shift / 2, y: 860))
        let image = try Self.picture(outline)
        frames.append(
          try StoredFrame(
            pixels: image.samples, format: .gray, width: image.width, height: image.height,
            bytesPerRow: image.width))
        images.append(image)
        outlines.append(outline)
      }
    }

    /// Follows the board to the last frame and back.
    func follow(_ tracker: inout FieldTracker) throws {
      for turn in 0..<2 * frames.count {
        let index = min(turn, 2 * frames.count - 1 - turn)
        let field = try frames[index].withFrame { (frame) in try tracker.update(with: frame) }
        try check(field, index)
      }
    }

    /// Whether the corners are where they are, to three pixels.
    func check(_ field: Field?, _ index: Int) throws {
      guard let field else { throw WrongResult("there is no field in frame \(index)") }
      for corner in 0..<4 {
        let distance = field.outline[corner].squaredDistance(to: outlines[index][corner])
        guard distance < 9 else {
          throw WrongResult("corner \(corner) of frame \(index) is off by the root of \(distance)")
        }
      }
    }

    private static func picture(_ outline: Quadrilateral) throws -> PixelImage {
      let square = Quadrilateral(BoundingBox(x: 0, y: 0, width: 8, height: 8))
      guard let map = Homography(from: outline, to: square) else {
        throw WrongResult("the board has no plane")
      }
      var samples = [UInt8](repeating: 120, count: 1920 * 1080)
      for row in 0..<1080 {
        for column in 0..<1920 {
          var sum = 0
          for part in 0..<4 {
            let place = map.map(
              SIMD2(
                Double(column) + (Double(part & 1) + 0.5) / 2,
                Double(row) + (Double(part >> 1) + 0.5) / 2))
            let isInside = place.min() >= 0 && place.max() < 8
            sum += !isInside ? 120 : (Int(place.x) + Int(place.y)) & 1 == 0 ? 225 : 40
          }
          samples[row * 1920 + column] = UInt8(sum / 4)
        }
      }
      return PixelImage(width: 1920, height: 1080, format: .gray, samples: samples)
    }
  }
}

import DiceFields
import DiceGeometry
import DiceImaging

/// Fields of small pictures, some with lines and squares in them, and planes of any numbers.
enum Target {
  static func run(_ bytes: [UInt8]) {
    var reader = InputReader(bytes)
    if reader.byte() % 3 == 0 { measure(&reader) } else { detect(&reader) }
  }

  /// A likely number, or one of any bit pattern.
  private static func number(_ reader: inout InputReader) -> Double {
    let kind = reader.byte()
    if kind < 8 { return reader.double() }
    let special: [Double] = [0, -1, 1e-300, 1e300, .infinity, -.infinity, .nan]
    if kind < 16 { return special[Int(kind) % special.count] }
    return Double(Int(reader.word(2)) - 4096) / 32
  }

  private static func point(_ reader: inout InputReader) -> PixelPoint {
    PixelPoint(x: number(&reader), y: number(&reader))
  }

  private static func measure(_ reader: inout InputReader) {
    let outline = Quadrilateral(
      upperLeft: point(&reader), upperRight: point(&reader), lowerRight: point(&reader),
      lowerLeft: point(&reader))
    do throws(FieldError) {
      let plane = try FieldPlane(
        outline: outline, width: number(&reader), height: number(&reader))
      let place = plane.position(of: point(&reader))
      require(place.map { $0.x.isFinite && $0.y.isFinite } ?? true, "positions are finite")
      _ = plane.contains(point(&reader), margin: number(&reader))
      let image = PixelImage(
        width: 5, height: 3, format: .gray, samples: [UInt8](repeating: 7, count: 15))
      let scale = 12 / max(plane.width, plane.height)
      let view = try plane.topView(of: image, pixelsPerCentimeter: scale)
      require(max(view.width, view.height) <= 12, "a view is as large as told")
    } catch { require(error.description.hasSuffix("."), "an error is a sentence") }
  }

  private static func detect(_ reader: inout InputReader) {
    var options = FieldDetector.Options()
    let flags = reader.byte()
    if flags & 1 == 1 { options.minimumArea = number(&reader) }
    // Pictures that are reduced, and refined at their full size, are larger than the others.
    let isLarge = flags & 0x72 == 0x72
    if flags & 2 == 2 { options.maximumDimension = (isLarge ? 128 : 100) + Int(reader.byte()) }
    if flags & 4 == 4 { options.maximumCount = Int(reader.byte()) - 2 }
    options.prefersPlayingField = flags & 8 == 0
    let (width, height) =
      isLarge
      ? (140 + Int(reader.byte()) % 24, 16 + Int(reader.byte()) % 16)
      : (15 + Int(reader.byte()) % 42, 15 + Int(reader.byte()) % 26)
    var image = PixelImage(
      width: width, height: height, format: .gray,
      samples: [UInt8](repeating: reader.byte(), count: width * height),
      orientation: ImageOrientation.allCases[Int(reader.byte() % 8)])
    // Rulings and boxes, and noise at last.
    for _ in 0..<Int(reader.byte() % 6) {
      let (kind, pitch) = (reader.byte(), 3 + Int(reader.byte()) % 24)
      let (gray, phase) = (reader.byte(), Int(reader.byte()))
      for row in 0..<height {
        for column in 0..<width {
          let slant = (kind & 4 == 0 ? 0 : row / 8)
          let (x, y) = ((column + phase + slant) / pitch, (row + phase) / pitch)
          let isOn =
            switch kind & 3 {
            case 0: (column + phase + slant) % pitch == 0
            case 1: (row + phase) % pitch == 0
            case 2: (x + y) & 1 == 0
            default: x > 1 && y > 1 && x < 6 && y < 5
            }
          if isOn { image.samples[row * width + column] = gray }
        }
      }
    }
    for (index, byte) in reader.rest().enumerated() where index * 11 < image.samples.count {
      image.samples[index * 11] = byte
    }
    do throws(FieldError) {
      let fields = try FieldDetector(options).detect(in: image)
      require(fields.count <= options.maximumCount, "not more than were asked for")
      for field in fields {
        require(field.outline.isConvex && field.outline.signedArea > 0, "convex and clockwise")
        require(field.confidence >= 0 && field.confidence <= 1, "a confidence is a share")
      }
    } catch { require(error.description.hasSuffix("."), "an error is a sentence") }
  }

  static func seeds() -> [[UInt8]] {
    var generator = SeededGenerator(seed: 9)
    let noise = (0..<40).map { (index) in
      let random = (0..<100).map { (_) in UInt8.random(in: 0...255, using: &generator) }
      return [UInt8(index % 3), 0] + random
    }
    // Boards, grids and sheets, alone and in each other, upright and slanted, of which some are large.
    let patterns: [[UInt8]] = [
      [2], [6], [0, 1], [4, 5], [3], [7], [3, 2], [3, 0, 1], [7, 6], [2, 3],
    ]
    let boards = (0..<40 as Range<UInt8>).map { (index) -> [UInt8] in
      let pattern = patterns[Int(index) % patterns.count]
      let size: [UInt8] = index < 30 ? [0, 35 + index % 7, 19 + index % 7] : [0x72, 60, 20, 15]
      var seed = [1] + size + [20 + index, index % 4 * 2, UInt8(pattern.count)]
      for (place, kind) in pattern.enumerated() {
        seed += [kind, 4 + index % 6, UInt8(250 - 100 * place), index * 5 % 11]
      }
      return seed
    }
    return noise + boards
  }
}

import DiceFields
import DiceGeometry
import DiceImaging
import TestSupport
import Testing

/// Rendered tables, whose corners are known exactly.
struct FieldDetectorTests {
  /// Cameras from nearly above to very slanted ones.
  private static let cameras: [TableCamera] = [
    TableCamera(tilt: 10, turn: -25, distance: 62, target: SIMD2(3, -2)),
    TableCamera(tilt: 30, turn: 15, distance: 66, target: SIMD2(-2, 2)),
    TableCamera(tilt: 45, turn: 33, distance: 70),
    TableCamera(tilt: 55, turn: -8, distance: 74, target: SIMD2(1, 1)),
  ]

  private func check(
    _ scene: TableScene, _ truth: Quadrilateral, error: Double,
    _ options: FieldDetector.Options = FieldDetector.Options(), grid: Int? = nil
  ) throws {
    let image = scene.render()
    let fields = try FieldDetector(options).detect(in: image)
    let first = try #require(fields.first)
    #expect(cornerError(first.outline, truth, image) < error, "tilt \(scene.camera.tilt)")
    if let grid { expectEqual(first.kind, .grid(columns: grid, rows: grid)) }
    expectEqual(first.outline, first.outline.clockwiseFromUpperLeft())
    #expect(first.confidence > 0 && first.confidence <= 1)
    for (index, field) in fields.enumerated() {
      #expect(field.outline.isConvex)
      #expect(index == 0 || field.outline != first.outline)
    }
  }

  @Test(arguments: cameras) func squaresOfAChessBoardAreFoundWithinItsFrame(
    _ camera: TableCamera
  ) throws {
    var scene = TableScene(camera: camera, surface: Boards.chess())
    let truth = camera.outline(32, 32)
    try check(scene, truth, error: 0.0005, grid: 8)
    var generator = SeededGenerator(seed: 3)
    for u in 0..<8 {
      for v in [0, 1, 6, 7] where Double.random(in: 0...1, using: &generator) < 0.8 {
        let height = Double.random(in: 2.5...5, using: &generator)
        scene.pieces.append(
          (Double(u) * 4 - 14, Double(v) * 4 - 14, 1.2, height, v < 4 ? 45 : 215))
      }
    }
    try check(scene, truth, error: 0.004)
  }

  /// The pieces of a game's beginning: those of the far side hide the squares there and rise above the frame.
  private static func pieces(least: Double) -> [(
    x: Double, y: Double, radius: Double, height: Double, gray: Double
  )] {
    var generator = SeededGenerator(seed: 5)
    return [0, 1, 6, 7].flatMap { v in
      (0..<8).map { u in
        let height = Double.random(in: least...least + 2, using: &generator)
        return (Double(u) * 4 - 14, Double(v) * 4 - 14, 1.3, height, v < 4 ? 45.0 : 215)
      }
    }
  }

  @Test(arguments: cameras) func squaresAreFoundOnACoarseCloth(_ camera: TableCamera) throws {
    var scene = TableScene(camera: camera, surface: Boards.chess(cloth: 60))
    scene.pieces = Self.pieces(least: 2)
    try check(scene, camera.outline(32, 32), error: 0.004, grid: 8)
  }

  @Test(arguments: cameras) func theFrameIsFoundAroundSquaresAlthoughPiecesHideIt(
    _ camera: TableCamera
  ) throws {
    var options = FieldDetector.Options()
    options.prefersPlayingField = false
    var scene = TableScene(camera: camera, surface: Boards.chess())
    scene.pieces = Self.pieces(least: 5)
    try check(scene, camera.outline(36.4, 36.4), error: 0.004, options)
    // Without a frame the squares go first.
    scene.surface = Boards.chess(frame: 0)
    try check(scene, camera.outline(32, 32), error: 0.004, options)
  }

  @Test(arguments: cameras) func linesOfAGoBoardAreFoundUnderStones(_ camera: TableCamera) throws {
    var scene = TableScene(
      camera: camera,
      surface: Boards.lines(
        count: 19, pitch: 1.8, thickness: 0.12, margin: 1.4, ground: 185, table: 95))
    var generator = SeededGenerator(seed: 8)
    for u in 0..<19 {
      for v in 0..<19 where Double.random(in: 0...1, using: &generator) < 0.15 {
        let gray = Bool.random(using: &generator) ? 30.0 : 225
        scene.pieces.append((Double(u) * 1.8 - 16.2, Double(v) * 1.8 - 16.2, 0.8, 0.3, gray))
      }
    }
    try check(scene, camera.outline(32.5, 32.5), error: 0.004, grid: 18)
  }

  @Test(arguments: cameras) func thePrintedGridIsFoundOnItsSheet(_ camera: TableCamera) throws {
    let scene = TableScene(
      camera: camera,
      surface: Boards.lines(
        count: 10, pitch: 3, thickness: 0.12, margin: 4, ground: 220, table: 120, thick: 3))
    try check(scene, camera.outline(27.3, 27.3), error: 0.001, grid: 9)
  }

  @Test(arguments: cameras) func thePlayingFieldWinsOverTheFrameUnlessAsked(
    _ camera: TableCamera
  ) throws {
    let scene = TableScene(
      camera: camera,
      surface: Boards.tray(width: 34, height: 24, felt: 60, wall: 115, table: 175))
    try check(scene, camera.outline(34, 24), error: 0.003)
    var options = FieldDetector.Options()
    options.prefersPlayingField = false
    try check(scene, camera.outline(37, 27), error: 0.003, options)
  }

  @Test func cornersAreThoseOfTheUprightPictureInBothUnits() throws {
    let camera = TableCamera(tilt: 30, turn: 10, distance: 66)
    let image = TableScene(camera: camera, surface: Boards.chess()).render()
    var turned = image
    turned.orientation = .down
    let first = try #require(try FieldDetector().detect(in: image).first)
    let other = try #require(try FieldDetector().detect(in: turned).first)
    #expect(first.imageWidth == 640 && first.imageHeight == 480)
    for corner in first.corners {
      let moved = PixelPoint(x: 640 - corner.x, y: 480 - corner.y)
      #expect(other.corners.contains { $0.squaredDistance(to: moved) < 0.04 })
    }
    for (corner, normalized) in zip(first.corners, first.normalizedCorners) {
      #expect(abs(normalized.x - corner.x / 640) < 1e-12)
      #expect(abs(normalized.y - 1 + corner.y / 480) < 1e-12)
    }
  }

  @Test func aLargerPictureIsRefinedInItsOwnPixels() throws {
    let camera = TableCamera(
      width: 1600, height: 1200, focalLength: 1550, tilt: 30, turn: 10, distance: 66)
    let scene = TableScene(camera: camera, surface: Boards.chess())
    let image = scene.render()
    let first = try #require(try FieldDetector().detect(in: image).first)
    let pixels = cornerError(first.outline, camera.outline(32, 32), image) * 2000
    #expect(pixels < 0.5)
  }

  @Test func emptyTablesAndTinyPicturesHaveNoField() throws {
    for (width, height) in [(1, 1), (2, 300), (15, 15), (16, 16), (640, 480)] {
      let image = PixelImage(
        width: width, height: height, format: .gray,
        samples: [UInt8](repeating: 128, count: width * height))
      #expect(try FieldDetector().detect(in: image).isEmpty)
    }
  }

  @Test func noiseIsNoTrapAndGivesSoundFields() throws {
    var generator = SeededGenerator(seed: 77)
    for (width, height) in [(64, 64), (333, 17), (16, 200), (320, 240)] {
      let samples = (0..<width * height * 3).map { (_) in
        UInt8.random(in: 0...255, using: &generator)
      }
      let image = PixelImage(width: width, height: height, format: .rgb, samples: samples)
      for field in try FieldDetector().detect(in: image) {
        #expect(field.outline.isConvex && field.confidence <= 1)
      }
    }
  }

  @Test func optionsOutOfRangeAreRefused() throws {
    let image = PixelImage(width: 1, height: 1, format: .gray, samples: [0])
    func error(_ change: (inout FieldDetector.Options) -> Void) -> FieldError? {
      var options = FieldDetector.Options()
      change(&options)
      do throws(FieldError) { _ = try FieldDetector(options).detect(in: image) } catch {
        return error
      }
      return nil
    }
    expectEqual(error { $0.maximumDimension = 127 }, .maximumDimensionOutOfRange(127))
    expectEqual(error { $0.maximumDimension = 2049 }, .maximumDimensionOutOfRange(2049))
    expectEqual(error { $0.minimumArea = -0.1 }, .minimumAreaOutOfRange(-0.1))
    if case .minimumAreaOutOfRange(let area) = error({ $0.minimumArea = .nan }) {
      #expect(area.isNaN)
    } else {
      Issue.record("NaN is no area")
    }
    expectEqual(error { $0.maximumCount = 0 }, .maximumCountOutOfRange(0))
    expectEqual(error { $0.maximumCount = 33 }, .maximumCountOutOfRange(33))
    expectEqual(error { _ in }, nil)
    for error: FieldError in [
      .notConvex, .maximumCountOutOfRange(0), .maximumDimensionOutOfRange(1),
      .minimumAreaOutOfRange(2), .sizeOutOfRange(width: 0, height: 1),
      .viewSizeOutOfRange(width: 0, height: 1),
    ] {
      #expect(error.description.hasSuffix("."))
    }
  }
}

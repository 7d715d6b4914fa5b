import DiceFields
import DiceGeometry
import DiceImaging
import TestSupport
import Testing

struct FieldPlaneTests {
  private let camera = TableCamera(tilt: 35, turn: 20)

  @Test func positionsAreInCentimetres() throws {
    let plane = try FieldPlane(outline: camera.outline(40, 30), width: 40, height: 30)
    for (x, y) in [(0.0, 0.0), (12.5, 7), (-19, 14), (25, -18)] {
      let place = try #require(plane.position(of: camera.project(x, y)))
      #expect(abs(place.x - x - 20) < 1e-6 && abs(place.y - y - 15) < 1e-6)
    }
    #expect(plane.contains(camera.project(19.9, 14.9)))
    #expect(!plane.contains(camera.project(20.1, 0)))
    #expect(plane.contains(camera.project(20.1, 0), margin: 0.2))
    #expect(!plane.contains(camera.project(0, -15.3), margin: 0.2))
  }

  @Test func nothingLiesBeyondTheHorizon() throws {
    let steep = TableCamera(tilt: 70, distance: 60)
    let plane = try FieldPlane(outline: steep.outline(20, 20), width: 20, height: 20)
    // The horizon is focalLength / tan(tilt) above the middle.
    expectEqual(plane.position(of: PixelPoint(x: 320, y: 240 - 620 / 2.7475 - 20)), nil)
    #expect(plane.position(of: PixelPoint(x: 320, y: 240 - 620 / 2.7475 + 20)) != nil)
    expectEqual(plane.position(of: PixelPoint(x: .nan, y: 0)), nil)
    #expect(!plane.contains(PixelPoint(x: 0, y: .infinity), margin: 1e9))
  }

  @Test func thePoseIsTheCameras() throws {
    let plane = try FieldPlane(outline: camera.outline(40, 30), width: 40, height: 30)
    let pose = try plane.cameraPose(focalLength: 620, principalPoint: PixelPoint(x: 320, y: 240))
    #expect(abs(pose.tilt - 35) < 1e-6)
    // 60 cm along the optical axis to the table.
    #expect(abs(pose.height - 60 * 0.8191520442889918) < 1e-6)
    #expect(throws: HomographyError.focalLengthOutOfRange(0)) {
      try plane.cameraPose(focalLength: 0, principalPoint: PixelPoint(x: 320, y: 240))
    }
  }

  @Test func theTopViewShowsTheFieldUpright() throws {
    // A mark at (9, 4) of a sheet of 24 by 16 centimetres.
    let scene = TableScene(
      camera: camera,
      surface: { x, y in
        guard abs(x) < 12, abs(y) < 8 else { return 30 }
        return abs(x + 12 - 9) < 1 && abs(y + 8 - 4) < 1 ? 90 : 210
      }, noise: 0)
    let image = scene.render()
    let plane = try FieldPlane(outline: camera.outline(24, 16), width: 24, height: 16)
    for turned in [image, turn(image)] {
      let view = try plane.topView(of: turned, pixelsPerCentimeter: 10)
      #expect(view.width == 240 && view.height == 160 && view.format == .rgb)
      func gray(_ x: Double, _ y: Double) -> Int {
        Int(view.samples[(Int(y * 10) * 240 + Int(x * 10)) * 3])
      }
      #expect(abs(gray(9, 4) - 90) < 4)
      for (x, y) in [(7.7, 4.0), (10.3, 4), (9, 2.7), (9, 5.3), (0.3, 0.3), (23.7, 15.7)] {
        #expect(abs(gray(x, y) - 210) < 4, "\(x), \(y)")
      }
    }
    // As many pixels as the picture has.
    let view = try plane.topView(of: image)
    let ratio = Double(view.width * view.height) / plane.outline.area
    #expect(abs(ratio - 1) < 0.02)
  }

  /// The same picture, stored on its side.
  private func turn(_ image: PixelImage) -> PixelImage {
    var samples = [UInt8](repeating: 0, count: image.samples.count)
    for row in 0..<image.height {
      for column in 0..<image.width {
        samples[(image.width - 1 - column) * image.height + row] =
          image.samples[row * image.width + column]
      }
    }
    return PixelImage(
      width: image.height, height: image.width, format: .gray, samples: samples,
      orientation: .right)
  }

  @Test func impossibleFieldsAreRefused() throws {
    let outline = camera.outline(10, 10)
    for (width, height) in [(0.0, 1.0), (1, -1), (.nan, 1), (1, .infinity)] {
      #expect(throws: FieldError.self) {
        try FieldPlane(outline: outline, width: width, height: height)
      }
    }
    let line = Quadrilateral(
      upperLeft: PixelPoint(x: 0, y: 0), upperRight: PixelPoint(x: 1, y: 1),
      lowerRight: PixelPoint(x: 2, y: 2), lowerLeft: PixelPoint(x: 3, y: 3))
    #expect(throws: FieldError.notConvex) { try FieldPlane(outline: line, width: 1, height: 1) }
    let plane = try FieldPlane(outline: outline, width: 10, height: 10)
    let image = PixelImage(
      width: 4, height: 4, format: .gray, samples: Array(repeating: 9, count: 16))
    for scale in [0, -1, .nan, .infinity, 1e300, 0.01, 410] {
      #expect(throws: FieldError.self) {
        try plane.topView(of: image, pixelsPerCentimeter: scale)
      }
    }
    // A field far outside of the frame is black.
    let view = try plane.topView(of: image, pixelsPerCentimeter: 1)
    #expect(view.samples.allSatisfy { $0 == 0 })
  }
}

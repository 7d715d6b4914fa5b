import TestSupport
import Testing

@testable import DiceGeometry

struct ViewTransformTests {
  static let box = BoundingBox(x: 100, y: 50, width: 40, height: 20)

  static func map(
    _ width: Double, _ height: Double, _ mode: ViewTransform.ContentMode,
    origin: CoordinateOrigin = .upperLeft, isMirrored: Bool = false
  ) throws -> BoundingBox {
    try #require(
      ViewTransform(
        imageWidth: 400, imageHeight: 200, viewWidth: width, viewHeight: height,
        contentMode: mode, origin: origin, isMirrored: isMirrored)
    ).map(box)
  }

  @Test func fitsFillsAndStretches() throws {
    // 400 x 200 in 200 x 200: half as large, with 50 above and below.
    try expectEqual(
      Self.map(200, 200, .aspectFit), BoundingBox(x: 50, y: 75, width: 20, height: 10))
    // As high as the view, with 100 cut off on either side.
    try expectEqual(
      Self.map(200, 200, .aspectFill), BoundingBox(x: 0, y: 50, width: 40, height: 20))
    try expectEqual(
      Self.map(200, 200, .stretch), BoundingBox(x: 50, y: 50, width: 20, height: 20))
    try expectEqual(Self.map(400, 200, .aspectFit), Self.box)
  }

  @Test func countsFromBelowWhereTheViewDoes() throws {
    try expectEqual(
      Self.map(200, 200, .aspectFit, origin: .lowerLeft),
      BoundingBox(x: 50, y: 115, width: 20, height: 10))
    try expectEqual(
      Self.map(400, 200, .stretch, origin: .lowerLeft),
      BoundingBox(x: 100, y: 130, width: 40, height: 20))
  }

  @Test func takesABoxInEitherSpelling() throws {
    for (mode, origin, isMirrored) in [
      (ViewTransform.ContentMode.aspectFill, CoordinateOrigin.upperLeft, true),
      (.aspectFit, .lowerLeft, false), (.stretch, .upperLeft, false),
    ] {
      let view = try #require(
        ViewTransform(
          imageWidth: 400, imageHeight: 200, viewWidth: 390, viewHeight: 844, contentMode: mode,
          origin: origin, isMirrored: isMirrored))
      #expect(view.imageWidth == 400 && view.imageHeight == 200)
      let share = NormalizedRect(imageBox: Self.box, width: 400, height: 200)
      let (one, two) = (view.map(share), view.map(Self.box))
      #expect(abs(one.x - two.x) < 1e-9 && abs(one.y - two.y) < 1e-9)
      #expect(abs(one.width - two.width) < 1e-9 && abs(one.height - two.height) < 1e-9)
    }
  }

  @Test func mirrorsAsAFrontCameraDoes() throws {
    try expectEqual(
      Self.map(400, 200, .aspectFit, isMirrored: true),
      BoundingBox(x: 260, y: 50, width: 40, height: 20))
  }

  @Test func agreesWithTheNetworksMapWhereBothMeanTheSame() throws {
    for (mode, rule) in [
      (ViewTransform.ContentMode.aspectFit, CropAndScale.scaleFit),
      (.aspectFill, .centerCrop), (.stretch, .scaleFill),
    ] {
      let network = try ImageTransform(
        storedWidth: 333, storedHeight: 512, cropAndScale: rule, inputWidth: 416, inputHeight: 288)
      let view = try #require(
        ViewTransform(
          imageWidth: 333, imageHeight: 512, viewWidth: 416, viewHeight: 288, contentMode: mode))
      let (one, two) = (view.map(Self.box), network.uprightToInput.map(Self.box))
      #expect(abs(one.x - two.x) < 1e-9 && abs(one.y - two.y) < 1e-9)
      #expect(abs(one.width - two.width) < 1e-9 && abs(one.height - two.height) < 1e-9)
    }
  }

  @Test func leadsBack() throws {
    for mode in ViewTransform.ContentMode.allCases {
      for origin in CoordinateOrigin.allCases {
        for isMirrored in [false, true] {
          let view = try #require(
            ViewTransform(
              imageWidth: 4032, imageHeight: 3024, viewWidth: 390.5, viewHeight: 844,
              contentMode: mode, origin: origin, isMirrored: isMirrored))
          let point = PixelPoint(x: 1234.5, y: 77.25)
          let back = view.imagePoint(at: view.map(point))
          #expect(abs(back.x - point.x) < 1e-8 && abs(back.y - point.y) < 1e-8)
          let isInside =
            view.contentBox.minX >= -1e-9 && view.contentBox.maxX <= 390.5 + 1e-9
            && view.contentBox.minY >= -1e-9 && view.contentBox.maxY <= 844 + 1e-9
          expectEqual(isInside, (mode != .aspectFill))
        }
      }
    }
  }

  @Test func refusesSidesThatAreNone() {
    for side in [0, -1, Double.nan, .infinity] {
      expectEqual(
        ViewTransform(imageWidth: 4, imageHeight: 3, viewWidth: side, viewHeight: 10), nil)
      expectEqual(
        ViewTransform(imageWidth: 4, imageHeight: 3, viewWidth: 10, viewHeight: side), nil)
    }
    expectEqual(ViewTransform(imageWidth: 0, imageHeight: 3, viewWidth: 9, viewHeight: 9), nil)
    expectEqual(
      ViewTransform(
        imageWidth: .max, imageHeight: 1, viewWidth: .leastNonzeroMagnitude, viewHeight: 1), nil)
  }
}

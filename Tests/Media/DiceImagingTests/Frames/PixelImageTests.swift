import MediaTestSupport
import DiceGeometry
import DiceImaging
import TestSupport
import Testing

struct PixelImageTests {
  @Test(arguments: ImageOrientation.allCases)
  func orientedPicturesAreWhatTheTransformShows(_ orientation: ImageOrientation) throws {
    // Larger than a tile in both directions.
    for (width, height) in [(150, 70), (3, 130), (1, 1)] {
      for format in [PixelImage.Format.gray, .rgb] {
        var image = TestPictures.formula(width: width, height: height, format: format)
        image.orientation = orientation
        let upright = image.oriented()
        expectEqual(upright.orientation, .up)
        #expect(upright.width == image.uprightWidth && upright.height == image.uprightHeight)
        let transform = try ImageTransform(
          storedWidth: width, storedHeight: height, orientation: orientation,
          inputWidth: upright.width, inputHeight: upright.height)
        var sampler = InputSampler()
        var samples = [UInt8](repeating: 0, count: width * height * 3)
        image.withFrame {
          sampler.sample(
            $0, through: transform, into: &samples, layout: .interleaved(width: upright.width))
        }
        expectEqual(upright.converted(to: .rgb).samples, samples)
      }
    }
  }

  @Test func aPhoneHeldUprightStoresTheTopOnTheRightSide() {
    // Stored 3 x 2; to be turned clockwise, so the lower left comes to the upper left.
    let image = PixelImage(
      width: 3, height: 2, format: .gray, samples: [1, 2, 3, 4, 5, 6], orientation: .right)
    expectEqual(image.oriented().samples, [4, 1, 5, 2, 6, 3])
    let left = PixelImage(
      width: 3, height: 2, format: .gray, samples: [1, 2, 3, 4, 5, 6], orientation: .left)
    expectEqual(left.oriented().samples, [3, 6, 2, 5, 1, 4])
  }

  @Test func cropsKeepTheirPixelsAndOrientation() {
    var image = TestPictures.formula(width: 9, height: 7, format: .rgb)
    image.orientation = .left
    let part = image.cropped(columns: 2..<6, rows: 3..<7)
    #expect(part.width == 4 && part.height == 4 && part.orientation == .left)
    for row in 0..<4 {
      for column in 0..<4 {
        expectEqual(
          part.color(column: column, row: row), image.color(column: column + 2, row: row + 3))
      }
    }
    expectEqual(image.cropped(columns: 0..<9, rows: 0..<7), image)
  }

  @Test func boxesAreMovedOutwardsToWholePixelsAndClipped() throws {
    let image = TestPictures.formula(width: 9, height: 7, format: .gray)
    func crop(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PixelImage? {
      image.cropped(to: BoundingBox(x: x, y: y, width: width, height: height))
    }
    expectEqual(crop(2, 3, 4, 4), image.cropped(columns: 2..<6, rows: 3..<7))
    expectEqual(crop(2.9, 3.1, 0.2, 0.2), image.cropped(columns: 2..<4, rows: 3..<4))
    expectEqual(crop(-50, -50, 1000, 52), image.cropped(columns: 0..<9, rows: 0..<2))
    expectEqual(crop(8.5, 6.5, 1e300, 1e300), image.cropped(columns: 8..<9, rows: 6..<7))
    expectEqual(crop(-.infinity, 0, 5, 5), nil)
    expectEqual(crop(0, 0, .infinity, .infinity), image)
    for box in [
      (9.0, 0.0, 5.0, 5.0), (0, 7, 5, 5), (-5, 0, 5, 5), (0, 0, 0, 5), (0, 0, 5, -1),
      (.nan, 0, 5, 5), (0, 0, .nan, 5),
    ] {
      expectEqual(crop(box.0, box.1, box.2, box.3), nil)
    }
  }

  @Test func grayIsTheLuminanceOfTheColors() {
    // Values of Pillow's convert("L").
    let colors: [(UInt32, UInt8)] = [
      (0xFF0000, 76), (0x00FF00, 150), (0x0000FF, 29), (0xFFFFFF, 255), (0x123456, 46),
      (0xC08040, 140), (0x010101, 1),
    ]
    for (rgb, gray) in colors {
      let color = PixelColor(rgb: rgb)
      let image = PixelImage(
        width: 1, height: 1, format: .rgb, samples: [color.red, color.green, color.blue])
      expectEqual(image.converted(to: .gray).samples, [gray])
      expectEqual(image.converted(to: .rgba).samples, [color.red, color.green, color.blue, 255])
    }
    let gray = PixelImage(width: 1, height: 1, format: .gray, samples: [77], orientation: .down)
    expectEqual(gray.converted(to: .rgb).samples, [77, 77, 77])
    expectEqual(gray.converted(to: .rgb).orientation, .down)
  }

  @Test func droppingAlphaLaysThePictureOverABackground() {
    let image = PixelImage(
      width: 3, height: 1, format: .rgba,
      samples: [200, 100, 0, 255, 200, 100, 0, 0, 200, 100, 0, 51])
    expectEqual(
      image.converted(to: .rgb).samples, [200, 100, 0, 255, 255, 255, 244, 224, 204])
    expectEqual(
      image.converted(to: .rgb, over: .black).samples, [200, 100, 0, 0, 0, 0, 40, 20, 0])
  }

  @Test func hiddenColorsDoNotShineThroughWhenResized() {
    // A wholly transparent red pixel beside an opaque blue one.
    let image = PixelImage(
      width: 2, height: 1, format: .rgba, samples: [255, 0, 0, 0, 0, 0, 255, 255])
    let one = image.resized(width: 1, height: 1)
    expectEqual(one.samples, [0, 0, 255, 128])
  }

  @Test func resizingToTheSameSizeChangesNothing() {
    let image = TestPictures.formula(width: 13, height: 4, format: .rgba)
    expectEqual(image.resized(width: 13, height: 4), image)
    let large = TestPictures.formula(width: 1, height: 1, format: .rgb).resized(
      width: 30, height: 40)
    expectEqual(large.samples, (0..<1200).flatMap { _ in [UInt8(0), 85, 170] })
  }
}

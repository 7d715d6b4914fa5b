import DiceGeometry
import TestSupport
import Testing

@Suite struct ImageOrientationTests {
  let all = ImageOrientation.allCases

  @Test func rawValuesAreThoseOfEXIF() {
    expectEqual(all.map { $0.rawValue }, [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(ImageOrientation.right.rawValue == 6 && ImageOrientation.left.rawValue == 8)
  }

  /// Where the point (1, 2) of a picture of 10 by 20 lands.
  @Test(arguments: [
    (ImageOrientation.up, 1.0, 2.0),
    (.upMirrored, 9, 2),
    (.down, 9, 18),
    (.downMirrored, 1, 18),
    (.leftMirrored, 2, 1),
    (.right, 18, 1),
    (.rightMirrored, 18, 9),
    (.left, 2, 9),
  ])
  func mapsAPointAsComputedByHand(_ orientation: ImageOrientation, _ x: Double, _ y: Double) {
    let map = orientation.storedToUpright(storedWidth: 10, storedHeight: 20)
    expectEqual(map.map(PixelPoint(x: 1, y: 2)), PixelPoint(x: x, y: y))
    let back = orientation.uprightToStored(storedWidth: 10, storedHeight: 20)
    expectEqual(back.map(PixelPoint(x: x, y: y)), PixelPoint(x: 1, y: 2))
  }

  private struct Golden: Decodable {
    var stored: [[Int]]
    var upright: [[[Int]]]
  }

  @Test func turnsPixelsAsPillowDoes() throws {
    let golden = try Fixtures.golden("orientation.json", as: Golden.self)
    let (width, height) = (golden.stored[0].count, golden.stored.count)
    #expect(golden.upright.count == 8 && width == 3 && height == 2)
    for (orientation, expected) in zip(all, golden.upright) {
      let size = orientation.uprightSize(storedWidth: width, storedHeight: height)
      #expect(size == (expected[0].count, expected.count))
      let map = orientation.storedToUpright(
        storedWidth: Double(width), storedHeight: Double(height))
      for row in 0..<height {
        for column in 0..<width {
          let place = orientation.uprightPixel(
            column: column, row: row, storedWidth: width, storedHeight: height)
          expectEqual(expected[place.row][place.column], golden.stored[row][column])
          expectEqual(
            map.map(PixelPoint(centerOfPixelInColumn: column, row: row)),
            PixelPoint(centerOfPixelInColumn: place.column, row: place.row))
        }
      }
    }
  }

  @Test func followedByIsTheCompositionOfTheMaps() {
    for first in all {
      for second in all {
        let middle = first.uprightSize(storedWidth: 7, storedHeight: 3)
        let steps = first.storedToUpright(storedWidth: 7, storedHeight: 3).concatenated(
          with: second.storedToUpright(
            storedWidth: Double(middle.width), storedHeight: Double(middle.height)))
        let once = first.followed(by: second).storedToUpright(storedWidth: 7, storedHeight: 3)
        expectEqual(once, steps, "\(first) then \(second)")
      }
    }
  }

  @Test func theInverseUndoes() {
    for orientation in all {
      expectEqual(orientation.followed(by: orientation.inverse), .up)
      expectEqual(orientation.inverse.followed(by: orientation), .up)
      expectEqual(orientation.followed(by: .up), orientation)
      expectEqual(ImageOrientation.up.followed(by: orientation), orientation)
    }
    expectEqual(ImageOrientation.right.followed(by: .right), .down)
    expectEqual(ImageOrientation.right.followed(by: .upMirrored), .leftMirrored)
    expectEqual(ImageOrientation.upMirrored.followed(by: .right), .rightMirrored)
  }

  @Test func mirroredOrientationsAreThoseThatReverseTheSenseOfRotation() {
    for orientation in all {
      let map = orientation.storedToUpright(storedWidth: 5, storedHeight: 4)
      expectEqual(map.determinant, (orientation.isMirrored ? -1 : 1))
    }
    expectEqual(
      all.filter { $0.isMirrored }, [.upMirrored, .downMirrored, .leftMirrored, .rightMirrored])
  }

  @Test func deviceOrientationsMapToTheBackCamerasFrames() {
    expectEqual(DeviceOrientation.portrait.imageOrientation(), .right)
    expectEqual(DeviceOrientation.portraitUpsideDown.imageOrientation(), .left)
    expectEqual(DeviceOrientation.landscapeLeft.imageOrientation(), .up)
    expectEqual(DeviceOrientation.landscapeRight.imageOrientation(), .down)
    expectEqual(DeviceOrientation.allCases.map { $0.rawValue }, Array(0...6))
  }

  @Test func aDeviceThatLiesFlatKeepsThePreviousOrientation() {
    for device in [DeviceOrientation.faceUp, .faceDown, .unknown] {
      expectEqual(device.imageOrientation(), .right)
      for previous in all { expectEqual(device.imageOrientation(previous: previous), previous) }
    }
  }
}

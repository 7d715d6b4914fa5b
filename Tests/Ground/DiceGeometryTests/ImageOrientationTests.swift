import DiceGeometry
import TestSupport
import Testing

@Suite struct ImageOrientationTests {
  let all = ImageOrientation.allCases

  @Test func rawValuesAreThoseOfEXIF() {
    #expect(all.map { $0.rawValue } == [1, 2, 3, 4, 5, 6, 7, 8])
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
    #expect(map.map(PixelPoint(x: 1, y: 2)) == PixelPoint(x: x, y: y))
    let back = orientation.uprightToStored(storedWidth: 10, storedHeight: 20)
    #expect(back.map(PixelPoint(x: x, y: y)) == PixelPoint(x: 1, y: 2))
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
          #expect(expected[place.row][place.column] == golden.stored[row][column])
          #expect(
            map.map(PixelPoint(centerOfPixelInColumn: column, row: row))
              == PixelPoint(centerOfPixelInColumn: place.column, row: place.row))
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
        #expect(once == steps, "\(first) then \(second)")
      }
    }
  }

  @Test func theInverseUndoes() {
    for orientation in all {
      #expect(orientation.followed(by: orientation.inverse) == .up)
      #expect(orientation.inverse.followed(by: orientation) == .up)
      #expect(orientation.followed(by: .up) == orientation)
      #expect(ImageOrientation.up.followed(by: orientation) == orientation)
    }
    #expect(ImageOrientation.right.followed(by: .right) == .down)
    #expect(ImageOrientation.right.followed(by: .upMirrored) == .leftMirrored)
    #expect(ImageOrientation.upMirrored.followed(by: .right) == .rightMirrored)
  }

  @Test func mirroredOrientationsAreThoseThatReverseTheSenseOfRotation() {
    for orientation in all {
      let map = orientation.storedToUpright(storedWidth: 5, storedHeight: 4)
      #expect(map.determinant == (orientation.isMirrored ? -1 : 1))
    }
    #expect(
      all.filter { $0.isMirrored } == [.upMirrored, .downMirrored, .leftMirrored, .rightMirrored])
  }

  @Test func deviceOrientationsMapToTheBackCamerasFrames() {
    #expect(DeviceOrientation.portrait.imageOrientation() == .right)
    #expect(DeviceOrientation.portraitUpsideDown.imageOrientation() == .left)
    #expect(DeviceOrientation.landscapeLeft.imageOrientation() == .up)
    #expect(DeviceOrientation.landscapeRight.imageOrientation() == .down)
    #expect(DeviceOrientation.allCases.map { $0.rawValue } == Array(0...6))
  }

  @Test func aDeviceThatLiesFlatKeepsThePreviousOrientation() {
    for device in [DeviceOrientation.faceUp, .faceDown, .unknown] {
      #expect(device.imageOrientation() == .right)
      for previous in all { #expect(device.imageOrientation(previous: previous) == previous) }
    }
  }
}

import DiceImaging
import Testing

@testable import DiceVisionTraining

struct TrainingPictureTests {
  /// A picture in which every sample differs from its neighbours.
  private func samples(_ count: Int) -> [UInt8] {
    (0..<count).map { (index: Int) -> UInt8 in UInt8((index * 37 + index / 7) % 251) }
  }

  /// Every pixel up to the last one, whatever channels the picture has, and nothing in the fourth lane.
  @Test(arguments: [PixelImage.Format.gray, .rgb, .rgba])
  func pixelsAreThoseOfTheImage(_ format: PixelImage.Format) {
    let (width, height, channels) = (5, 3, format.channelCount)
    let samples = samples(width * height * channels)
    let picture = TrainingPicture(
      PixelImage(width: width, height: height, format: format, samples: samples), truths: [])
    for row in 0..<height {
      for column in 0..<width {
        let place = (row * width + column) * channels
        let expected = (0..<3).map { Float(samples[place + (channels == 1 ? 0 : $0)]) }
        let color = picture.color(x: Float(column) + 0.5, y: Float(row) + 0.5)
        #expect(color == SIMD4(expected[0], expected[1], expected[2], 0), "\(column), \(row)")
      }
    }
  }

  /// A half has the means of four pixels each, rounded.
  @Test func halvesAreMeans() throws {
    let side = 64
    let samples = samples(side * side * 3)
    let picture = TrainingPicture(
      PixelImage(width: side, height: side, format: .rgb, samples: samples), truths: [],
      isReducible: true)
    let half = try #require(picture.half)
    #expect(half.width == side / 2 && half.height == side / 2 && half.half == nil)
    for row in 0..<half.height {
      for column in 0..<half.width {
        let mean = picture.color(x: Float(2 * column) + 1, y: Float(2 * row) + 1)
        let expected = (mean + 0.5).rounded(.down)
        #expect(half.color(x: Float(column) + 0.5, y: Float(row) + 0.5) == expected)
      }
    }
  }
}

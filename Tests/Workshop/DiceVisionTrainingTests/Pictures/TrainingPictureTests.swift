import DiceImaging
import TestSupport
import Testing

@testable import DiceVisionTraining

struct TrainingPictureTests {
  /// A picture in which every sample differs from its neighbours.
  private func samples(_ count: Int) -> [UInt8] {
    (0..<count).map { (index: Int) -> UInt8 in UInt8((index * 37 + index / 7) % 251) }
  }

  /// Every pixel up to the last one, whatever channels the picture has, and 1 in the fourth lane.
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
        let color = picture.color(x: Double(column) + 0.5, y: Double(row) + 0.5)
        expectEqual(color, SIMD4(expected[0], expected[1], expected[2], 1), "\(column), \(row)")
      }
    }
  }

  /// A half has the means of four pixels each, rounded; at odd ends of those that are there.
  @Test(arguments: [(64, 64), (67, 65)])
  func halvesAreMeans(_ width: Int, _ height: Int) throws {
    let samples = samples(width * height * 3)
    let picture = TrainingPicture(
      PixelImage(width: width, height: height, format: .rgb, samples: samples), truths: [],
      isReducible: true)
    let half = try #require(picture.half)
    #expect(half.width == (width + 1) / 2 && half.height == (height + 1) / 2 && half.half == nil)
    for row in 0..<half.height {
      for column in 0..<half.width {
        let (columns, rows) = (
          2 * column..<min(2 * column + 2, width), 2 * row..<min(2 * row + 2, height)
        )
        var expected = SIMD4<Float>(0, 0, 0, 1)
        for channel in 0..<3 {
          var sum = 0
          for y in rows { for x in columns { sum += Int(samples[(y * width + x) * 3 + channel]) } }
          let mean = Float(sum) / Float(columns.count * rows.count)
          expected[channel] = (mean + 0.5).rounded(.down)
        }
        // In the middle of what the picture covers of the pixel.
        let place = (x: Double(column) + 0.5, y: Double(row) + 0.5)
        let end = (x: Double(width) / 2, y: Double(height) / 2)
        expectEqual(half.color(x: min(place.x, end.x), y: min(place.y, end.y)), expected)
      }
    }
    // Half a pixel of the half lies outside an odd picture.
    let beyond = half.color(x: Double(width) / 2 + 0.01, y: 1)
    expectEqual(beyond, .zero)
  }
}

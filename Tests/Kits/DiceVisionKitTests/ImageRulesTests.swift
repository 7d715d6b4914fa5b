import DiceImaging
import DiceWeights
import DiceVisionKit
import TestSupport
import Testing

@Suite struct ImageRulesTests {
  @Test(arguments: [ImageRules.ChannelOrder.rgb, .bgr])
  func followsChannelOrderScalesAndBiases(_ order: ImageRules.ChannelOrder) throws {
    let uneven = ImageRules(
      channelOrder: order, scales: [1 / 255, 2 / 255, -0.5 / 255],
      biases: [0.1, -2, 0.75])
    let even = ImageRules(
      channelOrder: order, scales: SIMD3(repeating: 2 / 255),
      biases: SIMD3(repeating: -1))
    let layout = Layout.all[0]
    for rules in [uneven, even] {
      let result = try PatternNetwork(rules: rules).detector().detect(in: layout.image)
      #expect(result.matches(layout.blocks))
    }
  }

  @Test func cropsAndScalesAsTheWeightFileSays() throws {
    for (stored, rule) in [
      (ImageRules.CropAndScale.centerCrop, CropAndScale.centerCrop), (.scaleFit, .scaleFit),
      (.scaleFill, .scaleFill),
    ] {
      let detector = try PatternNetwork(rules: ImageRules(cropAndScale: stored)).detector()
      expectEqual(detector.cropAndScale, rule)
      let layout = try #require(Layout.all.first { $0.rule == rule && $0.region == nil })
      #expect(try detector.detect(in: layout.image).matches(layout.blocks))
    }
  }

  @Test func showsWhatTheNetworkSees() throws {
    let detector = try PatternNetwork(rules: ImageRules(paddingValue: 77)).detector()
    let block = Block(value: 4, x: 32, y: 16, width: 16, height: 16)
    let image = PixelImage.blocks([block], width: 128, height: 96)
    for orientation in ImageOrientation.allCases {
      let seen = try detector.networkInput(of: image.stored(orientation))
      #expect(seen.width == 64 && seen.height == 64 && seen.format == .rgb)
      expectEqual(seen.orientation, .up)
      // Half the size, below a padding of 8 rows.
      expectEqual(seen.color(column: 0, row: 7), PixelColor(red: 77, green: 77, blue: 77))
      expectEqual(seen.color(column: 63, row: 56), PixelColor(red: 77, green: 77, blue: 77))
      expectEqual(seen.color(column: 0, row: 8), PixelColor(red: 0, green: 0, blue: 0))
      expectEqual(seen.color(column: 20, row: 20), PixelColor(red: 255, green: 255, blue: 0))
      expectEqual(seen.color(column: 14, row: 20), PixelColor(red: 0, green: 0, blue: 0))
    }
  }

  @Test func grayPicturesCountAsWhite() throws {
    var samples = [UInt8](repeating: 0, count: 64 * 64)
    for y in 8..<16 {
      for x in 24..<32 { samples[y * 64 + x] = 255 }
    }
    let image = PixelImage(width: 64, height: 64, format: .gray, samples: samples)
    let result = try PatternNetwork().detector().detect(in: image)
    // Yellow, magenta and cyan fit white equally well; the lowest index is taken.
    #expect(result.matches([Block(value: 4, x: 24, y: 8, width: 8, height: 8)]))
  }

  @Test func transparencyIsNotLookedAt() throws {
    let layout = Layout.all[0]
    let opaque = layout.image.samples
    var samples: [UInt8] = []
    for index in 0..<Layout.width * Layout.height {
      samples += opaque[index * 3..<index * 3 + 3]
      samples.append(UInt8(index % 256))
    }
    let image = PixelImage(
      width: Layout.width, height: Layout.height, format: .rgba, samples: samples)
    #expect(try PatternNetwork().detector().detect(in: image).matches(layout.blocks))
  }

  @Test func takesSamplesInAnArray() throws {
    let detector = try PatternNetwork().detector()
    let layout = Layout.all[0]
    let stored = layout.image.stored(.left)
    let frame = try StoredFrame(
      pixels: stored.samples, format: .rgb, width: stored.width, height: stored.height,
      orientation: .left)
    #expect(try detector.detect(in: frame).matches(layout.blocks))
  }
}

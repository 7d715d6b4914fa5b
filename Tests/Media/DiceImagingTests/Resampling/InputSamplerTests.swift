import MediaTestSupport
import DiceGeometry
import DiceImaging
import DiceKernels
import TestSupport
import Testing

/// The definition of sampling, straight from the documentation, in double precision.
enum ReferenceSampler {
  /// The samples `[inputHeight, inputWidth, 3]`, with -1 for padding.
  static func sample(_ image: PixelImage, _ transform: ImageTransform) -> [Double] {
    precondition(image.format == .rgb)
    var result: [Double] = []
    let map = transform.inputToStored
    for y in 0..<transform.inputHeight {
      for x in 0..<transform.inputWidth {
        let center = PixelPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)
        let box = transform.contentBox
        guard box.minX <= center.x, center.x <= box.maxX, box.minY <= center.y,
          center.y <= box.maxY
        else {
          result += [-1, -1, -1]
          continue
        }
        let stored = map.map(center)
        let columns = weights(
          stored.x, reach: max(map.a.magnitude + map.b.magnitude, 1), count: image.width)
        let rows = weights(
          stored.y, reach: max(map.c.magnitude + map.d.magnitude, 1), count: image.height)
        var sum = [0.0, 0.0, 0.0]
        for (row, rowWeight) in rows {
          for (column, columnWeight) in columns {
            for c in 0..<3 {
              sum[c] +=
                rowWeight * columnWeight
                * Double(image.samples[(row * image.width + column) * 3 + c])
            }
          }
        }
        result += sum
      }
    }
    return result
  }

  private static func weights(_ center: Double, reach: Double, count: Int) -> [(Int, Double)] {
    let near = max(0, Int(center - reach) - 1)..<min(count, Int(center + reach) + 2)
    let all = near.map { ($0, max(0, 1 - abs(Double($0) + 0.5 - center) / reach)) }
    let sum = all.reduce(0) { $0 + $1.1 }
    return all.filter { $0.1 > 0 }.map { ($0.0, $0.1 / sum) }
  }
}

struct InputSamplerTests {
  static let rules: [CropAndScale] = [.centerCrop, .scaleFit, .scaleFill]

  static func frame(
    _ image: PixelImage, as format: RawFrame.PixelFormat, padding: Int
  ) throws(FrameError) -> StoredFrame {
    var bytes: [UInt8] = []
    for row in 0..<image.height {
      for column in 0..<image.width {
        let color = image.color(column: column, row: row)
        switch format {
        case .gray: bytes.append(color.red)
        case .rgb: bytes += [color.red, color.green, color.blue]
        case .rgba: bytes += [color.red, color.green, color.blue, UInt8(row & 255)]
        case .bgra: bytes += [color.blue, color.green, color.red, UInt8(row & 255)]
        }
      }
      if row < image.height - 1 { bytes += [UInt8](repeating: 0xEE, count: padding) }
    }
    return try StoredFrame(
      pixels: bytes, format: format, width: image.width, height: image.height,
      bytesPerRow: image.width * format.channelCount + padding)
  }

  @Test(arguments: ImageOrientation.allCases)
  func agreesWithTheDefinitionForEveryRuleFormatAndRegion(_ orientation: ImageOrientation) throws {
    let image = PixelImage(
      width: 41, height: 29, format: .rgb, samples: TestPictures.noise(41 * 29 * 3, seed: 9))
    let regions: [NormalizedRect?] = [
      nil, NormalizedRect(x: 0.1, y: 0.2, width: 0.7, height: 0.6),
      NormalizedRect(x: 0.9, y: 0, width: 0.1, height: 0.05),
      NormalizedRect(x: 0, y: 0.95, width: 1, height: 0.05),
    ]
    var sampler = InputSampler()
    var cases = 0
    for (region, rule) in regions.flatMap({ region in Self.rules.map { (region, $0) } }) {
      for (width, height) in [(16, 16), (7, 23), (47, 33)] {
        let transform = try ImageTransform(
          storedWidth: 41, storedHeight: 29, orientation: orientation, regionOfInterest: region,
          cropAndScale: rule, inputWidth: width, inputHeight: height)
        let expected = ReferenceSampler.sample(image, transform)
        if !expected.contains(where: { $0 >= 0 }) { continue }
        for format in [RawFrame.PixelFormat.rgb, .bgra] {
          var result = [Float](repeating: .nan, count: width * height * 3)
          try Self.frame(image, as: format, padding: 11).withFrame { frame in
            sampler.sample(
              frame, through: transform, into: &result, layout: .interleaved(width: width),
              paddingValue: 7)
          }
          // Float sums of 8-bit samples: some 30 roundings of relative 2^-24 at values below 10000.
          let difference = zip(result, expected).map { abs(Double($0) - ($1 < 0 ? 7 : $1)) }.max()
          #expect(difference! < 0.02)
          cases += 1
        }
      }
    }
    #expect(cases >= 60)
  }

  @Test func everyFormatGivesTheSameColors() throws {
    let gray = TestPictures.formula(width: 33, height: 21, format: .gray).converted(to: .rgb)
    let transform = try ImageTransform(
      storedWidth: 33, storedHeight: 21, inputWidth: 12, inputHeight: 12)
    var results: [[UInt8]] = []
    for format in RawFrame.PixelFormat.allCases {
      var sampler = InputSampler()
      var result = [UInt8](repeating: 0, count: 432)
      try Self.frame(gray, as: format, padding: 3).withFrame {
        sampler.sample($0, through: transform, into: &result, layout: .interleaved(width: 12))
      }
      results.append(result)
    }
    expectEqual(results.count, 4)
    #expect(results.allSatisfy { $0 == results[0] })
  }

  @Test func arrangementOfChromaDoesNotMatter() throws {
    let encoding = YCbCrEncoding(.bt709, .video)
    let transform = try ImageTransform(
      storedWidth: 45, storedHeight: 31, orientation: .right, inputWidth: 20, inputHeight: 20)
    var sampler = InputSampler()
    func sample(_ frame: borrowing RawFrame) -> [UInt8] {
      var result = [UInt8](repeating: 0, count: 1200)
      sampler.sample(frame, through: transform, into: &result, layout: .interleaved(width: 20))
      return result
    }
    let first = try TestPictures.planes(width: 45, height: 31, encoding: encoding)
      .withFrame { sample($0) }
    for order in [RawFrame.ChromaOrder.cbCr, .crCb] {
      let other = try TestPictures.planes(
        width: 45, height: 31, encoding: encoding, padding: 19, order: order
      ).withFrame { sample($0) }
      expectEqual(other, first)
    }
    var planes: [[UInt8]] = [[], [], []]
    for y in 0..<31 { for x in 0..<45 { planes[0].append(TestPictures.sample(x, y, 0)) } }
    for y in 0..<16 {
      for x in 0..<23 {
        for c in 0..<2 { planes[c + 1].append(96 + TestPictures.sample(x, y, c, seed: 40) / 4) }
      }
    }
    try planes[0].withUnsafeBytes { luma in
      try planes[1].withUnsafeBytes { cb in
        try planes[2].withUnsafeBytes { cr in
          let frame = try RawFrame(
            unsafeLuma: luma.baseAddress!, lumaBytesPerRow: 45, cb: cb.baseAddress!,
            cr: cr.baseAddress!, chromaBytesPerRow: 23, encoding: encoding, width: 45, height: 31)
          expectEqual(sample(frame), first)
        }
      }
    }
  }

  @Test func partsTogetherGiveTheBitsOfTheWhole() throws {
    var cases = 0
    for (width, height, side) in [(201, 140, 32), (67, 91, 64), (40, 30, 70)] {
      for orientation in [ImageOrientation.up, .right, .down, .leftMirrored] {
        let transform = try ImageTransform(
          storedWidth: width, storedHeight: height, orientation: orientation, inputWidth: side,
          inputHeight: side)
        func sample(partCount: Int, _ frame: borrowing RawFrame) -> [UInt32] {
          var result = [Float](repeating: -7, count: side * side * 3)
          // Every part has a sampler of its own, and the last one comes first.
          for part in (0..<partCount).reversed() {
            var sampler = InputSampler()
            result.withUnsafeMutableBufferPointer { result in
              sampler.unsafeSample(
                frame, through: transform, into: result.baseAddress!,
                layout: .interleaved(width: side), scale: 1 / 255, part: part, of: partCount)
            }
          }
          return result.map(\.bitPattern)
        }
        TestPictures.formula(width: width, height: height, format: .rgba).withFrame { frame in
          let whole = sample(partCount: 1, frame)
          for partCount in [2, 3, 7, side + 5] {
            expectEqual(sample(partCount: partCount, frame), whole)
            cases += 1
          }
        }
        try TestPictures.planes(
          width: width, height: height, encoding: YCbCrEncoding(.bt601, .full)
        ).withFrame { frame in
          expectEqual(sample(partCount: 3, frame), sample(partCount: 1, frame))
        }
      }
    }
    expectEqual(cases, 48)
  }

  @Test func everyInstructionSetGivesTheSameBits() throws {
    var cases = 0
    // Enlarged, shrunk a little, shrunk so far that the rows of an output are summed up in parts.
    for (width, height, side) in [(9, 14, 40), (1, 700, 5), (131, 97, 64), (333, 270, 17)] {
      for orientation in [ImageOrientation.up, .left, .downMirrored] {
        let transform = try ImageTransform(
          storedWidth: width, storedHeight: height, orientation: orientation, inputWidth: side,
          inputHeight: side + 3)
        func samples(_ kernels: Kernels, _ frame: borrowing RawFrame) -> [UInt32] {
          var sampler = InputSampler(kernels)
          var result = [Float](repeating: -7, count: side * (side + 3) * 3)
          sampler.sample(
            frame, through: transform, into: &result, layout: .interleaved(width: side),
            scale: 1 / 255)
          return result.map { (value) in value.bitPattern }
        }
        func compare(_ frame: borrowing RawFrame) {
          let expected = samples(Kernels(.baseline), frame)
          for implementation in KernelImplementation.allCases where implementation.isAvailable {
            expectEqual(samples(Kernels(implementation), frame), expected)
            cases += 1
          }
        }
        let image = TestPictures.formula(width: width, height: height, format: .rgb)
        for format in RawFrame.PixelFormat.allCases {
          try Self.frame(image, as: format, padding: 5).withFrame { compare($0) }
        }
        try TestPictures.planes(
          width: width, height: height, encoding: YCbCrEncoding(.bt709, .video)
        ).withFrame { compare($0) }
      }
    }
    #expect(cases >= 60)
  }

  @Test func onlyThePlacesOfTheLayoutAreWritten() throws {
    let image = TestPictures.formula(width: 30, height: 20, format: .rgb)
    for orientation in [ImageOrientation.up, .left, .down] {
      let transform = try ImageTransform(
        storedWidth: 30, storedHeight: 20, orientation: orientation, inputWidth: 10,
        inputHeight: 8)
      // A border of one pixel around, eight values for each pixel, guards at both ends.
      let layout = SampleLayout(
        offset: 5 + (12 + 1) * 8, rowStride: 12 * 8, pixelStride: 8, channelStride: 2)
      let count = 5 + 12 * 10 * 8 + 5
      var wide = [Float](repeating: -7, count: count)
      var narrow = [Float](repeating: -7, count: 240)
      var planar = narrow
      var viaPointer = wide
      var sampler = InputSampler()
      image.withFrame { frame in
        sampler.sample(frame, through: transform, into: &wide, layout: layout, scale: 1 / 255)
        sampler.sample(
          frame, through: transform, into: &narrow, layout: .interleaved(width: 10),
          scale: 1 / 255)
        sampler.sample(
          frame, through: transform, into: &planar,
          layout: SampleLayout(rowStride: 10, pixelStride: 1, channelStride: 80),
          scale: 1 / 255)
        viaPointer.withUnsafeMutableBufferPointer {
          sampler.unsafeSample(
            frame, through: transform, into: $0.baseAddress!, layout: layout, scale: 1 / 255)
        }
      }
      expectEqual(viaPointer, wide)
      #expect(narrow.allSatisfy { (0...1).contains($0) })
      var written = Set<Int>()
      for y in 0..<8 {
        for x in 0..<10 {
          for c in 0..<3 {
            let place = layout.offset + y * 96 + x * 8 + c * 2
            let value = narrow[(y * 10 + x) * 3 + c]
            if wide[place] == value && planar[c * 80 + y * 10 + x] == value {
              written.insert(place)
            }
          }
        }
      }
      expectEqual(written.count, 240)
      #expect(wide.indices.allSatisfy { written.contains($0) || wide[$0] == -7 })
    }
  }

  @Test func paddingLiesOutsideTheContentBox() throws {
    let white = PixelImage(
      width: 40, height: 10, format: .gray, samples: [UInt8](repeating: 255, count: 400))
    let transform = try ImageTransform(
      storedWidth: 40, storedHeight: 10, cropAndScale: .scaleFit, inputWidth: 20, inputHeight: 20)
    expectEqual(transform.contentBox.height, 5)
    var sampler = InputSampler()
    var bytes = [UInt8](repeating: 1, count: 1200)
    var numbers = [Float](repeating: 1, count: 1200)
    white.withFrame { frame in
      sampler.sample(frame, through: transform, into: &bytes, layout: .interleaved(width: 20))
      sampler.sample(
        frame, through: transform, into: &numbers, layout: .interleaved(width: 20), scale: 2,
        bias: -3, paddingValue: 50)
    }
    for y in 0..<20 {
      // The content covers rows 7.5 to 12.5: the centres of rows 7 and 12 lie on its borders.
      let isContent = (7...12).contains(y)
      let row = y * 60..<(y + 1) * 60
      #expect(bytes[row].allSatisfy { $0 == (isContent ? 255 : 114) })
      #expect(numbers[row].allSatisfy { $0 == (isContent ? 507 : 97) })
    }
  }

  @Test func aSamplerUsedForManySizesAgreesWithAFreshOne() throws {
    var used = InputSampler()
    var state: UInt32 = 3
    func random(_ range: ClosedRange<Int>) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return range.lowerBound + Int(state >> 8) % range.count
    }
    for _ in 0..<60 {
      let (width, height) = (random(1...90), random(1...90))
      let (inputWidth, inputHeight) = (random(1...40), random(1...40))
      let transform = try ImageTransform(
        storedWidth: width, storedHeight: height,
        orientation: ImageOrientation(rawValue: UInt8(random(1...8)))!,
        cropAndScale: Self.rules[random(0...2)], inputWidth: inputWidth, inputHeight: inputHeight)
      let image = PixelImage(
        width: width, height: height, format: .rgb,
        samples: TestPictures.noise(width * height * 3, seed: state))
      var a = [UInt8](repeating: 0, count: inputWidth * inputHeight * 3)
      var b = a
      var fresh = InputSampler()
      image.withFrame { frame in
        let layout = SampleLayout.interleaved(width: inputWidth)
        used.sample(frame, through: transform, into: &a, layout: layout)
        fresh.sample(frame, through: transform, into: &b, layout: layout)
      }
      expectEqual(a, b)
    }
  }

  @Test func flatPicturesStayFlat() throws {
    for value in [UInt8(0), 1, 127, 254, 255] {
      for (width, height) in [(1, 1), (3, 500), (700, 2), (97, 61)] {
        let image = PixelImage(
          width: width, height: height, format: .rgb,
          samples: [UInt8](repeating: value, count: width * height * 3))
        let transform = try ImageTransform(
          storedWidth: width, storedHeight: height, cropAndScale: .scaleFill, inputWidth: 9,
          inputHeight: 14)
        var sampler = InputSampler()
        var result = [UInt8](repeating: 99, count: 378)
        image.withFrame {
          sampler.sample($0, through: transform, into: &result, layout: .interleaved(width: 9))
        }
        #expect(result.allSatisfy { $0 == value }, "\(value) in \(width)x\(height)")
      }
    }
  }

  @Test func extremeShapesAndRegionsStayInRange() throws {
    let tiny = ImageTransform.minimumRegionSide
    let regions: [NormalizedRect?] = [
      nil, NormalizedRect(x: 0, y: 0, width: tiny, height: tiny),
      NormalizedRect(x: 1 - tiny, y: 1 - tiny, width: tiny, height: tiny),
      NormalizedRect(x: 1 - tiny, y: 0, width: tiny, height: 1),
      NormalizedRect(x: 0, y: 0.5, width: 1, height: tiny),
    ]
    var sampler = InputSampler()
    var cases = 0
    for (width, height) in [(1, 1), (1, 3000), (3000, 1), (2, 2), (5000, 3)] {
      let image = PixelImage(
        width: width, height: height, format: .gray,
        samples: [UInt8](repeating: 200, count: width * height))
      let planes = try StoredFrame(
        luma: image.samples,
        chroma: [UInt8](repeating: 128, count: (width + 1) / 2 * ((height + 1) / 2) * 2),
        encoding: YCbCrEncoding(.bt601, .full), width: width, height: height)
      for region in regions {
        for rule in Self.rules {
          for orientation in [ImageOrientation.up, .rightMirrored] {
            let transform = try ImageTransform(
              storedWidth: width, storedHeight: height, orientation: orientation,
              regionOfInterest: region, cropAndScale: rule, inputWidth: 13, inputHeight: 8)
            var a = [UInt8](repeating: 0, count: 312)
            var b = a
            let layout = SampleLayout.interleaved(width: 13)
            image.withFrame { sampler.sample($0, through: transform, into: &a, layout: layout) }
            planes.withFrame { sampler.sample($0, through: transform, into: &b, layout: layout) }
            expectEqual(a, b)
            // Even the thinnest strip shows.
            #expect(a.contains(200) && a.allSatisfy { $0 == 200 || $0 == 114 })
            cases += 1
          }
        }
      }
    }
    expectEqual(cases, 150)
  }

  @Test func layoutsSayHowFarTheyReach() {
    expectEqual(SampleLayout.interleaved(width: 4).elementCount(width: 4, height: 5), 60)
    expectEqual(
      SampleLayout(rowStride: 4, pixelStride: 1, channelStride: 20).elementCount(
        width: 4, height: 5), 60)
    expectEqual(
      SampleLayout(offset: 7, rowStride: 100, pixelStride: 8).elementCount(width: 3, height: 2),
      7 + 100 + 16 + 3)
    expectEqual(SampleLayout(rowStride: -1).elementCount(width: 1, height: 1), nil)
    expectEqual(SampleLayout(rowStride: .max).elementCount(width: 1, height: 3), nil)
    expectEqual(SampleLayout(offset: .max, rowStride: 1).elementCount(width: 1, height: 1), nil)
  }

  @Test(.timeLimit(.minutes(1)))
  func buffersThatAreTooSmallStopTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let image = PixelImage(width: 1, height: 1, format: .gray, samples: [0])
      let transform = try ImageTransform(
        storedWidth: 1, storedHeight: 1, inputWidth: 2, inputHeight: 2)
      var sampler = InputSampler()
      var result = [UInt8](repeating: 0, count: 11)
      image.withFrame {
        sampler.sample($0, through: transform, into: &result, layout: .interleaved(width: 2))
      }
    }
  }
}

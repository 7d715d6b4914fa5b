import DiceCodecs
import TestSupport
import Testing

/// Truncated and damaged files give a picture or an error, never a trap.
struct PNGDamageTests {
  private static let limits = DecodingLimits(pixelCount: 100_000)

  /// One small file of each kind.
  private func files() throws -> [GoldenPack.File] {
    let pictures = try GoldenPack.pictures("golden/png/pictures.pack")
    var files: [GoldenPack.File] = []
    for picture in pictures
    where picture.name.hasSuffix("-7x5") || picture.name.hasSuffix("transparent-8x8")
      || picture.name.hasPrefix("orientation6")
    {
      files += picture.files.map {
        GoldenPack.File(name: "\(picture.name)-\($0.name)", bytes: $0.bytes)
      }
    }
    return files
  }

  /// Where the chunks behind the image data begin.
  private func endOfImageData(_ bytes: [UInt8]) -> Int {
    var offset = 8
    var end = 8
    while bytes.count - offset >= 12 {
      let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      let isImageData = bytes[offset + 4..<offset + 8].elementsEqual("IDAT".utf8)
      offset += length + 12
      if isImageData { end = offset }
    }
    return end
  }

  @Test func truncationIsAnErrorUntilAllRowsAreThere() throws {
    let files = try files()
    #expect(files.count > 50)
    for file in files {
      let whole = try PNGDecoder.decode(file.bytes)
      let end = endOfImageData(file.bytes)
      for count in 0..<end {
        #expect(throws: PNGError.self, "\(file.name) \(count)") {
          try PNGDecoder.decode(Array(file.bytes[..<count]), limits: Self.limits)
        }
      }
      for count in end..<file.bytes.count {
        let image = try PNGDecoder.decode(Array(file.bytes[..<count]), limits: Self.limits)
        expectEqual(image.samples, whole.samples, "\(file.name) \(count)")
      }
    }
  }

  @Test func aChangedByteIsAnErrorOrChangesNothing() throws {
    var errors = 0
    var pictures = 0
    for file in try files() {
      let whole = try PNGDecoder.decode(file.bytes)
      for index in file.bytes.indices {
        for flip: UInt8 in [1, 0x20, 0xFF] {
          var damaged = file.bytes
          damaged[index] ^= flip
          do throws(PNGError) {
            // Behind the rows, a damaged length makes the file end there.
            let image = try PNGDecoder.decode(damaged, limits: Self.limits)
            expectEqual(image.samples, whole.samples, "\(file.name) \(index)")
            #expect(index >= endOfImageData(file.bytes), "\(file.name) \(index)")
            pictures += 1
          } catch {
            errors += 1
          }
        }
      }
    }
    #expect(errors > 20_000 && pictures < errors / 10)
  }

  @Test func survivesChangedBytesBehindRightChecksums() throws {
    var pictures = 0
    var errors: Set<String> = []
    for file in try files() {
      for index in 8..<file.bytes.count {
        for flip: UInt8 in [1, 4, 0x20, 0x80, 0xFF] {
          var damaged = file.bytes
          damaged[index] ^= flip
          damaged = PNGBuilder.repairingChecksums(damaged)
          do throws(PNGError) {
            let image = try PNGDecoder.decode(damaged, limits: Self.limits)
            pictures += image.samples.isEmpty ? 0 : 1
          } catch {
            errors.insert(String("\(error)".prefix(40)))
          }
        }
      }
    }
    #expect(pictures > 100 && errors.count > 20)
  }

  @Test func survivesNoiseAsRows() throws {
    var generator = SeededGenerator(seed: 9)
    var pictures = 0
    for colorType: UInt8 in [0, 2, 3, 4, 6] {
      for bitDepth: UInt8 in [1, 2, 4, 8, 16] {
        let kind = PNGHeader.ColorType(rawValue: colorType)!
        guard kind.allows(bitDepth: Int(bitDepth)) else { continue }
        for _ in 0..<40 {
          let width = UInt32.random(in: 1...40, using: &generator)
          let height = UInt32.random(in: 1...12, using: &generator)
          let rowByteCount = (Int(width) * Int(bitDepth) * kind.channelCount + 7) / 8
          var rows: [UInt8] = []
          for _ in 0..<height {
            rows.append(UInt8.random(in: 0...4, using: &generator))
            rows += (0..<rowByteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
          }
          let file = PNGBuilder(
            width: width, height: height, bitDepth: bitDepth, colorType: colorType
          )
          .adding("PLTE", colorType == 0 || colorType == 4 ? [] : [UInt8](repeating: 1, count: 768))
          let bytes = file.adding(rows: rows).ended()
          if colorType == 0 || colorType == 4 {
            #expect(throws: PNGError.forbiddenChunk(.palette, colorType: kind)) {
              try PNGDecoder.decode(bytes)
            }
          } else {
            try expectEqual(PNGDecoder.decode(bytes).width, Int(width))
            pictures += 1
          }
        }
      }
    }
    expectEqual(pictures, 320)
  }
}

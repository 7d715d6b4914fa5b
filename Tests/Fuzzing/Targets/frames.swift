import DiceGeometry
import DiceImaging

/// Frames in memory of any claimed size and row length, brought to a network's input.
enum Target {
  static func run(_ bytes: [UInt8]) {
    var reader = InputReader(bytes)
    let kind = reader.byte()
    let width = side(&reader)
    let height = side(&reader)
    let stride = reader.byte() & 1 == 0 ? nil : side(&reader)
    let chromaStride = reader.byte() & 1 == 0 ? nil : side(&reader)
    let orientation = ImageOrientation.allCases[Int(reader.byte() % 8)]
    let region = region(&reader)
    let samples = [UInt8](repeating: reader.byte(), count: Int(reader.word(2) % 3000))
    let chroma = [UInt8](repeating: reader.byte(), count: Int(reader.word(2) % 3000))
    let encodings = YCbCrEncoding.Matrix.allCases.flatMap { matrix in
      YCbCrEncoding.Range.allCases.map { YCbCrEncoding(matrix, $0) }
    }
    let encoding = encodings[Int(reader.byte()) % encodings.count]
    do throws(FrameError) {
      let frame: StoredFrame
      switch kind % 3 {
      case 0:
        let formats = RawFrame.PixelFormat.allCases
        frame = try StoredFrame(
          pixels: samples, format: formats[Int(kind / 3) % formats.count], width: width,
          height: height, bytesPerRow: stride, orientation: orientation)
      case 1:
        frame = try StoredFrame(
          luma: samples, range: encoding.range, width: width, height: height, bytesPerRow: stride,
          orientation: orientation)
      default:
        let subsamplings = RawFrame.ChromaSubsampling.allCases
        let sitings = RawFrame.ChromaSiting.allCases
        frame = try StoredFrame(
          luma: samples, lumaBytesPerRow: stride, chroma: chroma, chromaBytesPerRow: chromaStride,
          chromaOrder: kind & 64 == 0 ? .cbCr : .crCb,
          subsampling: subsamplings[Int(kind / 3) % subsamplings.count],
          chromaSiting: sitings[Int(kind / 9) % sitings.count], encoding: encoding, width: width,
          height: height, orientation: orientation)
      }
      look(at: frame, region, CropAndScale.allCases[Int(kind / 5) % 3])
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  static func look(at frame: StoredFrame, _ region: NormalizedRect?, _ crop: CropAndScale) {
    let image = frame.makeImage()
    require(image.width == frame.width && image.height == frame.height, "one size")
    do throws(GeometryError) {
      let transform = try ImageTransform(
        storedWidth: frame.width, storedHeight: frame.height, orientation: frame.orientation,
        regionOfInterest: region, cropAndScale: crop, inputWidth: 13, inputHeight: 9)
      var sampler = InputSampler()
      var input = [Float](repeating: .nan, count: 13 * 9 * 3)
      frame.withFrame { frame in
        sampler.sample(frame, through: transform, into: &input, layout: .interleaved(width: 13))
        var plane = [UInt8](repeating: 0, count: 6)
        let (columns, rows) = (min(frame.width, 3), min(frame.height, 2))
        frame.reduceLuminance(into: &plane, columns: columns, rows: rows)
        frame.reduceColors(into: &plane, columns: columns, rows: rows)
      }
      require(input.allSatisfy { $0 >= 0 && $0 <= 255 }, "samples are 0 to 255")
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  static func side(_ reader: inout InputReader) -> Int {
    let kind = reader.byte()
    return kind >= 0xF0 ? Int(Int64(bitPattern: reader.word(8))) : Int(kind % 64)
  }

  static func region(_ reader: inout InputReader) -> NormalizedRect? {
    let kind = reader.byte()
    if kind < 0x80 { return nil }
    if kind >= 0xE0 {
      return NormalizedRect(
        x: reader.double(), y: reader.double(), width: reader.double(), height: reader.double())
    }
    return NormalizedRect(
      x: Double(reader.byte()) / 256, y: Double(reader.byte()) / 256,
      width: Double(reader.byte()) / 256, height: Double(reader.byte()) / 256)
  }

  static func seeds() -> [[UInt8]] {
    var generator = SeededGenerator(seed: 5)
    var seeds: [[UInt8]] = []
    for index in 0..<200 {
      var seed: [UInt8] = [UInt8(index), UInt8(1 + index % 30), UInt8(1 + index % 17), 0, 0]
      seed.append(UInt8(index % 8))
      seed += index % 4 == 0 ? [0x90, 20, 20, 100, 100] as [UInt8] : [0]
      seed += [90, 11, 0xB0, 80, 11, 0xB0] as [UInt8]
      seed.append(UInt8.random(in: 0...255, using: &generator))
      seeds.append(seed)
    }
    return seeds
  }
}

// What the library makes of buffers, pictures and files of Apple's frameworks, with the modules that
// stand in for them.

import CoreGraphics
import CoreMedia
import CoreVideo
import DiceCodecs
import DiceVisionKit
import Foundation
import ImageIO

var failures = 0

func expect(_ isTrue: Bool, _ claim: String, line: Int = #line) {
  guard !isTrue else { return }
  print("line \(line): \(claim)")
  failures += 1
}

func refuses(_ wanted: DetectorError, line: Int = #line, _ body: () throws -> Void) {
  do {
    try body()
    expect(false, "nothing was thrown instead of \(wanted)", line: line)
  } catch { expect((error as? DetectorError) == wanted, "\(error), not \(wanted)", line: line) }
}

/// A buffer with rows further apart than they are long; the bytes between them are 99.
func buffer(
  _ format: OSType, _ width: Int, _ height: Int, planes: [(bytes: [UInt8], rows: Int)]
) -> CVPixelBuffer {
  let buffer = CVPixelBuffer(format: format, width: width, height: height)
  for plane in planes {
    let (length, padding) = (plane.bytes.count / plane.rows, 5)
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: plane.rows * (length + padding), alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 99)
    for (index, byte) in plane.bytes.enumerated() {
      memory[index / length * (length + padding) + index % length] = byte
    }
    buffer.planes.append((memory, length + padding))
  }
  return buffer
}

let photo = "Fixtures/scenes/scene-15.jpg"
let detector = try DiceDetector(configuration: .init(threadCount: 1))
let wanted = try detector.detect(inImageFileAt: photo)
expect(wanted.values == [6, 1], "\(wanted)")
let image = try ImageDecoder.decode(Array(Data(contentsOf: URL(fileURLWithPath: photo))))
let (width, height) = (image.width, image.height)

// MARK: - Pixel buffers

var bgraSamples: [UInt8] = []
for first in stride(from: 0, to: width * height * 3, by: 3) {
  bgraSamples += [image.samples[first + 2], image.samples[first + 1], image.samples[first], 255]
}
let bgra = buffer(kCVPixelFormatType_32BGRA, width, height, planes: [(bgraSamples, height)])
expect(try detector.detect(in: bgra).hasSameContent(as: wanted), "BGRA with padded rows")
expect(bgra.lockCount == 0 && bgra.lockings == 1, "locked once, and unlocked")
let lower = NormalizedRect(x: 0, y: 0, width: 1, height: 0.6)
expect(
  try detector.detect(
    in: bgra, regionOfInterest: lower, thresholds: .with(confidenceThreshold: 0.5)
  )
  .hasSameContent(
    as: detector.detect(
      in: image, regionOfInterest: lower, thresholds: .with(confidenceThreshold: 0.5))),
  "region and thresholds")
refuses(.invalidThreshold(name: "confidenceThreshold", value: 2)) {
  _ = try detector.detect(in: bgra, thresholds: .with(confidenceThreshold: 2))
}
expect(bgra.lockCount == 0, "unlocked after an error")

let stored = try StoredFrame(copying: bgra, orientation: .right)
expect(stored.orientation == .right && stored.width == width, "a copy")
expect(
  try detector.detect(in: stored).hasSameContent(
    as: detector.detect(in: bgra, orientation: .right)),
  "a copy reads the same")

let unknown = buffer(0x7834_3230, 2, 2, planes: [([1, 2, 3, 4], 2)])
refuses(.frame(.unsupportedPixelFormat(code: 0x7834_3230))) { _ = try detector.detect(in: unknown) }
do { _ = try detector.detect(in: unknown) } catch {
  expect("\(error)".contains("'x420'"), "\(error)")
}
let locked = buffer(kCVPixelFormatType_32BGRA, 1, 1, planes: [([1, 2, 3, 4], 1)])
locked.lockStatus = kCVReturnInvalidArgument
refuses(.frame(.bufferNotLocked(status: -6661))) { _ = try detector.detect(in: locked) }
refuses(.frame(.noSamples)) {
  _ = try detector.detect(
    in: CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 8, height: 8))
}
refuses(.frame(.noSamples)) {
  _ = try detector.detect(
    in: buffer(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 2, 2, planes: [([1, 2, 3, 4], 2)]))
}

// Every format with chroma: sizes of its planes, range, matrix and siting.
for (format, columns, rows, range) in [
  (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 2, 2, YCbCrEncoding.Range.video),
  (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 2, 2, .full),
  (kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, 2, 3, .video),
  (kCVPixelFormatType_422YpCbCr8BiPlanarFullRange, 2, 3, .full),
  (kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange, 3, 3, .video),
  (kCVPixelFormatType_444YpCbCr8BiPlanarFullRange, 3, 3, .full),
] {
  let luma: [UInt8] = (0..<9).map { 20 + 20 * $0 }
  let chroma: [UInt8] = (0..<UInt8(columns * rows * 2)).map { 120 + $0 }
  let frame = buffer(format, 3, 3, planes: [(luma, 3), (chroma, rows)])
  for (name, matrix) in [
    (nil, YCbCrEncoding.Matrix.bt709), (kCVImageBufferYCbCrMatrix_ITU_R_601_4, .bt601),
    (kCVImageBufferYCbCrMatrix_ITU_R_709_2, .bt709), (kCVImageBufferYCbCrMatrix_ITU_R_2020, .bt709),
  ] as [(CFString?, YCbCrEncoding.Matrix)] {
    frame.attachments[kCVImageBufferYCbCrMatrixKey] = name
    let subsampling: RawFrame.ChromaSubsampling = columns == 3 ? .s444 : rows == 3 ? .s422 : .s420
    let encoding = YCbCrEncoding(matrix, range)
    let copy = try StoredFrame(copying: frame)
    expect(copy.format == RawFrame.Format(subsampling, encoding), "\(copy.format)")
    let direct = try StoredFrame(
      luma: luma, chroma: chroma, subsampling: subsampling, encoding: encoding, width: 3, height: 3)
    expect(copy == direct, "samples without what lies between rows")
  }
  for (name, siting) in [
    (kCVImageBufferChromaLocation_Left, RawFrame.ChromaSiting.left),
    (kCVImageBufferChromaLocation_TopLeft, .topLeft),
    (kCVImageBufferChromaLocation_Center, .center),
  ] {
    frame.attachments[kCVImageBufferChromaLocationTopFieldKey] = name
    expect(try StoredFrame(copying: frame).chromaSiting == siting, "\(siting)")
  }
  expect(frame.lockCount == 0, "unlocked")
}
let gray = buffer(kCVPixelFormatType_OneComponent8, 2, 2, planes: [([1, 2, 3, 4], 2)])
let corner = try RawFrame.withPixelBuffer(gray, orientation: .down) {
  ($0.orientation, $0.color(column: 1, row: 1).red)
}
expect(corner == (.down, 4), "\(corner)")
struct Mine: Error {}
do {
  try RawFrame.withPixelBuffer(gray) { (_) in throw Mine() }
  expect(false, "the closure's error was lost")
} catch { expect(error is Mine && gray.lockCount == 0, "\(error)") }

// MARK: - Rolls

var follower = RollFollower()
var twin = RollFollower()
for step in 0..<4 {
  let time = Duration.milliseconds(step * 40)
  let one = try follower.follow(bgra, with: detector, orientation: .up, at: time)
  let other = try twin.follow(
    CMSampleBuffer(imageBuffer: bgra, time: CMTime(value: Int64(step * 40), timescale: 1000)),
    with: detector)
  expect(one == other, "\(one) \(other)")
}
expect(follower.frameCount == 4 && follower.tracker == twin.tracker, "the same times")
refuses(.frame(.noTimestamp)) {
  _ = try twin.follow(CMSampleBuffer(imageBuffer: bgra, time: .invalid), with: detector)
}
refuses(.frame(.noSamples)) {
  _ = try detector.detect(in: CMSampleBuffer(imageBuffer: nil, time: .invalid))
}
expect(
  try detector.detect(in: CMSampleBuffer(imageBuffer: bgra, time: .invalid)).hasSameContent(
    as: wanted), "a sample buffer")

// MARK: - Pictures and files

var pixels: [UInt32] = []
for first in stride(from: 0, to: width * height * 3, by: 3) {
  pixels.append(
    UInt32(image.samples[first]) << 16 | UInt32(image.samples[first + 1]) << 8
      | UInt32(image.samples[first + 2]))
}
let picture = CGImage(width: width, height: height, pixels: pixels)
expect(try detector.detect(in: picture).hasSameContent(as: wanted), "a CGImage")
refuses(.frame(.notDrawable(width: 10_000, height: 1))) {
  _ = try detector.detect(in: CGImage(width: 10_000, height: 1, pixels: []))
}
refuses(.frame(.noPixels(width: 0, height: 1))) {
  _ = try detector.detect(in: CGImage(width: 0, height: 1, pixels: []))
}
let file = Array("PIC".utf8) + [6, 40, 20, 128]
let fromSystem = try detector.detect(inImageFile: file)
expect(
  fromSystem.isEmpty && fromSystem.uprightWidth == 20 && fromSystem.uprightHeight == 40,
  "a file that the system decodes, turned upright")
refuses(.frame(.tooManyPixels(width: 40, height: 20, limit: 799))) {
  _ = try detector.detect(inImageFile: file, limits: DecodingLimits(pixelCount: 799))
}
refuses(.image(.unrecognizedFormat(firstBytes: [1, 2, 3]))) {
  _ = try detector.detect(inImageFile: [1, 2, 3])
}
do {
  _ = try detector.detect(inImageFile: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
} catch {
  guard case .image(.png) = error else { fatalError("\(error)") }
}

// MARK: - Geometry

let box = BoundingBox(x: 1, y: 2, width: 3, height: 4)
expect(CGRect(box) == CGRect(x: 1, y: 2, width: 3, height: 4), "CGRect of a box")
expect(BoundingBox(CGRect(box)) == box, "and back")
expect(BoundingBox(CGRect(x: 4, y: 6, width: -3, height: -4)) == box, "standardized")
let share = NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
expect(NormalizedRect(CGRect(share)) == share, "normalized, there and back")
expect(PixelPoint(CGPoint(PixelPoint(x: 3, y: 5))) == PixelPoint(x: 3, y: 5), "a point")
let size = CGSize(width: 390, height: 844)
expect(
  wanted.viewTransform(viewSize: size, contentMode: .aspectFill)
    == wanted.viewTransform(viewWidth: 390, viewHeight: 844, contentMode: .aspectFill),
  "a view's size")
expect(
  ViewTransform(imageWidth: 4, imageHeight: 3, viewSize: size)
    == ViewTransform(imageWidth: 4, imageHeight: 3, viewWidth: 390, viewHeight: 844), "a size")
for orientation in ImageOrientation.allCases {
  let other = CGImagePropertyOrientation(orientation)
  expect(other.rawValue == UInt32(orientation.rawValue), "\(orientation)")
  expect(ImageOrientation(other) == orientation, "\(orientation)")
}

if failures > 0 { exit(1) }
print("buffers, pictures, files and rectangles are what they should be")

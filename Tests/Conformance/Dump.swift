import DiceGeometry
import DiceCodecs
import DiceParallel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Decodes the files whose paths stand on standard input, and writes each picture beside its file.
///
/// `FILE.raw` begins with a line: width, height, channels and orientation, behind which the
/// samples follow, or `error` and its sentence.
@main enum Dump {
  static let pool = WorkerPool(threadCount: 2)

  static func main() {
    while let path = readLine() {
      var result: [UInt8]
      do throws(ImageDecodingError) {
        let bytes = read(path)
        let image = try ImageDecoder.decode(bytes)
        let shared = try ImageDecoder.decode(
          bytes, longerSide: .max, limits: .init(), keepsAlpha: true, pool: pool)
        guard shared.image == image else { fatalError("\(path) differs on two threads") }
        result = Array(
          ("\(image.width) \(image.height) \(image.format.channelCount) "
            + "\(image.orientation.rawValue)\n").utf8)
        result += image.samples
      } catch {
        result = Array("error \(error.description)\n".utf8)
      }
      guard let file = fopen("\(path).raw", "wb") else { fatalError("cannot write \(path).raw") }
      fwrite(result, 1, result.count, file)
      fclose(file)
    }
  }

  static func read(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { fatalError("cannot read \(path)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}

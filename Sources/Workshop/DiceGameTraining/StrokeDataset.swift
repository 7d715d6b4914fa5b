public import DiceFiles
internal import DiceCodecs
package import DiceGameKit

/// Digits as the strokes of a pen, with their writers.
///
/// A file has a line of JSON for each digit:
/// `{"id": "a", "writer": "w", "label": "4", "strokes": [[[x, y], ...], ...]}`, y down, in any unit;
/// plain or with gzip (`.gz`).
public struct StrokeDataset: Hashable, Sendable {
  /// One digit.
  package struct Sample: Hashable, Sendable {
    package var writer: String
    package var digit: Int
    /// In the writer's unit, where the writer put it.
    package var paths: [InkPath]
  }

  package let samples: [Sample]

  /// How many digits there are.
  public var count: Int { samples.count }

  /// The writers, each once, in order.
  public var writers: [String] { Set(samples.map(\.writer)).sorted() }

  package init(samples: [Sample]) { self.samples = samples }

  /// The digits of some writers.
  public func ofWriters(_ isWanted: (String) -> Bool) -> StrokeDataset {
    StrokeDataset(samples: samples.filter { isWanted($0.writer) })
  }

  /// A number that follows from all digits.
  var fingerprint: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ word: UInt64) { hash = (hash ^ word) &* 0x100_0000_01b3 }
    for sample in samples {
      for byte in sample.writer.utf8 { add(UInt64(byte)) }
      add(UInt64(sample.digit))
      for path in sample.paths {
        add(UInt64(path.points.count))
        for point in path.points {
          add(UInt64(point.x.bitPattern) << 32 | UInt64(point.y.bitPattern))
        }
      }
    }
    return hash
  }

  /// Reads a file.
  ///
  /// - Throws: that the file cannot be read, or the line that breaks a rule.
  public init(file path: String) throws(StrokeDatasetError) {
    var samples: [Sample] = []
    for (number, line) in try Self.lines(ofFile: path) {
      samples.append(try Self.sample(line, number: number))
    }
    self.init(samples: samples)
  }

  /// The lines of a file that are not empty, with their numbers, from 1.
  static func lines(
    ofFile path: String
  ) throws(StrokeDatasetError) -> [(number: Int, line: ArraySlice<UInt8>)] {
    var bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.readFile(at: path, byteLimit: DigitDataset.fileByteLimit)
    } catch { throw .file(error) }
    if path.hasSuffix(".gz") {
      do throws(GzipError) {
        bytes = try Gzip.decompress(bytes, outputLimit: DigitDataset.fileByteLimit)
      } catch { throw .line(1, "the file cannot be decompressed: \(error)") }
    }
    return bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated()
      .filter { !$0.element.isEmpty }.map { ($0.offset + 1, $0.element) }
  }

  /// The object in a line.
  static func object(
    _ line: ArraySlice<UInt8>, number: Int
  ) throws(StrokeDatasetError) -> JSONObject {
    let value: JSONValue
    do { value = try JSONReader.parse(Array(line)) } catch { throw .line(number, "\(error)") }
    guard case .object(let object) = value else { throw .line(number, "it is no object") }
    return object
  }

  /// The strokes of an object; at least one.
  static func paths(
    _ object: JSONObject, number: Int
  ) throws(StrokeDatasetError) -> [InkPath] {
    do throws(DrawingError) {
      let paths = try StrokeJSON.drawing(object["strokes"]).paths()
      guard !paths.isEmpty else { throw DrawingError.emptyStroke(stroke: 0) }
      return paths
    } catch { throw .line(number, "\(error)") }
  }

  private static func sample(
    _ line: ArraySlice<UInt8>, number: Int
  ) throws(StrokeDatasetError) -> Sample {
    let object = try object(line, number: number)
    guard let writer = object["writer"]?.string else { throw .line(number, "no \"writer\"") }
    guard let label = object["label"]?.string, let digit = Int(label), (0...9).contains(digit)
    else { throw .line(number, "\"label\" is no digit") }
    return Sample(writer: writer, digit: digit, paths: try paths(object, number: number))
  }
}

/// Why strokes cannot be read.
public enum StrokeDatasetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file cannot be read.
  case file(FileError)
  /// A line, from 1, breaks a rule.
  case line(Int, String)

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .line(let number, let sentence): "Line \(number): \(sentence)"
    }
  }
}

public import DiceFiles
public import DiceCodecs
public import DiceGameKit
internal import DiceNumerics

/// Pictures of digits and what they show, in the format of the MNIST collection.
public struct DigitDataset: Hashable, Sendable {
  /// The pictures.
  public let bitmaps: [DigitBitmap]
  /// What each of them shows, 0...9.
  public let digits: [UInt8]

  /// How many pictures there are.
  public var count: Int { bitmaps.count }

  /// A set of pictures with their digits.
  ///
  /// - Precondition: there are as many digits as pictures, each 0...9.
  public init(bitmaps: [DigitBitmap], digits: [UInt8]) {
    precondition(bitmaps.count == digits.count, "every picture has a digit")
    precondition(digits.allSatisfy { $0 <= 9 }, "a digit is 0 to 9")
    self.bitmaps = bitmaps
    self.digits = digits
  }

  /// A number that follows from all pictures and digits.
  var fingerprint: UInt64 {
    var bytes = digits
    bytes.reserveCapacity(count * (1 + DigitBitmap.side * DigitBitmap.side))
    for bitmap in bitmaps { bytes += bitmap.samples }
    return XXHash64.hash(bytes)
  }

  /// A part of MNIST.
  public enum Part: String, CaseIterable, Hashable, Sendable {
    /// 60,000 pictures to learn from.
    case training = "train"
    /// 10,000 pictures of other writers.
    case test = "t10k"
  }

  /// The most bytes of a file, before and after decompression.
  public static let fileByteLimit = 1 << 28

  /// Reads one part of a folder with MNIST's files, plain or with gzip:
  /// `PART-images-idx3-ubyte(.gz)` and `PART-labels-idx1-ubyte(.gz)`.
  ///
  /// - Throws: the file that cannot be read, or the rule that it breaks.
  public init(mnistFolder folder: String, part: Part) throws(DigitDatasetError) {
    let images = try Self.read(folder, "\(part.rawValue)-images-idx3-ubyte")
    let labels = try Self.read(folder, "\(part.rawValue)-labels-idx1-ubyte")
    let side = DigitBitmap.side
    guard images.dimensions.count == 3, images.dimensions[1] == side,
      images.dimensions[2] == side
    else { throw .dimensions(found: images.dimensions, required: [side, side]) }
    guard labels.dimensions == [images.dimensions[0]] else {
      throw .labelCount(found: labels.values.count, required: images.dimensions[0])
    }
    if let index = labels.values.firstIndex(where: { $0 > 9 }) {
      throw .label(index: index, found: labels.values[index])
    }
    let size = side * side
    bitmaps = (0..<images.dimensions[0]).compactMap { (index) in
      DigitBitmap(samples: Array(images.values[index * size..<(index + 1) * size]))
    }
    digits = labels.values
  }

  private static func read(
    _ folder: String, _ name: String
  ) throws(DigitDatasetError) -> IDXFile {
    let plain = Paths.joined(folder, name)
    let packed = plain + ".gz"
    let isPacked = FileSystem.exists(at: packed) && !FileSystem.exists(at: plain)
    let path = isPacked ? packed : plain
    var bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.readFile(at: path, byteLimit: fileByteLimit)
    } catch { throw .file(error) }
    if isPacked {
      do throws(GzipError) {
        bytes = try Gzip.decompress(bytes, outputLimit: fileByteLimit)
      } catch { throw .compression(path: path, error) }
    }
    do throws(IDXError) { return try IDXFile(bytes) } catch { throw .format(path: path, error) }
  }
}

/// Why a set of digits cannot be read.
public enum DigitDatasetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A file cannot be read.
  case file(FileError)
  /// A file cannot be decompressed.
  case compression(path: String, GzipError)
  /// A file breaks a rule of its format.
  case format(path: String, IDXError)
  /// The pictures have another size.
  case dimensions(found: [Int], required: [Int])
  /// There are more or fewer labels than pictures.
  case labelCount(found: Int, required: Int)
  /// A label is no digit.
  case label(index: Int, found: UInt8)

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .compression(let path, let error): "\(path): \(error)"
    case .format(let path, let error): "\(path): \(error)"
    case .dimensions(let found, let required):
      "The pictures of digits have the dimensions \(found); the last two must be \(required)."
    case .labelCount(let found, let required):
      "There are \(found) labels for \(required) pictures of digits."
    case .label(let index, let found):
      "Label \(index) is \(found); a digit is 0 to 9."
    }
  }
}

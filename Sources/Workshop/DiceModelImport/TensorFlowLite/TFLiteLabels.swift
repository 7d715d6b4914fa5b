/// The names of classes in the text that is packed behind a model.
///
/// Models with metadata have a ZIP archive behind the flatbuffer, with a file of labels, a line each. It is
/// not compressed where TensorFlow's own library wrote it; others are passed over, and so is damage.
///
/// Source: PKWARE, "APPNOTE.TXT", sections 4.3.7, 4.3.12 and 4.3.16; TensorFlow Lite documentation, "Metadata".
enum TFLiteLabels {
  /// The most bytes of a file of labels, and the most files.
  private static let byteLimit = 1 << 20
  private static let fileLimit = 64

  /// The lines of the only text behind a model.
  ///
  /// Of several texts it is the one that is named as labels are. Empty where there is none.
  static func read(_ bytes: [UInt8]) -> [String] {
    let texts = files(bytes).filter { $0.name.lowercased().hasSuffix(".txt") }
    let named = texts.filter { (file) in
      ["label", "dict", "class"].contains { file.name.lowercased().contains($0) }
    }
    guard let file = texts.count == 1 ? texts.first : named.count == 1 ? named.first : nil else {
      return []
    }
    var lines = String(decoding: bytes[file.range], as: UTF8.self)
      .split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.count <= 65_536 ? CoreMLLabels.legal(lines) : []
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    return (offset..<offset + count).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) }
  }

  /// The files of an archive at the end that are stored as they are.
  private static func files(_ bytes: [UInt8]) -> [(name: String, range: Range<Int>)] {
    // The directory's end: 22 bytes, and a comment.
    let first = max(0, bytes.count - 22 - 65_535)
    guard bytes.count >= 22,
      let end = (first...bytes.count - 22).last(where: {
        number(bytes, $0, 4) == 0x0605_4B50
      }), let count = number(bytes, end + 10, 2), let size = number(bytes, end + 12, 4),
      let stated = number(bytes, end + 16, 4), size <= end
    else { return [] }
    var place = end - size
    // Offsets count from the archive's first byte, or from the file's.
    let shift = place - stated
    var files: [(name: String, range: Range<Int>)] = []
    for _ in 0..<min(count, fileLimit) {
      guard number(bytes, place, 4) == 0x0201_4B50, let method = number(bytes, place + 10, 2),
        let byteCount = number(bytes, place + 24, 4), let nameCount = number(bytes, place + 28, 2),
        let extraCount = number(bytes, place + 30, 2),
        let commentCount = number(bytes, place + 32, 2), let offset = number(bytes, place + 42, 4),
        place + 46 + nameCount <= bytes.count
      else { break }
      let name = String(decoding: bytes[place + 46..<place + 46 + nameCount], as: UTF8.self)
      let local = offset + shift
      if method == 0, byteCount <= byteLimit, number(bytes, local, 4) == 0x0403_4B50,
        let ownName = number(bytes, local + 26, 2), let ownExtra = number(bytes, local + 28, 2),
        local + 30 + ownName + ownExtra <= bytes.count - byteCount
      {
        let start = local + 30 + ownName + ownExtra
        files.append((name, start..<start + byteCount))
      }
      place += 46 + nameCount + extraCount + commentCount
    }
    return files
  }
}

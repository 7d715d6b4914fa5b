/// Cuts a stream of JPEG pictures, one after another, into its pictures: motion JPEG, and what
/// cameras send as `multipart/x-mixed-replace`.
///
///     var splitter = MJPEGSplitter()
///     while let event = splitter.next(from: &bytes) { … }
///     // `bytes` is used up: get more, or call finish() until it gives nil.
///
/// Markers are followed, not searched for: segments are stepped over by their lengths, so that the
/// thumbnail in a segment is not taken for a picture, and compressed data up to a marker that is no
/// stuffed byte and no restart. Padding and lines of text between pictures, such as the headers of a
/// multipart message, are stepped over.
///
/// Where a rule is broken the picture is given up, the rule is told, and reading goes on at the next
/// `FF D8 FF`; as bytes are looked at once, that may be a thumbnail's, or a picture later than the
/// next where a damaged length covered that one's start. A picture whose compressed data ends at the
/// start of the next one, or with the stream, is given nevertheless: a decoder can tell whether it is
/// whole. A start of a picture that another one follows at once belongs to no picture.
///
/// Pictures, damage and their order do not depend on how the stream is cut into chunks. Memory is
/// that of one picture, and is used again if the caller has let go of the last one.
///
/// Source: ITU-T T.81, annex B.
public struct MJPEGSplitter: Sendable {
  /// A picture of the stream.
  public struct Picture: Hashable, Sendable {
    /// The JPEG file.
    public let bytes: [UInt8]
    /// Where it starts in the stream.
    public let offset: Int
    /// Whether the end-of-image marker is there.
    public let hasEnd: Bool
  }

  /// What comes next in the stream.
  public enum Event: Hashable, Sendable {
    /// A picture.
    case picture(Picture)
    /// A broken rule. But for `strayBytes`, a picture was given up.
    case damage(MJPEGDamage)
  }

  /// How many bytes of padding and text may stand between pictures.
  public static let strayByteLimit = 4096

  private let pictureByteLimit: Int
  private var state = State.between(matched: 0)
  /// The picture that is being read, or the one that was given last.
  private var picture: [UInt8] = []
  private var pictureOffset = 0
  /// Where the next byte stands in the stream.
  private var offset = 0
  private var stray = Stray()

  private enum State {
    /// Before a picture, having seen that many bytes of `FF D8 FF`, behind which a picture begins
    /// unless `D8` follows.
    case between(matched: Int)
    /// A marker is required.
    case marker
    /// Behind the `FF` of a marker.
    case markerCode
    /// At the length of a segment, whose first byte may be known.
    case length(marker: UInt8, first: UInt8?)
    case segment(remaining: Int, isScan: Bool)
    /// In compressed data.
    case scan
    /// Behind an `FF` in compressed data.
    case scanMarker
  }

  /// The bytes between two pictures.
  private struct Stray {
    var offset = 0
    var count = 0
    var isHarmless = true
    /// Whether damage was told already, so that what follows is no news.
    var isExpected = false
  }

  /// A splitter at the start of a stream.
  ///
  /// - Parameter pictureByteLimit: The most bytes of a picture; 64 MiB unless told.
  /// - Precondition: the limit is at least 4.
  public init(pictureByteLimit: Int = 1 << 26) {
    precondition(pictureByteLimit >= 4, "a picture has at least 4 bytes")
    self.pictureByteLimit = pictureByteLimit
  }

  /// Reads up to the end of a picture, or to damage.
  ///
  /// - Parameter bytes: The next bytes of the stream; those that were read are removed.
  /// - Returns: what was found, or nil where all bytes were read and more are needed.
  /// - Complexity: linear in the number of bytes read.
  public mutating func next(from bytes: inout ArraySlice<UInt8>) -> Event? {
    while let byte = bytes.first {
      if case .between(let matched) = state {
        if matched == 3, byte != 0xD8 {
          // The byte stays: it is the marker's.
          let event = strayEvent()
          begin()
          if let event { return event }
          continue
        }
        advance(&bytes, 1)
        readBetween(byte, matched)
        continue
      }
      if picture.count >= pictureByteLimit {
        return giveUp(.pictureTooLarge(offset: pictureOffset, limit: pictureByteLimit))
      }
      switch state {
      case .segment(let remaining, let isScan):
        let count = min(remaining, bytes.count, pictureByteLimit - picture.count)
        keep(&bytes, count)
        if count < remaining {
          state = .segment(remaining: remaining - count, isScan: isScan)
        } else {
          state = isScan ? .scan : .marker
        }
      case .scan:
        let part = bytes.prefix(pictureByteLimit - picture.count)
        let end = Self.firstMarkerByte(in: part) ?? part.endIndex
        keep(&bytes, end - bytes.startIndex)
        if end < part.endIndex {
          keep(&bytes, 1)
          state = .scanMarker
        }
      default:
        keep(&bytes, 1)
        if let event = readMarker(byte) { return event }
      }
    }
    return nil
  }

  /// Says that no more bytes follow.
  ///
  /// - Returns: the last picture where it has no end, or the damage at the end; nil where nothing is
  ///   left, so that it is called until then.
  public mutating func finish() -> Event? {
    switch state {
    case .between(let matched):
      let event = strayEvent()
      stray = Stray(offset: offset, isExpected: true)
      if matched == 3 {
        begin()
        return event ?? finish()
      }
      return event
    case .scan, .scanMarker:
      return finishPicture(hasEnd: false)
    case .marker, .markerCode, .length, .segment:
      return giveUp(.truncated(offset: offset))
    }
  }

  // MARK: - Steps

  private mutating func advance(_ bytes: inout ArraySlice<UInt8>, _ count: Int) {
    bytes = bytes.dropFirst(count)
    offset &+= count
  }

  private mutating func keep(_ bytes: inout ArraySlice<UInt8>, _ count: Int) {
    picture.append(contentsOf: bytes.prefix(count))
    advance(&bytes, count)
  }

  private static func firstMarkerByte(in bytes: ArraySlice<UInt8>) -> Int? {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      for i in 0..<buffer.count where unsafe buffer[i] == 0xFF { return bytes.startIndex + i }
      return nil
    }
  }

  /// Begins a picture, of which `FF D8 FF` was seen.
  private mutating func begin() {
    pictureOffset = offset - 3
    picture.removeAll(keepingCapacity: true)
    picture += [0xFF, 0xD8, 0xFF]
    state = .markerCode
  }

  /// Looks for a picture whose `FF D8` was seen.
  private mutating func awaitPicture() {
    stray.offset = offset - 2
    state = .between(matched: 2)
  }

  private mutating func finishPicture(hasEnd: Bool) -> Event {
    state = .between(matched: 0)
    stray = Stray(offset: offset)
    return .picture(Picture(bytes: picture, offset: pictureOffset, hasEnd: hasEnd))
  }

  private mutating func giveUp(_ damage: MJPEGDamage) -> Event {
    state = .between(matched: 0)
    stray = Stray(offset: offset, isExpected: true)
    return .damage(damage)
  }

  private func strayEvent() -> Event? {
    if stray.isExpected || stray.count == 0 { return nil }
    if stray.isHarmless, stray.count <= Self.strayByteLimit { return nil }
    return .damage(.strayBytes(offset: stray.offset, count: stray.count))
  }

  private mutating func readBetween(_ byte: UInt8, _ matched: Int) {
    switch (matched, byte) {
    case (3, 0xD8):
      addStray(2, isHarmless: false)
      state = .between(matched: 2)
    case (2, 0xFF):
      state = .between(matched: 3)
    case (1, 0xD8):
      state = .between(matched: 2)
    case (_, 0xFF):
      addStray(matched, isHarmless: true)
      state = .between(matched: 1)
    default:
      let isText = (0x20...0x7E).contains(byte) || byte == 0x0A || byte == 0x0D || byte == 0x09
      // Of what was taken for a start, only a lone FF is padding.
      addStray(matched + 1, isHarmless: matched < 2 && (isText || byte == 0))
      state = .between(matched: 0)
    }
  }

  private mutating func addStray(_ count: Int, isHarmless: Bool) {
    stray.count &+= count
    stray.isHarmless = stray.isHarmless && isHarmless
  }

  /// Reads a byte of a marker or of a segment's length; it has been kept already.
  private mutating func readMarker(_ byte: UInt8) -> Event? {
    switch state {
    case .marker:
      if byte != 0xFF { return giveUp(.missingMarker(offset: offset - 1, found: byte)) }
      state = .markerCode
    case .markerCode:
      return readMarkerCode(byte)
    case .scanMarker:
      switch byte {
      case 0x00, 0xD0...0xD7: state = .scan
      case 0xFF: break
      case 0xD8:
        picture.removeLast(2)
        let event = finishPicture(hasEnd: false)
        awaitPicture()
        return event
      default: return readMarkerCode(byte)
      }
    case .length(let marker, nil):
      state = .length(marker: marker, first: byte)
    case .length(let marker, .some(let first)):
      let length = Int(first) << 8 | Int(byte)
      if length < 2 {
        return giveUp(
          .invalidSegmentLength(marker: marker, length: length, offset: offset - 4))
      }
      let isScan = marker == 0xDA
      state =
        length > 2
        ? .segment(remaining: length - 2, isScan: isScan) : isScan ? .scan : .marker
    case .between, .segment, .scan: break
    }
    return nil
  }

  private mutating func readMarkerCode(_ code: UInt8) -> Event? {
    switch code {
    case 0xFF: break
    case 0x01, 0xD0...0xD7: state = .marker
    case 0xD9: return finishPicture(hasEnd: true)
    case 0xD8:
      let event = giveUp(.pictureInterrupted(offset: offset - 2))
      awaitPicture()
      return event
    case 0xC0...0xFE: state = .length(marker: code, first: nil)
    default: return giveUp(.unexpectedMarker(marker: code, offset: offset - 2))
    }
    return nil
  }
}

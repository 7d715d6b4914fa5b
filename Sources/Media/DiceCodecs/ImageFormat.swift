/// What kind of file bytes are, told by their first bytes and never by a name.
///
/// `png`, `jpeg` and `portableMap` can be decoded. The others are known so that they can be refused
/// by name: formats that cameras, browsers and drawing programs write, and files that are no
/// picture at all but are taken for one now and then.
public enum ImageFormat: String, CaseIterable, Hashable, Sendable {
  /// Portable Network Graphics.
  case png = "PNG"
  /// JPEG in a JFIF or EXIF file.
  case jpeg = "JPEG"
  /// Netpbm: PBM, PGM and PPM.
  case portableMap = "portable map"

  /// High Efficiency Image File: what phones write unless told otherwise.
  case heic = "HEIC"
  /// AV1 Image File.
  case avif = "AVIF"
  /// WebP.
  case webP = "WebP"
  /// Graphics Interchange Format.
  case gif = "GIF"
  /// Windows bitmap.
  case bmp = "BMP"
  /// Tagged Image File, and the raw formats of cameras that are built on it.
  case tiff = "TIFF"
  /// Windows icon or cursor.
  case ico = "ICO"
  /// Photoshop document.
  case photoshop = "Photoshop"
  /// JPEG 2000.
  case jpeg2000 = "JPEG 2000"
  /// JPEG XL.
  case jpegXL = "JPEG XL"
  /// Quite OK Image.
  case qoi = "QOI"
  /// OpenEXR.
  case openEXR = "OpenEXR"
  /// Radiance high dynamic range picture.
  case radiance = "Radiance HDR"
  /// Portable arbitrary map of Netpbm.
  case portableArbitraryMap = "portable arbitrary map"
  /// Portable float map.
  case portableFloatMap = "portable float map"
  /// Raw picture of a Canon or Fujifilm camera.
  case cameraRaw = "camera raw"
  /// Scalable Vector Graphics.
  case svg = "SVG"
  /// Portable Document Format.
  case pdf = "PDF"
  /// A film: QuickTime, MPEG-4, Matroska, WebM or AVI.
  case video = "video"
  /// An uncompressed film in the format YUV4MPEG2.
  case y4m = "YUV4MPEG2"
  /// A web page, such as an error sent in place of a picture.
  case html = "HTML"
  /// Any other XML, such as an error sent in place of a picture.
  case xml = "XML"
  /// A ZIP archive, and the documents that are one.
  case zip = "ZIP"
  /// A gzip archive.
  case gzip = "gzip"

  /// The name of the format as people say it.
  public var name: String { rawValue }

  /// Whether `ImageDecoder` reads the format.
  public var isDecodable: Bool {
    switch self {
    case .png, .jpeg, .portableMap: true
    default: false
    }
  }

  /// A command that makes a file of a kind that is read from one of this format, whose name it has to
  /// be given; nil where there is nothing to convert, or nothing needs to be.
  ///
  /// Films go through a pipe to the tool of this package.
  public var conversion: String? {
    switch self {
    case .heic: "heif-convert in.heic out.jpg"
    case .avif: "heif-convert in.avif out.jpg"
    case .webP: "magick in.webp out.png"
    case .gif: "magick 'in.gif[0]' out.png"
    case .bmp: "magick in.bmp out.png"
    case .tiff: "magick 'in.tif[0]' out.png"
    case .ico: "magick 'in.ico[0]' out.png"
    case .photoshop: "magick 'in.psd[0]' out.png"
    case .jpeg2000: "magick in.jp2 out.png"
    case .jpegXL: "djxl in.jxl out.png"
    case .qoi: "magick in.qoi out.png"
    case .openEXR: "magick in.exr out.png"
    case .radiance: "magick in.hdr out.png"
    case .portableArbitraryMap: "magick in.pam out.png"
    case .portableFloatMap: "magick in.pfm out.png"
    case .cameraRaw: "darktable-cli in.cr3 out.jpg"
    case .svg: "rsvg-convert in.svg -o out.png"
    case .pdf: "pdftoppm -png in.pdf out"
    case .video:
      "ffmpeg -i in.mp4 -pix_fmt yuv420p -f yuv4mpegpipe - | dicevision track -"
    case .y4m: "dicevision track in.y4m"
    case .png, .jpeg, .portableMap, .html, .xml, .zip, .gzip: nil
    }
  }

  /// A command that makes files of a kind that is read, also from a film.
  var pictureConversion: String? {
    switch self {
    case .video: "ffmpeg -i in.mp4 out-%04d.png"
    case .y4m: "ffmpeg -i in.y4m out-%04d.png"
    default: conversion
    }
  }

  /// What `conversion` does, as the first word of a sentence.
  var conversionVerb: String { self == .video || self == .y4m ? "Follow" : "Convert" }

  /// Recognises a format, or gives nil.
  ///
  /// A damaged or shortened file is recognised as long as its first bytes are whole.
  /// - Complexity: constant; at most the first 1024 bytes are looked at.
  public init?(recognizing bytes: [UInt8]) {
    let file = Beginning(bytes)
    guard
      let format = Self.decodable(file) ?? Self.picture(file) ?? Self.mediaFile(file)
        ?? Self.document(file)
    else { return nil }
    self = format
  }

  private static func decodable(_ file: Beginning) -> ImageFormat? {
    if file.has([0x89, 0x50, 0x4E, 0x47]) { return .png }
    if file.has([0xFF, 0xD8]) { return .jpeg }
    if PortableMapDecoder.matchesSignature(file.bytes) { return .portableMap }
    return nil
  }

  private static func picture(_ file: Beginning) -> ImageFormat? {
    if file.has("GIF8") { return .gif }
    if file.has("RIFF") && file.has("WEBP", at: 8) { return .webP }
    if file.has("BM") && file.has([0, 0, 0, 0], at: 6) { return .bmp }
    if file.has([0x49, 0x49, 0x2A, 0]) || file.has([0x4D, 0x4D, 0, 0x2A]) { return .tiff }
    if file.has([0x49, 0x49, 0x2B, 0]) || file.has([0x4D, 0x4D, 0, 0x2B]) { return .tiff }
    if file.has([0, 0, 1, 0]) || file.has([0, 0, 2, 0]) { return .ico }
    if file.has("8BPS") { return .photoshop }
    if file.has([0, 0, 0, 12]) && file.has("jP  ", at: 4) { return .jpeg2000 }
    if file.has([0xFF, 0x4F, 0xFF, 0x51]) { return .jpeg2000 }
    if file.has([0, 0, 0, 12]) && file.has("JXL ", at: 4) { return .jpegXL }
    if file.has([0xFF, 0x0A]) { return .jpegXL }
    if file.has("qoif") { return .qoi }
    if file.has([0x76, 0x2F, 0x31, 0x01]) { return .openEXR }
    if file.has("#?RADIANCE") || file.has("#?RGBE") { return .radiance }
    if file.has("P7\n") { return .portableArbitraryMap }
    if file.has("PF\n") || file.has("Pf\n") { return .portableFloatMap }
    if file.has("FUJIFILMCCD-RAW") { return .cameraRaw }
    return nil
  }

  /// Files of boxes, named by the brands in their first box, and films.
  private static func mediaFile(_ file: Beginning) -> ImageFormat? {
    if file.has("ftyp", at: 4) {
      // The major brand, then (after a version) the brands that the file is compatible with.
      let size = file.bigEndian(at: 0)
      let end = min(max(size, 12), file.bytes.count)
      let places = [8] + stride(from: 16, to: end, by: 4)
      for offset in places {
        if let format = format(ofBrandAt: offset, in: file) { return format }
      }
      // Brands of any codec: files of items, and sequences of pictures.
      let pictures: [StaticString] = [
        "mif1", "mif2", "mif3", "msf1", "miaf", "MiPr", "pict", "geo1", "unif",
      ]
      return places.contains { place in pictures.contains { file.has($0, at: place) } }
        ? .heic : .video
    }
    if file.has([0x1A, 0x45, 0xDF, 0xA3]) { return .video }
    if file.has("RIFF") && file.has("AVI ", at: 8) { return .video }
    if file.has("moov", at: 4) || file.has("mdat", at: 4) { return .video }
    if file.has("YUV4MPEG2") { return .y4m }
    return nil
  }

  private static func format(ofBrandAt offset: Int, in file: Beginning) -> ImageFormat? {
    let avif: [StaticString] = ["avif", "avis", "avio", "MA1A", "MA1B"]
    if avif.contains(where: { file.has($0, at: offset) }) { return .avif }
    if file.has("crx ", at: offset) { return .cameraRaw }
    // The same container with pictures coded as AVC, JPEG, JPEG 2000, VVC or EVC, and its profiles.
    let others: [StaticString] = [
      "avci", "avcs", "jpeg", "jpgs", "j2ki", "j2is", "vvic", "vvis", "evbi", "evbs", "evmi",
      "evms", "MiAB", "MiHA", "MiHB", "MiHE",
    ]
    if others.contains(where: { file.has($0, at: offset) }) { return .heic }
    // Pictures: heic, heix, heim, heis; sequences of them: hevc, hevx, hevm, hevs.
    guard file.has("hei", at: offset) || file.has("hev", at: offset) else { return nil }
    return [0x63, 0x78, 0x6D, 0x73].contains(where: { file.has([$0], at: offset + 3) })
      ? .heic : nil
  }

  private static func document(_ file: Beginning) -> ImageFormat? {
    if file.has("%PDF") { return .pdf }
    if file.has("PK\u{3}\u{4}") { return .zip }
    if file.has([0x1F, 0x8B]) { return .gzip }
    let start = file.textStart
    if file.hasTag("!doctype html", at: start) || file.hasTag("html", at: start) { return .html }
    if file.hasTag("svg", at: start) { return .svg }
    if file.hasTag("?xml", at: start) || file.hasTag("!doctype", at: start)
      || file.hasTag("!--", at: start)
    {
      for offset in start..<file.bytes.count {
        if file.hasTag("svg", at: offset) { return .svg }
        if file.hasTag("html", at: offset) { return .html }
      }
      return file.hasTag("?xml", at: start) ? .xml : nil
    }
    return nil
  }
}

/// The first bytes of a file.
private struct Beginning {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = Array(bytes.prefix(1024))
  }

  func has(_ expected: [UInt8], at offset: Int = 0) -> Bool {
    bytes.count >= offset + expected.count && bytes[offset...].starts(with: expected)
  }

  func has(_ expected: StaticString, at offset: Int = 0) -> Bool {
    matches(expected, at: offset) { $0 }
  }

  /// Whether a tag opens at the offset, in small or capital letters.
  func hasTag(_ name: StaticString, at offset: Int) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "<") else { return false }
    return matches(name, at: offset + 1) { (65...90).contains($0) ? $0 + 32 : $0 }
  }

  private func matches(
    _ expected: StaticString, at offset: Int, _ folded: (UInt8) -> UInt8
  ) -> Bool {
    let count = expected.utf8CodeUnitCount
    guard bytes.count >= offset + count else { return false }
    for i in 0..<count {
      if folded(bytes[offset + i]) != (unsafe expected.utf8Start[i]) { return false }
    }
    return true
  }

  /// The first byte that is neither a byte order mark nor white space.
  var textStart: Int {
    var place = has([0xEF, 0xBB, 0xBF]) ? 3 : 0
    while place < bytes.count, [9, 10, 13, 32].contains(bytes[place]) { place += 1 }
    return place
  }

  func bigEndian(at offset: Int) -> Int {
    var value = 0
    for i in offset..<min(offset + 4, bytes.count) { value = value << 8 | Int(bytes[i]) }
    return value
  }
}

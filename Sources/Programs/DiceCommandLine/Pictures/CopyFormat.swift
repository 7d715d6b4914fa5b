internal import DiceFiles
package import DiceImaging
package import DiceCodecs
package import DiceDrawing

/// What the copies of pictures with the dice marked are written as.
package enum CopyFormat: String, CaseIterable, Sendable {
  case png
  case jpeg
  /// A drawing over the picture, which is part of the file.
  case svg
  /// A drawing over the picture, which stays where it is.
  case svgLink = "svg-link"
  /// The drawing alone.
  case svgOverlay = "svg-overlay"

  /// The extension of the files.
  package var fileExtension: String {
    switch self {
    case .png: "png"
    case .jpeg: "jpg"
    case .svg, .svgLink, .svgOverlay: "svg"
    }
  }

  /// Whether the file is a drawing.
  package var isDrawing: Bool { fileExtension == "svg" }

  /// The format that a path's extension stands for.
  package init?(path: String) {
    if Paths.hasExtension("png", path: path) {
      self = .png
    } else if Paths.hasExtension("jpg", path: path) || Paths.hasExtension("jpeg", path: path) {
      self = .jpeg
    } else if Paths.hasExtension("svg", path: path) {
      self = .svg
    } else {
      return nil
    }
  }

  private static let jpegQuality = 92

  /// The file of an upright picture with something drawn on it.
  ///
  /// - Parameters:
  ///   - image: The picture, upright and in colour.
  ///   - title: What it shows, for drawings.
  ///   - address: Where the picture is found from the drawing, for those that link it.
  ///   - quality: The quality of JPEG.
  ///   - colorProfile: What the picture's samples mean.
  ///   - overlay: What is drawn.
  package func file(
    of image: PixelImage, title: String, address: String, quality: Int = jpegQuality,
    colorProfile: ColorProfile? = nil, _ overlay: some Overlay
  ) throws(JPEGError) -> [UInt8] {
    guard isDrawing else {
      var canvas = Canvas(image)
      overlay.draw(on: &canvas)
      if self == .png { return PNGEncoder.encode(canvas.image, colorProfile: colorProfile) }
      return try JPEGEncoder.encode(
        canvas.image, quality: quality, subsampling: .s444, colorProfile: colorProfile)
    }
    let backdrop: SVGCanvas.Backdrop =
      switch self {
      case .svg:
        .embedded(
          bytes: try JPEGEncoder.encode(
            image, quality: quality, subsampling: .s444, colorProfile: colorProfile),
          mediaType: .jpeg)
      case .svgLink: .linked(address: address)
      default: .none
      }
    var drawing = SVGCanvas(
      width: image.width, height: image.height, backdrop: backdrop, title: title)
    overlay.draw(on: &drawing)
    return drawing.document
  }
}

/// Something to draw over a picture, on whatever surface.
package protocol Overlay {
  /// Draws it.
  func draw<Surface: DrawingSurface>(on surface: inout Surface)
}

/// Addresses of files, as a document links them.
package enum FileAddress {
  /// The address of a file as seen from a document's folder.
  ///
  /// Without `.` and doubled slashes; what is no letter, digit, `-`, `.`, `_`, `~` or `/` is written
  /// with `%`. A path that begins at the root stays one.
  package static func relative(_ path: String, from folder: String) -> String {
    func parts(_ path: String) -> [Substring] {
      path.split(separator: "/").filter { $0 != "." }
    }
    var target = parts(path)
    var base = parts(folder)
    // A folder's parent cannot be told from its name alone.
    if Paths.isAbsolute(path) || Paths.isAbsolute(folder) || base.contains("..") {
      return Paths.isAbsolute(path) ? "/" + encoded(target) : encoded(target)
    }
    while let first = target.first, first == base.first, target.count > 1 {
      target.removeFirst()
      base.removeFirst()
    }
    return encoded(base.map { _ in ".." } + target)
  }

  private static func encoded(_ parts: [Substring]) -> String {
    var result: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index > 0 { result.append(UInt8(ascii: "/")) }
      for byte in FileName.bytes(of: String(part)) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "_"), UInt8(ascii: "~"):
          result.append(byte)
        default:
          let digits = String(byte, radix: 16, uppercase: true)
          result += "%\(digits.utf8.count < 2 ? "0" : "")\(digits)".utf8
        }
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

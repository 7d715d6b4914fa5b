internal import DiceCodecs

/// What a file is that was named where one of another kind is needed, for advice.
package enum FileKind {
  case picture, film, sound

  /// Tells the kind by the first bytes; nil for all others.
  package init?(beginning bytes: some Collection<UInt8>) {
    let head = Array(bytes.prefix(1024))
    if head.starts(with: "fLaC".utf8)
      || head.starts(with: "RIFF".utf8) && head.dropFirst(8).starts(with: "WAVE".utf8)
    {
      self = .sound
      return
    }
    guard let format = ImageFormat(recognizing: head) else { return nil }
    switch format {
    case .video, .y4m: self = .film
    case .svg, .pdf, .html, .xml, .zip, .gzip: return nil
    default: self = .picture
    }
  }
}

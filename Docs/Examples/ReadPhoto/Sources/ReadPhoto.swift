import DiceCodecs
import DiceDrawing
import DiceVisionKit
import Foundation

/// Reads the dice of a photo, and marks them in a copy where one is asked for.
@main
struct ReadPhoto {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard (1...2).contains(arguments.count), let photo = arguments.first else {
      complain("Call it as: ReadPhoto PHOTO [MARKED.png]")
      exit(2)
    }
    do {
      let detector = try DiceDetector()
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: photo)))
      let result = try detector.detect(inImageFile: bytes)
      print(summary(of: result))
      if arguments.count == 2, let copy = arguments.last {
        try mark(result, in: bytes, writingTo: copy)
      }
    } catch {
      complain("\(photo): \(error)")
      exit(1)
    }
  }

  /// The values and their sum, then a line for each die.
  static func summary(of result: DetectionResult) -> String {
    guard !result.isEmpty else { return "no dice" }
    var lines = ["\(result.values.map(String.init).joined(separator: " ")), sum \(result.sum)"]
    for die in result.observations {
      let percent = Int((die.confidence * 100).rounded())
      let box = die.boundingBox
      var line = "a \(die.value), \(percent) % sure, at column \(Int(box.midX.rounded()))"
      line += " and row \(Int(box.midY.rounded()))"
      // What else it may be, where that is not far-fetched.
      if let second = die.labels.dropFirst().first, second.confidence >= 0.1 {
        line += "; or a \(second.identifier)"
      }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  /// Writes a copy of a photo, upright, with a box and a value for each die.
  static func mark(_ result: DetectionResult, in bytes: [UInt8], writingTo path: String) throws {
    // Boxes are those of the upright picture, so the picture is turned before they are drawn.
    let picture = try ImageDecoder.decode(bytes).oriented().converted(to: .rgb)
    var canvas = Canvas(picture)
    canvas.drawBoxes(
      result.observations.map { die in
        BoxAnnotation(
          box: die.boundingBox, label: "\(die.value)", color: .forValue(die.value))
      })
    try Data(PNGEncoder.encode(canvas.image)).write(to: URL(filePath: path))
  }

  static func complain(_ sentence: String) {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
  }
}

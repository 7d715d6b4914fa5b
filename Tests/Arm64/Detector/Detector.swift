import DiceVisionKit

/// Reads pictures as the command line tool does, and prints a line for each die.
///
///     detector MODEL FILE...
///
/// A line has the picture, and the die's value, confidence, x, y, width and height.
@_cdecl("main")
func main(
  _ argumentCount: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
  let words = (1..<Int(argumentCount)).compactMap { (index) in
    unsafe arguments[index].map { (word) in unsafe String(cString: word) }
  }
  guard let name = words.first, let model = DiceDetector.Model(rawValue: name) else { return 2 }
  do {
    let detector = try DiceDetector(model, configuration: DiceDetector.Configuration())
    for path in words.dropFirst() {
      let result = try detector.detect(inImageFile: readBytes(ofFile: path))
      for die in result.observations {
        let box = die.boundingBox
        print(
          "\(path) \(die.value) \(die.confidence) \(box.x) \(box.y) \(box.width) \(box.height)")
      }
    }
  } catch {
    print(error.description)
    return 1
  }
  return 0
}

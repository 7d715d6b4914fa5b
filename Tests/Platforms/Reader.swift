import DiceVisionKit

/// Prints the kernels in use, and the values of the dice in each picture.
@_cdecl("main")
func main(
  _ argumentCount: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
  do throws(DetectorError) {
    let detector = try DiceDetector()
    print("kernels: \(detector.kernelImplementation.rawValue)")
    for index in 1..<Int(argumentCount) {
      guard let argument = unsafe arguments[index] else { return 2 }
      let path = unsafe String(cString: argument)
      let result = try detector.detect(inImageFileAt: path)
      print("\(path): \(result.observations.map { "\($0.value)" }.joined(separator: " "))")
    }
    return 0
  } catch {
    print(error.description)
    return 1
  }
}

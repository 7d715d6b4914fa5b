import TestSupport
import Testing

/// One operation of ONNX with the numbers that ONNX Runtime 1.32 gives for it.
struct ONNXCase: Decodable, Sendable, CustomTestStringConvertible {
  struct Constant: Decodable {
    var shape: [Int]
    var floats: [Float]?
    var integers: [Int]?
  }

  /// One of these.
  struct Attribute: Decodable {
    var integer: Int?
    var float: Float?
    var text: String?
    var integers: [Int]?
  }

  var operation: String
  var inputShape: [Int]
  var input: [Float]
  var constants: [Constant?]
  var attributes: [String: Attribute]
  var operatorSet: Int
  var shape: [Int]
  var right: [Float]

  var testDescription: String { "\(operation) \(inputShape)" }

  /// A model of the operation alone.
  var model: [UInt8] {
    var names = ["x"]
    var tensors: [[UInt8]] = []
    for (index, constant) in constants.enumerated() {
      names.append(constant == nil ? "" : "c\(index)")
      guard let constant else { continue }
      if let floats = constant.floats {
        tensors.append(ONNXFile.constant("c\(index)", constant.shape, floats))
      } else {
        let integers = constant.integers ?? []
        tensors.append(ONNXFile.constant("c\(index)", type: 7, constant.shape, integers))
      }
    }
    let encoded = attributes.map { (name, attribute) -> [UInt8] in
      if let number = attribute.integer { return ONNXFile.attribute(name, number) }
      if let number = attribute.float { return ONNXFile.attribute(name, number) }
      if let text = attribute.text { return ONNXFile.attribute(name, text) }
      return ONNXFile.attribute(name, attribute.integers ?? [])
    }
    return ONNXFile.model(
      operatorSet: operatorSet,
      nodes: [ONNXFile.node(operation, names, ["y"], attributes: encoded)], constants: tensors,
      inputs: [("x", inputShape)], outputs: ["y"])
  }

  static let all: [ONNXCase] = Fixtures.decoded("golden/models/onnx-operations.json")
}

import DiceWeights
import Testing

struct WeightFileTests {
  @Test(arguments: [WeightStorage.float32, .float16, .bfloat16])
  func readsBackWhatWasWritten(storage: WeightStorage) throws {
    let description = Networks.smallest
    let values = Networks.values(for: try description.validated())
    let bytes = try WeightFile.encode(
      description: description, tensors: values, storage: storage)
    let file = try WeightFile(bytes: bytes)
    #expect(file.description == description)
    #expect(file.tensorCount == 2)
    #expect(file.floats(of: 0) == values[0])
    #expect(file.floats(of: 1) == values[1])
    #expect(file.withFloats(of: 1) { $0.count } == 6)
    #expect(file.parameterCount == 24)
    #expect(file.multiplyAddCount(width: 64, height: 32) == 18 * 64 * 32)
  }
}

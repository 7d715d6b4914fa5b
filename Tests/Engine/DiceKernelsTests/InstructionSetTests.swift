import DiceKernels
import MatrixModel
import Testing

/// What the kernels' tests run on here.
struct InstructionSetTests {
  @Test(.modelledMatrixUnits) func sayWhereTheyRan() {
    func place(_ implementation: KernelImplementation) -> String {
      implementation.isAvailable ? "hardware" : "not at all"
    }
    #if arch(arm64)
      let (sse2, neon) = ("not at all", "hardware")
    #else
      let (sse2, neon) = ("hardware", "not at all")
    #endif
    let amx = MatrixKernels.areInHardware ? "hardware and model" : "model"
    print(
      "Instruction sets of these tests: SSE2 \(sse2), AVX2 \(place(.avx2)), "
        + "AVX-512 \(place(.avx512)), AMX \(amx), NEON \(neon).")
    let units = IntegerKernels.Unit.allCases.filter { $0 != .reference }.map { (unit) in
      let isInHardware = MatrixModel.$current.withValue(nil) { unit.isAvailable }
      return "\(unit) \(isInHardware ? "hardware" : unit == .amx ? "model" : "not at all")"
    }
    print("8-bit integers: \(units.joined(separator: ", ")).")
    #expect(MatrixKernels() != nil)
  }
}

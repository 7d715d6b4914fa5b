import DiceKernels
import Testing

/// Runs a test with matrix kernels on a model of the units, whatever the processor has.
public struct ModelledMatrixUnits: TestTrait, SuiteTrait, TestScoping {
  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await MatrixModel.$current.withValue(.modelledTiles) { try await function() }
  }
}

extension Trait where Self == ModelledMatrixUnits {
  /// With matrix kernels on a model of the units.
  public static var modelledMatrixUnits: Self { Self() }
}

import DiceKernels
import Testing

/// Runs a test with matrix kernels on a model of the units, whatever the processor has, and on the
/// processor's own units where it has them.
public struct ModelledMatrixUnits: TestTrait, SuiteTrait, TestScoping {
  /// Every test of a suite.
  public var isRecursive: Bool { true }

  /// Runs the test on each of the units.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await MatrixModel.$current.withValue(.modelledTiles) { try await function() }
    if MatrixKernels.areInHardware { try await function() }
  }
}

extension Trait where Self == ModelledMatrixUnits {
  /// With matrix kernels on a model of the units.
  public static var modelledMatrixUnits: Self { Self() }
}

/// What memory holds that nothing relies on: zeros, and bits that are a NaN as a float and as a bfloat16
/// number.
public let freshPatterns: [UInt32] = [0, 0xFFFF_FFFF]

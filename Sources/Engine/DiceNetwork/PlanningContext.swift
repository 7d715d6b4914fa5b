#if !hasFeature(Embedded)
  internal import DiceKernels

  /// What holds where networks are planned and run, for a body of code on another thread: who looks at their
  /// runs, what computes in place of tiles, what fresh memory holds.
  package struct PlanningContext: Sendable {
    private let observer = RunObserver.current
    private let model = MatrixModel.current
    private let pattern = FreshMemory.pattern

    /// What holds here.
    package init() {}

    /// Calls a body of code, for which the same holds.
    package func perform<Value>(_ body: () -> Value) -> Value {
      RunObserver.$current.withValue(observer) {
        MatrixModel.$current.withValue(model) {
          FreshMemory.$pattern.withValue(pattern, operation: body)
        }
      }
    }
  }
#endif

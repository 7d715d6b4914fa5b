public import DiceKernelTemplates

// Concrete instances of the templates for layers without weights; see `EntryPoints.swift`.

/// Maximum pooling over the rows `rows`.
@inline(never)
public func poolMaximumBaseline(_ task: MapTask, window: PoolingWindow, rows: Range<Int>) {
  poolMaximum(Vector.self, task, window: window, rows: rows)
}

/// Nearest-neighbour enlargement, or a copy, over the rows `rows`.
@inline(never)
public func repeatNearestBaseline(_ task: MapTask, factor: Int, rows: Range<Int>) {
  repeatNearest(Vector.self, task, factor: factor, rows: rows)
}

/// The sum of two maps over the rows `rows`.
@inline(never)
public func addMapsBaseline(
  _ task: MapTask, other: Address, otherColumnStep: Int, otherRowStep: Int, rows: Range<Int>
) {
  addMaps(
    Vector.self, task, other: other, otherColumnStep: otherColumnStep, otherRowStep: otherRowStep,
    rows: rows)
}

/// Values times their sigmoid over the rows `rows`.
@inline(never)
public func weightBySigmoidBaseline(_ task: MapTask, rows: Range<Int>) {
  weightBySigmoid(Vector.self, task, rows: rows)
}

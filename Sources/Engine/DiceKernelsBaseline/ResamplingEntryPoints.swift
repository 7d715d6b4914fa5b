public import DiceKernelTemplates

// Concrete instances of the templates for resampling; see `EntryPoints.swift`.

/// Rows of a segment, added to the outputs before and behind it.
@inline(never)
public func addRowSegmentBaseline(_ task: RowSegmentTask) {
  addRowSegment(NarrowLanes.self, NotFetchingAhead.self, task)
}

/// One output from rows with a weight each.
@inline(never)
public func setWeightedRowsBaseline(_ task: WeightedRowsTask) {
  setWeightedRows(NarrowLanes.self, task)
}

/// Outputs from pixels with a weight each.
@inline(never)
public func setWeightedColumnsBaseline(_ task: WeightedColumnsTask) {
  setWeightedColumns(task)
}

/// Pixels as numbers of a network's input.
@inline(never)
public func writePixelsBaseline(_ task: PixelWritingTask) {
  writePixels(task)
}

/// Which stages of the pipeline are at work: all, unless what one of them pays is to be measured.
package struct PipelineStages: Hashable, Sendable {
  /// A stage that can be switched off.
  package enum Stage: String, CaseIterable, Sendable {
    /// Small dice are looked at again, enlarged, in tiles.
    case tiledInference = "tiled-inference"
    /// A picture in which nothing was seen is searched in tiles.
    case blindTiling = "blind-tiling"
    /// Each proposal is classified by itself.
    case cropClassification = "crop-classification"
    /// A second crop is taken, with the box of the first one in its middle.
    case secondCrop = "second-crop"
    /// The scores of both crops are fused; without it those of the second count alone.
    case secondCropFusion = "second-crop-fusion"
    /// The detector's scores and the second stage's are fused; without it the latter count alone.
    case scoreFusion = "score-fusion"
    /// Readings count for each other.
    case contextualRescoring = "contextual-rescoring"
  }

  /// A bit for each stage that is off.
  private var off: UInt16 = 0

  /// All stages.
  package init() {}

  /// All stages but some.
  package init(without stages: [Stage]) {
    for stage in stages { self[stage] = false }
  }

  /// Whether a stage is at work.
  package subscript(stage: Stage) -> Bool {
    get { off & Self.bit(stage) == 0 }
    set { if newValue { off &= ~Self.bit(stage) } else { off |= Self.bit(stage) } }
  }

  private static func bit(_ stage: Stage) -> UInt16 {
    let place: UInt16 =
      switch stage {
      case .tiledInference: 0
      case .blindTiling: 1
      case .cropClassification: 2
      case .secondCrop: 3
      case .secondCropFusion: 4
      case .scoreFusion: 5
      case .contextualRescoring: 6
      }
    return 1 << place
  }
}

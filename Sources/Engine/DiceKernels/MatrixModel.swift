package import DiceKernelTemplates

/// Matrix kernels on a model of the units, which take the place of the processor's for as long as a test
/// asks for them: then every plan and every training that is made works with them, on every processor.
package struct MatrixModel: Sendable {
  /// As `MatrixKernels.narrow`.
  package let narrow: @Sendable (Address, BFloat16Address, Int) -> Void
  /// As `MatrixKernels.convolve` of a convolution.
  package let convolve: @Sendable (MatrixConvolutionTask, Range<Int>) -> Void
  /// As `MatrixKernels.convolve` of a layer.
  package let convolveLayer: @Sendable (MatrixLayerTask, Range<Int>, Address) -> Void
  /// As `IntegerKernels.convolve`, for windows of whole steps.
  package let convolveIntegers: @Sendable (IntegerLayerTask, Range<Int>, Address) -> Void
  /// As `MatrixKernels.gatherWeightGradient`.
  package let gatherWeightGradient: @Sendable (MatrixWeightGradientTask, Address) -> Void

  #if hasFeature(Embedded)
    /// The model in place of the processor.
    package static var current: MatrixModel? { nil }
  #else
    /// The model in place of the processor.
    @TaskLocal package static var current: MatrixModel?
  #endif

  /// A model of the given functions.
  package init(
    narrow: @escaping @Sendable (Address, BFloat16Address, Int) -> Void,
    convolve: @escaping @Sendable (MatrixConvolutionTask, Range<Int>) -> Void,
    convolveLayer: @escaping @Sendable (MatrixLayerTask, Range<Int>, Address) -> Void,
    convolveIntegers: @escaping @Sendable (IntegerLayerTask, Range<Int>, Address) -> Void,
    gatherWeightGradient: @escaping @Sendable (MatrixWeightGradientTask, Address) -> Void
  ) {
    self.narrow = narrow
    self.convolve = convolve
    self.convolveLayer = convolveLayer
    self.convolveIntegers = convolveIntegers
    self.gatherWeightGradient = gatherWeightGradient
  }
}

/// What memory that nothing relies on holds at first: zeros, or what a test fills it with to see that no
/// result depends on it.
package enum FreshMemory {
  #if hasFeature(Embedded)
    /// The bits of every number.
    package static var pattern: UInt32 { 0 }
  #else
    /// The bits of every number.
    @TaskLocal package static var pattern: UInt32 = 0
  #endif
}

internal import DiceWeights

extension ImportedModel {
  /// The model for other sizes of its only input, too, where nothing depends on the size.
  ///
  /// It is imported once more at another size. Where that gives the same layers and the same numbers, nothing of
  /// it depends on the size.
  ///
  /// - Parameters:
  ///   - sides: the height and the width of the input.
  ///   - imported: the model for another height and width; nil where it allows none.
  /// - Returns: the model as it is where a layer depends on the size, or the other one breaks a rule.
  func resizable(
    sides: (height: Int, width: Int),
    imported: (_ height: Int, _ width: Int) throws -> ImportedModel?
  ) -> ImportedModel {
    do {
      let multiple = try description.validated().sizeMultiple
      guard description.inputs.count == 1, sides.height % multiple == 0,
        sides.width % multiple == 0,
        let other = try imported(sides.height + multiple, sides.width + 2 * multiple),
        other.description.layers == description.layers, other.tensors == tensors
      else { return self }
      var result = self
      result.description.inputs[0].isResizable = true
      _ = try result.description.shapes(inputs: other.description.inputs.map { $0.shape })
      return result
    } catch { return self }
  }
}

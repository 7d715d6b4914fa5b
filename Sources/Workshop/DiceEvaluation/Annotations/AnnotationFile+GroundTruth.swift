internal import DiceGeometry

extension AnnotationFile {
  /// The class of a label; nil where there is none.
  ///
  /// A label that is no class name stands for a die of six sides where there is one with that face: `3`
  /// for `d6-3`. Names are compared byte for byte.
  package static func classIndex(of label: String, in classNames: [String]) -> Int? {
    func index(of label: String) -> Int? {
      classNames.firstIndex { $0.utf8.elementsEqual(label.utf8) }
    }
    return index(of: label) ?? index(of: "d6-" + label)
  }

  /// What there is to find in each picture, with the labels as class indices.
  ///
  /// - Parameters:
  ///   - images: the pictures.
  ///   - classNames: the labels in the order of their class indices, compared byte for byte; `3` may
  ///     stand for `d6-3`.
  /// - Returns: the objects of each picture, in their order.
  /// - Throws: `AnnotationError.unknownLabel` for a label that is no class name.
  public static func groundTruth(
    of images: [AnnotatedImage], classNames: [String]
  ) throws(AnnotationError) -> [[GroundTruthObject]] {
    var result: [[GroundTruthObject]] = []
    result.reserveCapacity(images.count)
    for (imageIndex, image) in images.enumerated() {
      var objects: [GroundTruthObject] = []
      objects.reserveCapacity(image.objects.count)
      for (objectIndex, object) in image.objects.enumerated() {
        guard let classIndex = classIndex(of: object.label, in: classNames) else {
          let place = AnnotationError.Place(
            imageIndex: imageIndex, fileName: image.fileName, objectIndex: objectIndex)
          throw .unknownLabel(place, found: object.label, known: classNames)
        }
        objects.append(
          GroundTruthObject(boundingBox: object.boundingBox, classIndex: classIndex))
      }
      result.append(objects)
    }
    return result
  }
}

internal import DiceGeometry

extension AnnotationFile {
  /// What there is to find in each picture, with the labels as class indices.
  ///
  /// A label that is no class name stands for a die of six sides where there is one with that face: `3`
  /// for `d6-3`.
  ///
  /// - Parameters:
  ///   - images: the pictures.
  ///   - classNames: the labels in the order of their class indices, compared byte for byte.
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
        func index(of label: String) -> Int? {
          classNames.firstIndex { $0.utf8.elementsEqual(label.utf8) }
        }
        guard let classIndex = index(of: object.label) ?? index(of: "d6-" + object.label) else {
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

internal import DiceGeometry
internal import DiceImaging
internal import DiceRolls

extension FaceSet {
  /// Teaches a face by a photo of a die that shows it.
  ///
  /// One photo does; three to five in other light and from other sides are better. The die may be
  /// turned by any angle.
  ///
  /// - Parameters:
  ///   - face: The name of the face, which will be the label of dice that show it. Taught again, a
  ///     face gains an example.
  ///   - value: The number that counts; nil takes what the face counted before, else what its name
  ///     says, as "6" and "d20-17" do, else its place in the set, from 1.
  ///   - image: The photo.
  ///   - orientation: How the stored rows must be turned to stand upright; nil takes the picture's
  ///     own.
  ///   - box: The top face of the die, in pixels of the upright picture with the origin at the upper
  ///     left; nil takes what the detector is surest to be a die, whatever it shows.
  ///   - detector: What finds the die.
  /// - Returns: Where the die was seen, in pixels of the upright picture.
  /// - Throws: ``FaceSetError``; the set is then as before.
  @discardableResult
  public mutating func teach(
    _ face: String, value: Int? = nil, in image: PixelImage,
    orientation: ImageOrientation? = nil, box: BoundingBox? = nil, with detector: DiceDetector
  ) throws(FaceSetError) -> BoundingBox {
    try Self.check(face: face)
    let known = index(of: face)
    let number =
      value ?? known.map { faces[$0].value } ?? DieFace(label: face)?.value ?? faces.count + 1
    if let known {
      guard faces[known].value == number else {
        throw .otherValue(face: face, found: number, required: faces[known].value)
      }
      guard faces[known].exampleCount < Self.exampleLimit else {
        throw .tooManyExamples(face: face, limit: Self.exampleLimit)
      }
    } else if faces.count >= Self.faceLimit {
      throw .tooManyFaces(limit: Self.faceLimit)
    }
    let example: (box: BoundingBox, map: [Int8])?
    do throws(DetectorError) {
      example = try detector.core.faceExample(in: image, orientation: orientation, box: box)
    } catch { throw .detector(error) }
    guard let example else { throw box == nil ? .noDie : .unusableBox }
    if let known {
      faces[known].maps += example.map
      faces[known].exampleCount += 1
    } else {
      faces.append(Face(name: face, value: number, maps: example.map, exampleCount: 1))
    }
    return example.box
  }
}

extension DetectorCore {
  /// What a photo tells of a face: where the die is, and its map; nil where there is none.
  ///
  /// - Parameter box: The die; nil takes what is surest to be one.
  fileprivate func faceExample(
    in image: PixelImage, orientation: ImageOrientation?, box: BoundingBox?
  ) throws(DetectorError) -> (box: BoundingBox, map: [Int8])? {
    try image.withFrame { (frame) throws(DetectorError) -> (box: BoundingBox, map: [Int8])? in
      var request = DetectionRequest(orientation: orientation ?? image.orientation)
      request.ignoresClasses = true
      let transform = try transform(of: frame, request)
      var found = box
      if box == nil {
        let dice = try detect(
          in: frame, request: request,
          thresholds: Thresholds(confidenceThreshold: profile.faces.leastObjectness / 2))
        var surest: Float = 0
        for die in dice where die.objectness > surest {
          (surest, found) = (die.objectness, die.boundingBox)
        }
      }
      guard let found, found.isFinite, found.isProper, !found.isEmpty else { return nil }
      var mapper = FaceMapper()
      guard mapper.look(at: found, in: frame, through: transform) else { return nil }
      var map = [Float](repeating: 0, count: FaceMap.count)
      mapper.draw(scale: 1, shift: .zero, into: &map)
      return (found, map.map { Int8(($0 * FaceMap.unit).rounded()) })
    }
  }
}

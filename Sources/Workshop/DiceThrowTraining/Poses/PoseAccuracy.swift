internal import DiceGeometry
internal import DiceImaging
public import DiceParallel
package import DicePoses
public import ThrowVisionKit

/// How near to their labels networks find the joints of people.
public struct PoseAccuracy: Hashable, Sendable {
  /// One labelled joint.
  public struct Reading: Hashable, Sendable {
    /// The joint, by index of ``PoseDataset/labels``.
    public var joint: Int
    /// How far from its label it was found, in torsos; nil where the person was not found.
    public var distance: Double?
    /// How sure it was, 0...1.
    public var confidence: Float
  }

  /// What was found of every labelled joint of people with a torso.
  public private(set) var readings: [Reading] = []
  /// The people with a torso.
  public private(set) var personCount = 0

  /// Nothing yet.
  public init() {}

  /// The distance that still counts, in torsos.
  public static let bound = 0.2

  /// The people with a torso who were not found.
  public private(set) var missedCount = 0

  /// How sure labelled joints are that the picture does not show; 0 for those of people who were not found.
  public private(set) var cutOffConfidences: [Float] = []

  /// Adds a person.
  ///
  /// - Parameters:
  ///   - person: the labels; a person without a torso is passed over.
  ///   - found: for each joint, by index of ``PoseDataset/labels``, where it was found and how sure that is;
  ///     nil where the person was not found.
  package mutating func add(_ person: PoseDataset.Person, found: [Pose.Point?]?) {
    guard let torso = person.torso, torso > 0 else { return }
    personCount += 1
    if found == nil { missedCount += 1 }
    for joint in person.cutOff { cutOffConfidences.append(found?[joint]?.confidence ?? 0) }
    for (joint, place) in person.places.enumerated() {
      guard let place else { continue }
      let point = found?[joint]
      let distance = point.map {
        $0.location.squaredDistance(to: place).squareRoot() / torso
      }
      readings.append(
        Reading(joint: joint, distance: distance, confidence: point?.confidence ?? 0))
    }
  }

  /// The mean of ``cutOffConfidences``; 0 for none.
  public var cutOffConfidence: Double {
    let sum = cutOffConfidences.reduce(0) { $0 + Double($1) }
    return cutOffConfidences.isEmpty ? 0 : sum / Double(cutOffConfidences.count)
  }

  /// What was measured of some joints alone, by index of ``PoseDataset/labels``.
  package func limited(to joints: Set<Int>) -> PoseAccuracy {
    var result = self
    result.readings.removeAll { !joints.contains($0.joint) }
    return result
  }

  /// The share of joints that are found near their labels, 0...1; 0 for none.
  public var share: Double { share { _ in true } }

  /// The share of one joint, by index of ``PoseDataset/labels``.
  public func share(of joint: Int) -> Double { share { $0.joint == joint } }

  private func share(_ isCounted: (Reading) -> Bool) -> Double {
    let counted = readings.filter(isCounted)
    let near = counted.count { $0.isNear }
    return counted.isEmpty ? 0 : Double(near) / Double(counted.count)
  }

  /// Measures all people of a set whose boxes are given: around their labels, enlarged to the outline.
  ///
  /// - Parameters:
  ///   - weights: a weight file of a network that finds joints.
  ///   - usesMirror: whether mirrored crops are looked at, too.
  /// - Throws: where a picture cannot be read, or the weights cannot be used.
  public static func measure(
    weights: [UInt8], on dataset: PoseDataset, usesMirror: Bool, pool: WorkerPool
  ) throws(PoseDatasetError) -> PoseAccuracy {
    let estimator: PoseEstimator
    do throws(PoseDetectorError) { estimator = try PoseEstimator(weights: weights) } catch {
      throw .network("\(error)")
    }
    return try measure(dataset, pool) { (image, person) throws(PoseDetectorError) in
      guard let box = person.jointBox?.scaledAboutCenter(by: PoseConstants.outlineScale) else {
        return nil
      }
      let reading = try image.withFrame { (frame) throws(PoseDetectorError) in
        try estimator.read(frame, orientation: .up, box: box, usesMirror: usesMirror)
      }
      return reading.map { (reading) in
        PoseHead.labels.indices.map { (index) in
          guard estimator.finds(index) else { return nil }
          return Pose.Point(
            reading[index].location, confidence: max(1e-6, reading[index].confidence))
        }
      }
    }
  }

  /// Measures all people of a set, who must be found first: of the people found the one whose box overlaps most with
  /// the labels' outline, by at least a fifth of what both cover.
  ///
  /// - Throws: where a picture cannot be read, or memory does not suffice.
  public static func measure(
    _ detector: PoseDetector, on dataset: PoseDataset, pool: WorkerPool
  ) throws(PoseDatasetError) -> PoseAccuracy {
    try measure(dataset, pool) { (image, person) throws(PoseDetectorError) in
      guard let box = person.jointBox?.scaledAboutCenter(by: PoseConstants.outlineScale) else {
        return nil
      }
      var best: (overlap: Double, pose: Pose)?
      for found in try detector.detect(in: image) {
        let overlap = found.boundingBox.intersectionOverUnion(with: box)
        if overlap > best?.overlap ?? 0.2 { best = (overlap, found.pose) }
      }
      return best.map { (best) in
        PoseHead.joints.map { (joint) in
          if let joint { return best.pose[joint] }
          // The head's middle lies half way between its top and the neck.
          guard let head = best.pose[.head], let neck = best.pose[.neck] else { return nil }
          return Pose.Point(
            PixelPoint(
              x: 2 * head.location.x - neck.location.x, y: 2 * head.location.y - neck.location.y),
            confidence: head.confidence)
        }
      }
    }
  }

  private static func measure(
    _ dataset: PoseDataset, _ pool: WorkerPool,
    _ read: @Sendable (PixelImage, PoseDataset.Person) throws(PoseDetectorError) -> [Pose.Point?]?
  ) throws(PoseDatasetError) -> PoseAccuracy {
    let outcomes = pool.map(count: dataset.people.count) { (index) in
      let person = dataset.people[index]
      do throws(PoseDatasetError) {
        let image = try PoseDataset.picture(of: person)
        do throws(PoseDetectorError) {
          return Result<[Pose.Point?]?, PoseDatasetError>.success(try read(image, person))
        } catch { throw .network("\(error)") }
      } catch { return .failure(error) }
    }
    var accuracy = PoseAccuracy()
    for (person, outcome) in zip(dataset.people, outcomes) {
      accuracy.add(person, found: try outcome.get())
    }
    return accuracy
  }
}

extension PoseAccuracy.Reading {
  /// Whether the joint was found near its label.
  public var isNear: Bool { distance.map { $0 <= PoseAccuracy.bound } ?? false }
}

extension PoseDataset.Person {
  /// The length of the trunk as the Leeds data set measures it: from a shoulder to the hip of the other side.
  ///
  /// Where neither is labelled on both ends, from the neck to the hips' middle; nil where that is not labelled
  /// either.
  public var torso: Double? {
    func distance(_ first: Int, _ second: Int) -> Double? {
      guard let from = places[first], let to = places[second] else { return nil }
      return from.squaredDistance(to: to).squareRoot()
    }
    if let length = distance(0, PoseHead.rightHip) ?? distance(1, PoseHead.leftHip) {
      return length
    }
    guard let neck = places[PoseHead.neck], let left = places[PoseHead.leftHip],
      let right = places[PoseHead.rightHip]
    else { return nil }
    let middle = PixelPoint(x: (left.x + right.x) / 2, y: (left.y + right.y) / 2)
    return neck.squaredDistance(to: middle).squareRoot()
  }
}

internal import DiceGeometry
package import DiceParallel
internal import DiceImaging
package import ThrowVisionKit

/// How near to their labels a network finds the joints of people.
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

  /// Adds a person.
  ///
  /// - Parameters:
  ///   - person: the labels; a person without a torso is passed over.
  ///   - found: a place in pixels and its confidence for each joint; nil where the person was not found.
  package mutating func add(_ person: PoseDataset.Person, found: PoseReading?) {
    guard let torso = person.torso, torso > 0 else { return }
    personCount += 1
    for (joint, place) in person.places.enumerated() {
      guard let place else { continue }
      let distance = found.map {
        $0[joint].location.squaredDistance(to: place).squareRoot() / torso
      }
      readings.append(
        Reading(joint: joint, distance: distance, confidence: found?[joint].confidence ?? 0))
    }
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
  /// - Throws: where a picture cannot be read or memory does not suffice.
  package static func measure(
    _ estimator: PoseEstimator, on dataset: PoseDataset, usesMirror: Bool, pool: WorkerPool
  ) throws(PoseDatasetError) -> PoseAccuracy {
    let outcomes = pool.map(count: dataset.people.count) { (index) in
      let person = dataset.people[index]
      do throws(PoseDatasetError) {
        guard let box = person.jointBox else { throw .empty }
        let image = try PoseDataset.picture(at: person.path)
        let found = image.withFrame { (frame) in
          try? estimator.read(
            frame, orientation: frame.orientation,
            box: box.scaledAboutCenter(by: PoseConstants.outlineScale), usesMirror: usesMirror)
        }
        return Result<PoseReading?, PoseDatasetError>.success(found)
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
  /// The length of the trunk as the Leeds data set measures it: from a shoulder to the hip of the other side;
  /// where neither is labelled on both ends, from the neck to the hips' middle. Nil where that is not labelled
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

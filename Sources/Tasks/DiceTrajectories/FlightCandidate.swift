/// A path that may be a thrown thing's, as it is known after a frame: what a network of flights is asked about.
package struct FlightCandidate: Sendable {
  /// A place where something was seen, in pixels.
  package struct Sighting: Hashable, Sendable {
    /// The index of the frame.
    package let frame: Int
    /// From the left.
    package let x: Double
    /// From above.
    package let y: Double
  }

  /// What was seen of it, in the order of the frames; it is not empty.
  package let sightings: [Sighting]
  /// Which of the first frame's blobs it begins with: with that frame, a name for it.
  package let firstBlob: Int
  /// The network's inputs, ``FlightNetwork/inputCount`` numbers.
  package let inputs: [Double]
}

extension TrajectoryDetector {
  /// The paths that the network was asked about with the last frame and took for nothing thrown.
  ///
  /// With ``FlightNetwork/refusing`` these are all that it was asked about.
  package var candidates: [FlightCandidate] {
    tracker.paths.indices.filter { tracker.isCandidate($0) }.compactMap { (index) in
      let path = tracker.paths[index]
      guard let verdict = FlightVerdict(path, of: tracker), verdict.isPlausible else { return nil }
      let factor = Double(factor)
      return FlightCandidate(
        sightings: path.sightings.map {
          FlightCandidate.Sighting(
            frame: $0.frame, x: ($0.x + $0.shift.x) * factor, y: ($0.y + $0.shift.y) * factor)
        },
        firstBlob: path.sightings[0].index,
        inputs: (0..<FlightNetwork.inputCount).map { verdict.inputs.values[$0] })
    }
  }
}

internal import DiceCommandLine
internal import DiceDrawing
internal import DiceFiles
internal import DiceImaging
internal import ThrowVisionKit

/// What `pose` does for each picture, on any thread.
struct PicturePoses {
  let detector: PoseDetector
  let reader: PictureReader
  let orientation: ImageOrientation?
  let box: BoundingBox?
  let isJSON: Bool
  let copies: AnnotatedCopies?

  /// Reads a picture, finds its people and writes its copy.
  func perform(_ source: PictureSource) -> PictureWalk.Outcome {
    var outcome = PictureWalk.Outcome()
    do throws(ToolError) {
      let picture = try reader.read(source)
      var image = picture.image
      if let orientation { image.orientation = orientation }
      let people: [DetectedPerson]
      do throws(PoseDetectorError) {
        if let box {
          people = try detector.pose(in: image, of: box).map { [$0] } ?? []
        } else {
          people = try detector.detect(in: image)
        }
      } catch { throw .failure(subject: source.name, sentence: "\(error)") }
      outcome.text =
        isJSON ? PoseText.json(people, source.name) : PoseText.text(people, source.name)
      try copies?.write(
        image, titled: PoseText.title(people, source.name), from: source,
        colorProfile: picture.colorProfile, PoseOverlay(people: people))
    } catch {
      outcome.error = error
    }
    return outcome
  }
}

/// People as text.
enum PoseText {
  /// The picture and how many people it shows: `throw.jpg: 1 person`.
  static func title(_ people: [DetectedPerson], _ name: String) -> String {
    printable(name, limit: .max) + ": " + NumberText.count(people.count, "person", "people")
  }

  /// For people: the number, and a line for each.
  static func text(_ people: [DetectedPerson], _ name: String) -> String {
    var text = title(people, name) + "\n"
    for person in people {
      func tenths(_ value: Double) -> String { NumberText.fixed(value, decimals: 1) }
      let box = person.boundingBox
      text +=
        "  \(NumberText.percent(Double(person.confidence)))  x \(tenths(box.x))  y \(tenths(box.y))"
        + "  \(tenths(box.width)) x \(tenths(box.height))  "
        + NumberText.count(person.pose.joints.count, "joint", "joints") + "\n"
    }
    return text
  }

  /// For programs: a line of JSON.
  static func json(_ people: [DetectedPerson], _ name: String) -> String {
    let object = JSONObject([
      JSONObject.Member(key: "image", value: .string(FileName.repaired(name))),
      JSONObject.Member(key: "people", value: .array(people.map(json))),
    ])
    return String(decoding: JSONWriter.write(.object(object)), as: UTF8.self) + "\n"
  }

  /// A person as JSON.
  static func json(_ person: DetectedPerson) -> JSONValue {
    func number(_ value: Double, _ decimals: Int = 2) -> JSONValue {
      .number(NumberText.rounded(value, decimals: decimals))
    }
    let box = person.boundingBox
    let joints = person.pose.joints.compactMap { (joint) -> JSONObject.Member? in
      guard let point = person.pose[joint] else { return nil }
      return JSONObject.Member(
        key: joint.name,
        value: [
          "x": number(point.location.x), "y": number(point.location.y),
          "confidence": number(Double(point.confidence), 4),
        ])
    }
    return [
      "box": [
        "x": number(box.x), "y": number(box.y), "width": number(box.width),
        "height": number(box.height),
      ],
      "confidence": number(Double(person.confidence), 4),
      "joints": .object(JSONObject(joints)),
    ]
  }
}

/// People as skeletons: the person's left side in one colour, the right one in another.
struct PoseOverlay: Overlay {
  /// Joints between which lines are drawn.
  static let bones: [(Joint, Joint)] = [
    (.head, .neck), (.neck, .root), (.neck, .leftShoulder), (.neck, .rightShoulder),
    (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist), (.rightShoulder, .rightElbow),
    (.rightElbow, .rightWrist), (.root, .leftHip), (.root, .rightHip), (.leftHip, .leftKnee),
    (.leftKnee, .leftAnkle), (.rightHip, .rightKnee), (.rightKnee, .rightAnkle),
  ]
  /// Joints that are less sure are not drawn.
  static let leastConfidence: Float = 0.2

  private static let left = PixelColor(red: 0, green: 190, blue: 255)
  private static let right = PixelColor(red: 255, green: 140, blue: 0)
  private static let middle = PixelColor(red: 255, green: 255, blue: 255)

  let people: [DetectedPerson]

  func draw<Surface: DrawingSurface>(on surface: inout Surface) {
    let line = surface.suitableLineWidth
    for person in people.reversed() {
      let pose = person.pose.dropping(confidenceBelow: Self.leastConfidence)
      surface.stroke(
        person.boundingBox, cornerRadius: 2 * line, lineWidth: line,
        color: Self.middle.withOpacity(0.5))
      for (from, to) in Self.bones {
        guard let start = pose[from], let end = pose[to] else { continue }
        let ends = [start.location, end.location]
        // A trail is faint where it begins.
        surface.drawTrail(ends, lineWidth: 1.5 * line, color: Self.color(to))
        surface.drawTrail(ends.reversed(), lineWidth: 1.5 * line, color: Self.color(to))
      }
      for joint in pose.joints {
        guard let point = pose[joint] else { continue }
        let side = 3.5 * line
        surface.fill(
          BoundingBox(
            midX: point.location.x, midY: point.location.y, width: side, height: side),
          cornerRadius: side / 2, color: Self.color(joint))
      }
    }
  }

  private static func color(_ joint: Joint) -> PixelColor {
    if joint.mirrored == joint { return middle }
    return joint.name.hasPrefix("left") ? left : right
  }
}

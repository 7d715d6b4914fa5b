internal import DiceFiles

/// The library's own weights from photos and rendered scenes, as a list of calls.
///
/// Every step is a call of the tool that could be made by hand and writes one file or folder; a step
/// whose product is there is passed over, so that an interrupted recipe goes on where it was.
struct TrainingRecipe: Hashable, Sendable {
  /// A set of photos that the recipe knows: how often its pictures are drawn, and how much its boxes
  /// teach before and after they have been tightened to top faces.
  private struct KnownSet {
    var name: String
    var weight: String
    var boxes: String
    var tightenedBoxes: String
  }

  /// Sets whose boxes enclose top faces need no tightening.
  private static let knownSets = [
    KnownSet(name: "byler-d6", weight: "1.2", boxes: "0.3", tightenedBoxes: "0.5"),
    KnownSet(name: "roboflow-dice-topface", weight: "1.6", boxes: "1", tightenedBoxes: "1"),
    KnownSet(name: "rune55-pxl-trays", weight: "1.5", boxes: "0.15", tightenedBoxes: "0.3"),
    KnownSet(name: "rune55-graybox", weight: "0.7", boxes: "0.3", tightenedBoxes: "0.5"),
    KnownSet(name: "wholedie-extras", weight: "0.6", boxes: "0.05", tightenedBoxes: "0.3"),
  ]

  /// A call of the tool.
  struct Step: Hashable, Sendable {
    /// The file or folder that is there when the step has been done.
    var product: String
    /// The call without the tool's name.
    var arguments: [String]
  }

  /// The folder with a folder for each set, which holds `annotations.json` and the pictures.
  var photos: String
  /// The folder for everything that is made.
  var output: String
  /// The sets in the folder, in the order in which they are read.
  var sets: [String]
  /// What every step's number of samples and scenes is multiplied with.
  var effort = 1.0
  /// The threads; nil for one on each processor.
  var threadCount: Int?

  /// The weight files that the recipe ends with: the detectors and the reader.
  var weights: [String] { ["standard", "fast", "reader"].map { path("\($0).dvweights") } }

  /// All calls in order.
  var steps: [Step] {
    var steps = [
      scenes("scenes", style: "varied", count: 4400, height: 480, seed: 700_001),
      scenes("lookalikes", style: "lookalikes", count: 2700, height: 640, seed: 400_001),
      scenes(
        "among-lookalikes", style: "lookalikes", count: 1200, height: 480, seed: 420_001,
        ["--dice", "1-9"]),
      training("first", network: "standard", samples: 64_000, isTightened: false, []),
    ]
    for set in sets where needsTightening(set) {
      let faces = path("\(set)-faces.json")
      steps.append(
        Step(
          product: faces,
          arguments: [
            "refine", "--weights", path("first.dvweights"), "--input", "640", "--zoom", "none",
            "--images", images(set), "--output", faces, annotations(set),
          ]))
    }
    steps.append(
      training(
        "standard", network: "standard", samples: 900_000, isTightened: true,
        ["--from", path("first.dvweights")]))
    steps.append(training("fast", network: "fast", samples: 320_000, isTightened: true, []))
    steps.append(
      training(
        "reader", network: "reader", samples: 6_000_000, isTightened: true,
        ["--detector", path("standard.dvweights"), "--batch", "64"]))
    return steps
  }

  // MARK: - Parts

  private func path(_ name: String) -> String { Paths.joined(output, name) }

  private func annotations(_ set: String) -> String {
    Paths.joined(Paths.joined(photos, set), "annotations.json")
  }

  private func images(_ set: String) -> String {
    let folder = Paths.joined(photos, set)
    let beside = Paths.joined(folder, "images")
    return FileSystem.isFolder(at: beside) ? beside : folder
  }

  private func known(_ set: String) -> KnownSet? { Self.knownSets.first { $0.name == set } }

  private func needsTightening(_ set: String) -> Bool {
    known(set).map { $0.boxes != "1" } ?? false
  }

  private func scaled(_ count: Int) -> String {
    "\(max(1, Int((Double(count) * effort).rounded())))"
  }

  private func scenes(
    _ name: String, style: String, count: Int, height: Int, seed: Int, _ more: [String] = []
  ) -> Step {
    Step(
      product: Paths.joined(path(name), "annotations.json"),
      arguments: [
        "render", "--style", style, "--count", scaled(count), "--seed", "\(seed)", "--width",
        "640", "--height", "\(height)", "--output", path(name),
      ] + more)
  }

  private func training(
    _ name: String, network: String, samples: Int, isTightened: Bool, _ more: [String]
  ) -> Step {
    let product = path("\(name).dvweights")
    var arguments = ["train", "--network", network, "--output", product]
    if network != "reader" { arguments += ["--crop", "320"] }
    arguments += ["--samples", scaled(samples)] + more
    if let threadCount { arguments += ["--threads", "\(threadCount)"] }
    for set in sets {
      let usesFaces = isTightened && needsTightening(set)
      var source = usesFaces ? path("\(set)-faces.json") : annotations(set)
      if let known = known(set) {
        source += ":weight=\(known.weight)"
        let boxes = isTightened ? known.tightenedBoxes : known.boxes
        if boxes != "1" { source += ":boxes=\(boxes)" }
      }
      source += ":images=\(images(set))"
      arguments += ["--annotations", source]
    }
    // A reader sees one place at a time, mostly one with a die; it needs more of those without.
    let isReader = network == "reader"
    var rendered = [("scenes", isReader ? "5.5" : "5")]
    if isTightened {
      rendered += [
        ("lookalikes", isReader ? "4.8" : "2.3"), ("among-lookalikes", isReader ? "1.2" : "1.1"),
      ]
    }
    for (scenes, weight) in rendered {
      arguments += [
        "--annotations", Paths.joined(path(scenes), "annotations.json") + ":weight=\(weight)",
      ]
    }
    return Step(product: product, arguments: arguments)
  }
}

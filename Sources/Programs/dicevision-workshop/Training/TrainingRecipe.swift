internal import DiceFiles

/// The library's own weights from photos and rendered scenes, as a list of calls.
///
/// Every step is a call of the tool that could be made by hand and writes one file or folder; a step
/// whose product is there is passed over, so that an interrupted recipe goes on where it was.
struct TrainingRecipe: Hashable, Sendable {
  /// A set of photos that the recipe knows: how often its pictures are drawn for the detectors and for
  /// the second stage, and how much its boxes teach before and after they have been tightened to top faces.
  private struct KnownSet {
    var name: String
    var weight: String
    var secondStageWeight: String
    var boxes: String
    var tightenedBoxes: String
  }

  /// Pictures that the renderer makes: how often they are drawn for the first detector, for the
  /// others and for the second stage, nil for not at all.
  private struct Rendered {
    var name: String
    var style = "varied"
    var count: Int
    var height = 480
    var seed: Int
    var options: [String] = []
    var first: String?
    var detectors: String?
    var secondStage: String
  }

  /// Sets whose boxes enclose top faces need no tightening.
  private static let knownSets = [
    KnownSet(
      name: "byler-d6", weight: "1.2", secondStageWeight: "1.6", boxes: "0.3", tightenedBoxes: "0.5"
    ),
    KnownSet(
      name: "roboflow-dice-topface", weight: "1.6", secondStageWeight: "2.6", boxes: "1",
      tightenedBoxes: "1"),
    KnownSet(
      name: "rune55-pxl-trays", weight: "1.5", secondStageWeight: "3.2", boxes: "0.15",
      tightenedBoxes: "0.3"),
    KnownSet(
      name: "rune55-graybox", weight: "0.7", secondStageWeight: "1.4", boxes: "0.3",
      tightenedBoxes: "0.5"),
    KnownSet(
      name: "wholedie-extras", weight: "0.6", secondStageWeight: "1.2", boxes: "0.05",
      tightenedBoxes: "0.3"),
  ]

  /// Dice as in a picture of a whole tray.
  private static let smallDice = [
    "--dice", "8-34", "--die-size", "2.8-6.5", "--elevation", "40-90",
  ]

  /// A second stage sees one crop at a time, mostly one with a die; it needs more of those without.
  private static let rendered = [
    Rendered(
      name: "scenes", count: 4400, seed: 700_001, first: "5", detectors: "4.5", secondStage: "4.2"),
    Rendered(
      name: "scenes-from-low", count: 500, seed: 770_001, options: ["--elevation", "25-45"],
      detectors: "1", secondStage: "1.4"),
    Rendered(
      name: "scenes-from-above", count: 450, seed: 780_001, options: ["--elevation", "68-90"],
      detectors: "0.6", secondStage: "1.6"),
    Rendered(
      name: "scenes-of-rare-dice", count: 1300, seed: 790_101,
      options: ["--makes", "rare", "--dice", "2-14", "--die-size", "4-28"], detectors: "1",
      secondStage: "2.6"),
    Rendered(
      name: "scenes-of-small-dice", count: 1100, seed: 802_001, options: smallDice,
      secondStage: "1.3"),
    Rendered(
      name: "scenes-of-small-rare-dice", count: 1400, seed: 800_001,
      options: ["--makes", "rare"] + smallDice, secondStage: "2.2"),
    Rendered(
      name: "scenes-of-large-ones", count: 1100, seed: 810_001,
      options: ["--makes", "large-one", "--dice", "1-7", "--die-size", "3-20"], detectors: "4",
      secondStage: "1.8"),
    Rendered(
      name: "large-ones-among-hard-negatives", style: "hard-negatives", count: 300, seed: 815_001,
      options: ["--makes", "large-one", "--dice", "1-7", "--die-size", "3-14"], detectors: "0.5",
      secondStage: "0.8"),
    Rendered(
      name: "hard-negatives", style: "hard-negatives", count: 2700, height: 640, seed: 400_001,
      detectors: "2.3", secondStage: "6"),
    Rendered(
      name: "among-hard-negatives", style: "hard-negatives", count: 1200, seed: 420_001,
      options: ["--dice", "1-9"], detectors: "1.1", secondStage: "1.4"),
    Rendered(
      name: "clutter", style: "clutter", count: 1000, seed: 410_001, detectors: "1.5",
      secondStage: "5"),
    Rendered(
      name: "among-polyhedra", count: 800, seed: 430_001,
      options: ["--dice", "0-6", "--polyhedra", "1-8", "--die-size", "4-28"], detectors: "1.2",
      secondStage: "4.5"),
  ]

  /// A call of the tool.
  struct Step: Hashable, Sendable {
    /// The file or folder that is there when the step has been done.
    var product: String
    /// The call without the tool's name.
    var arguments: [String]
    /// How many pictures the product names when the step has been done, where it grows with them.
    var pictureCount: Int?
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

  /// The weight files that the recipe ends with: the detectors and the second stage.
  var weights: [String] { ["standard", "fast", "second-stage"].map { path("\($0).dvweights") } }

  /// All calls in order.
  var steps: [Step] {
    var steps = Self.rendered.map(rendering)
    steps.append(training("first", network: "standard", samples: 64_000, isTightened: false, []))
    for set in sets where needsTightening(set) {
      let faces = path("\(set)-faces.json")
      steps.append(
        Step(
          product: faces,
          arguments: [
            "relabel", "--weights", path("first.dvweights"), "--input", "640", "--tiling", "none",
            "--images", images(set), "--output", faces, annotations(set),
          ]))
    }
    steps.append(
      training(
        "standard", network: "standard", samples: 900_000, isTightened: true,
        ["--from", path("first.dvweights")]))
    steps.append(training("fast", network: "fast", samples: 960_000, isTightened: true, []))
    steps.append(
      training(
        "second-stage", network: "second-stage", samples: 6_000_000, isTightened: true,
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

  private func rendering(_ pictures: Rendered) -> Step {
    Step(
      product: Paths.joined(path(pictures.name), "annotations.json"),
      arguments: [
        "render", "--style", pictures.style, "--count", scaled(pictures.count), "--seed",
        "\(pictures.seed)", "--width", "640", "--height", "\(pictures.height)", "--output",
        path(pictures.name),
      ] + pictures.options, pictureCount: Int(scaled(pictures.count)))
  }

  private func training(
    _ name: String, network: String, samples: Int, isTightened: Bool, _ more: [String]
  ) -> Step {
    let product = path("\(name).dvweights")
    let isSecondStage = network == "second-stage"
    var arguments = ["train", "dice", "--network", network, "--output", product]
    if !isSecondStage { arguments += ["--crop", "320"] }
    arguments += ["--samples", scaled(samples)] + more
    if let threadCount { arguments += ["--threads", "\(threadCount)"] }
    for set in sets {
      let usesFaces = isTightened && needsTightening(set)
      var source = usesFaces ? path("\(set)-faces.json") : annotations(set)
      if let known = known(set) {
        source += ":weight=\(isSecondStage ? known.secondStageWeight : known.weight)"
        let boxes = isTightened ? known.tightenedBoxes : known.boxes
        if boxes != "1" { source += ":boxes=\(boxes)" }
      }
      source += ":images=\(images(set))"
      arguments += ["--annotations", source]
    }
    for pictures in Self.rendered {
      let weight =
        isSecondStage ? pictures.secondStage : isTightened ? pictures.detectors : pictures.first
      guard let weight else { continue }
      let source = Paths.joined(path(pictures.name), "annotations.json")
      arguments += ["--annotations", "\(source):weight=\(weight)"]
    }
    return Step(product: product, arguments: arguments)
  }
}

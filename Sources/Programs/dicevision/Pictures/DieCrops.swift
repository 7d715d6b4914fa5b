internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles
internal import DiceFinders
internal import DiceGeometry
internal import DiceImaging

/// The dice of pictures, each cut out into a picture of its own.
struct DieCrops {
  /// What is shown around a die, as a share of its box's sides.
  static let margin = 0.15
  /// The most dice of a picture.
  static let countLimit = 999
  /// The most pixels of all dice of a picture together, as a multiple of its own.
  static let areaLimit = 16.0
  private static let jpegQuality = 92

  /// What the files are.
  enum Format: String, CaseIterable, Sendable {
    case png
    case jpeg

    fileprivate var fileExtension: String { self == .png ? "png" : "jpg" }
  }

  private let folder: String
  private let format: Format
  /// What the names of each picture's dice begin with.
  private let names: [PictureSource: String]

  /// Decides how files are named: after their picture, with a number behind it where that is taken.
  init(_ folder: String, as format: Format, for list: PictureList) {
    self.folder = folder
    self.format = format
    var names: [PictureSource: String] = [:]
    // In small letters: some file systems do not tell them apart.
    var taken: Set<String> = []
    for source in list.sources where names[source] == nil {
      var base = "standard-input"
      if case .file(let path) = source {
        base = Paths.removingExtension(of: Paths.lastComponent(of: path))
      }
      var name = base
      var number = 2
      while !taken.insert(name.lowercased()).inserted {
        name = "\(base)-\(number)"
        number += 1
      }
      names[source] = name
    }
    self.names = names
  }

  /// Checks that the folder is not one that pictures are taken from, and makes it.
  ///
  /// - Throws: `ToolError.usage`, or `.file`.
  func prepare(reading paths: [String]) throws(ToolError) {
    var plan = OutputPlan()
    plan.read(paths)
    try plan.keepApart(folder: folder, for: "--crops")
    try OutputFile.createFolder(folder)
  }

  /// Writes the dice of a picture; nothing is written where a file with one of the names is there.
  ///
  /// - Parameters:
  ///   - image: the picture, whose orientation says how it stands.
  ///   - dice: what was found, in pixels of the upright picture.
  ///   - source: where the picture came from.
  /// - Throws: `ToolError.file`, or `.failure` with the broken rule.
  func write(
    _ image: PixelImage, _ dice: [FoundDie], from source: PictureSource
  ) throws(ToolError) {
    if dice.isEmpty { return }
    guard dice.count <= Self.countLimit else {
      throw .failure(
        subject: source.name,
        sentence: "\(dice.count) dice are too many for --crops; \(Self.countLimit) are written at "
          + "most.")
    }
    let upright = AnnotatedCopies.upright(image)
    var crops: [(path: String, box: BoundingBox)] = []
    var area = 0.0
    for (index, die) in dice.enumerated() {
      let path = path(of: die, at: index, from: source)
      if FileSystem.exists(at: path) {
        throw .failure(subject: path, sentence: "The file is there already; --crops replaces none.")
      }
      let box = die.boundingBox
      let wide = BoundingBox(
        midX: box.midX, midY: box.midY, width: box.width * (1 + 2 * Self.margin),
        height: box.height * (1 + 2 * Self.margin))
      area += min(wide.area, Double(upright.width) * Double(upright.height))
      crops.append((path, wide))
    }
    guard area <= Self.areaLimit * Double(upright.width) * Double(upright.height) else {
      throw .failure(
        subject: source.name,
        sentence: "The dice for --crops have more than \(NumberText.short(Self.areaLimit)) times "
          + "the picture's pixels together.")
    }
    for (path, box) in crops {
      guard let crop = upright.cropped(to: box) else { continue }
      try OutputFile.write(Signature.added(to: try file(of: crop, path)), to: path)
    }
  }

  /// `PICTURE-01-value-4.png`.
  private func path(of die: FoundDie, at index: Int, from source: PictureSource) -> String {
    let number = index < 9 ? "0\(index + 1)" : "\(index + 1)"
    return Paths.joined(
      folder,
      "\(names[source] ?? "picture")-\(number)-value-\(die.value).\(format.fileExtension)")
  }

  private func file(of crop: PixelImage, _ path: String) throws(ToolError) -> [UInt8] {
    if format == .png { return PNGEncoder.encode(crop) }
    do throws(JPEGError) {
      return try JPEGEncoder.encode(crop, quality: Self.jpegQuality, subsampling: .s444)
    } catch {
      throw .failure(subject: path, sentence: "\(error)")
    }
  }
}

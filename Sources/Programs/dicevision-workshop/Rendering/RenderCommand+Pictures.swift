internal import DiceCodecs
internal import DiceCommandLine
internal import DiceEvaluation
internal import DiceFiles
internal import DiceImaging
internal import DiceScenes

extension RenderCommand {
  /// The least visible share of a top face that can be read; less is labelled "?".
  static let readableVisibility = 0.55
  /// The least visible share of a game piece, and its least longer side in pixels; less is labelled
  /// "?".
  static let pieceLimits = (visibility: 0.3, side: 6.0)

  /// Draws single pictures with their annotations.
  static func drawPictures(
    _ request: RenderRequest, _ environment: Environment
  ) throws(ToolError) -> Outcome {
    var annotations = GrowingAnnotations(
      in: request.folder, besides: try request.scenesThere(), environment)
    let work = OrderedWork(partCount: request.count, threadCount: request.threadCount)
    var progress = ProgressBar(environment, title: name, total: request.count)
    defer { progress.clear() }
    do throws(ToolError) {
      try work.run(count: request.count) { index in
        draw(seed: request.firstSeed + UInt64(index), request)
      } _: { (_, drawn: Drawn) throws(ToolError) in
        let (annotation, bytes) = drawn
        try write(bytes, to: Paths.joined(request.folder, annotation.fileName))
        annotations.append(annotation)
        progress.show(annotations.images.count, annotation.fileName)
      } whenCaughtUp: { () throws(ToolError) in
        try annotations.saveWhereDue()
      }
    } catch {
      // What went wrong first is what is told.
      if !annotations.images.isEmpty { try? annotations.save() }
      throw error
    }
    progress.clear()
    try annotations.save()
    let pieceNames = Set(PieceKind.allCases.map(\.label))
    let labels = annotations.images.flatMap { image in image.objects.map(\.label) }
    let pieceCount = labels.count { pieceNames.contains($0) }
    var members = JSONObject([
      JSONObject.Member(key: "output", value: .string(request.folder)),
      JSONObject.Member(key: "photoCount", value: JSONValue(request.count)),
      JSONObject.Member(key: "dieCount", value: JSONValue(labels.count - pieceCount)),
      JSONObject.Member(key: "annotations", value: .string(annotations.path)),
    ])
    if pieceCount > 0 { members["pieceCount"] = JSONValue(pieceCount) }
    return Outcome(pictureCount: request.count, json: .object(members))
  }

  /// A picture's annotation and its file.
  private typealias Drawn = (annotation: AnnotatedImage, bytes: Result<[UInt8], JPEGError>)

  /// The file of a scene.
  static func sceneName(seed: UInt64, _ format: ImageFormat) -> String {
    "scene-\(seed)." + fileExtension(of: format)
  }

  private static func draw(seed: UInt64, _ request: RenderRequest) -> Drawn {
    let scene = DiceScene.random(seed: seed, options: request.scene)
    let rendered = SceneRenderer.render(scene, width: request.width, height: request.height)
    let fileName = sceneName(seed: seed, request.format)
    return (
      AnnotatedImage(fileName: fileName, objects: objects(of: rendered, request.scene)),
      encoded(rendered.image, request.format)
    )
  }

  /// The dice and pieces that can be told, and those that cannot with the label "?".
  private static func objects(
    of rendered: RenderedScene, _ scene: SceneOptions
  ) -> [AnnotatedObject] {
    let namesKinds = scene.polyhedronLabels == .values
    var objects: [AnnotatedObject] = []
    for piece in rendered.pieces {
      let box = piece.boundingBox
      if namesKinds {
        guard let numeral = piece.numeral, !numeral.boundingBox.isEmpty else {
          objects.append(AnnotatedObject(label: "?", boundingBox: box))
          continue
        }
        let isReadable =
          numeral.visibility >= readableVisibility && numeral.legibility.isSufficient
        objects.append(
          AnnotatedObject(
            label: isReadable ? "\(numeral.kind)-\(numeral.face)" : "?",
            boundingBox: numeral.boundingBox,
            angle: numeral.angle.map { ($0 * 10).rounded() / 10 }))
        continue
      }
      let isClear =
        piece.visibility >= pieceLimits.visibility
        && max(box.width, box.height) >= pieceLimits.side
      objects.append(
        AnnotatedObject(label: isClear ? piece.kind.label : "?", boundingBox: box))
    }
    for die in rendered.dice where die.topFace.width > 0 && die.topFace.height > 0 {
      let isReadable =
        die.visibility >= readableVisibility && die.legibility?.isSufficient ?? true
      let face = die.symbol ?? (namesKinds ? "d6-" : "") + String(die.value)
      let label = isReadable ? face : "?"
      objects.append(AnnotatedObject(label: label, boundingBox: die.topFace))
    }
    return objects
  }
}

internal import DiceCommandLine
internal import DiceDrawing
internal import DiceFields
internal import DiceFiles
internal import DiceGeometry
internal import DiceImaging

/// What `field` does for each picture, on any thread.
struct PictureFields {
  let detector: FieldDetector
  let reader: PictureReader
  let orientation: ImageOrientation?
  let isJSON: Bool
  let size: FieldSize?
  let copies: AnnotatedCopies?
  let views: AnnotatedCopies?

  /// Reads a picture, finds its fields and writes its copies.
  func perform(_ source: PictureSource) -> PictureWalk.Outcome {
    var outcome = PictureWalk.Outcome()
    do throws(ToolError) {
      let picture = try reader.read(source)
      var image = picture.image
      if let orientation { image.orientation = orientation }
      let fields: [Field]
      do throws(FieldError) { fields = try detector.detect(in: image) } catch {
        throw .failure(subject: source.name, sentence: "\(error)")
      }
      outcome.text = isJSON ? json(fields, source.name) : text(fields, source.name)
      try copies?.write(
        image, titled: text(fields.prefix(1), source.name), from: source,
        colorProfile: picture.colorProfile, FieldOverlay(fields: fields))
      guard let views else { return outcome }
      guard let field = fields.first else {
        throw .failure(subject: source.name, sentence: "There is no field to rectify.")
      }
      let view: PixelImage
      do throws(FieldError) { view = try plane(of: field).topView(of: image) } catch {
        throw .failure(subject: source.name, sentence: "\(error)")
      }
      try views.write(
        view, titled: "The field seen from above", from: source,
        colorProfile: picture.colorProfile, NoOverlay())
    } catch {
      outcome.error = error
    }
    return outcome
  }

  private func plane(of field: Field) throws(FieldError) -> FieldPlane {
    if let size { return try FieldPlane(field, width: size.width, height: size.height) }
    let corners = field.corners
    func length(_ first: Int, _ second: Int) -> Double {
      corners[first].squaredDistance(to: corners[second]).squareRoot()
    }
    return try FieldPlane(
      field, width: (length(0, 1) + length(3, 2)) / 2, height: (length(0, 3) + length(1, 2)) / 2)
  }

  private func json(_ fields: [Field], _ name: String) -> String {
    func corners(_ field: Field) -> JSONValue {
      .array(
        field.corners.map { (corner) in
          .array(
            [corner.x, corner.y].map { .number(NumberText.rounded($0, decimals: 2)) })
        })
    }
    let confidence = NumberText.rounded(fields.first?.confidence ?? 0, decimals: 4)
    let object = JSONObject([
      JSONObject.Member(key: "image", value: .string(FileName.repaired(name))),
      JSONObject.Member(key: "corners", value: fields.first.map(corners) ?? .null),
      JSONObject.Member(key: "confidence", value: .number(confidence)),
      JSONObject.Member(key: "others", value: .array(fields.dropFirst().map(corners))),
    ])
    return String(decoding: JSONWriter.write(.object(object)), as: UTF8.self) + "\n"
  }

  private func text(_ fields: some Collection<Field>, _ name: String) -> String {
    guard !fields.isEmpty else { return printable(name, limit: .max) + ": no field\n" }
    let lines = fields.map { (field) in
      let kind =
        switch field.kind {
        case .grid(let columns, let rows): "grid of \(columns) x \(rows)"
        case .outline: "outline"
        }
      let corners = field.corners.map {
        "\(NumberText.fixed($0.x, decimals: 1)),\(NumberText.fixed($0.y, decimals: 1))"
      }
      return "\(kind), \(NumberText.percent(field.confidence)): \(corners.joined(separator: " "))\n"
    }
    return printable(name, limit: .max) + ": " + lines.joined(separator: "  or ")
  }
}

/// Nothing to draw.
struct NoOverlay: Overlay {
  func draw<Surface: DrawingSurface>(on surface: inout Surface) {}
}

/// Fields as lines around them, the best one on top.
struct FieldOverlay: Overlay {
  let fields: [Field]

  func draw<Surface: DrawingSurface>(on surface: inout Surface) {
    for (index, field) in fields.enumerated().reversed() {
      let color = PixelColor.forValue(index + 1).withOpacity(index == 0 ? 1 : 0.5)
      let width = surface.suitableLineWidth * (index == 0 ? 1.5 : 0.8)
      for side in 0..<4 {
        // A trail is faint where it begins.
        let ends = [field.outline[side], field.outline[(side + 1) & 3]]
        surface.drawTrail(ends, lineWidth: width, color: color)
        surface.drawTrail(ends.reversed(), lineWidth: width, color: color)
      }
    }
  }
}

internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles
internal import DiceGameKit
internal import DiceGeometry
internal import DiceImaging

/// Reads drawings and pictures, and says what they show.
struct NumberReaders {
  let isJSON: Bool
  let copies: NumberCopies?
  // Made for the first drawing and the first picture.
  private var recognizer: NumberRecognizer?
  private var pictureReader: PictureNumberReader?

  init(isJSON: Bool, copies: NumberCopies?) {
    self.isJSON = isJSON
    self.copies = copies
  }

  // MARK: Drawings

  /// The answer to a line of a file of drawings.
  mutating func answer(
    line: [UInt8], number: Int, _ path: String
  ) throws(ToolError) -> String {
    func broken(_ sentence: String) -> ToolError {
      .failure(subject: InputFiles.name(path), sentence: "Line \(number): \(sentence)")
    }
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.parse(line) } catch {
      var error = error
      error.line = number
      throw .failure(subject: InputFiles.name(path), sentence: "\(error)")
    }
    guard case .object(let object) = value, case .array? = object["strokes"] else {
      throw broken("A drawing is an object with \"strokes\", an array.")
    }
    let (drawing, reading): (Drawing, NumberReading)
    do throws(NumberRecognizerError) {
      do throws(DrawingError) { drawing = try StrokeJSON.drawing(object["strokes"]) } catch {
        throw .drawing(error)
      }
      if recognizer == nil { recognizer = try NumberRecognizer() }
      reading = try recognizer?.read(drawing) ?? .nothing
    } catch { throw broken("\(error)") }
    if let copies { try copies.write(drawing, reading, of: path, line: number) }
    let id = object["id"] ?? .null
    return isJSON ? Self.json(id, reading) : Self.text(id, reading)
  }

  private static func json(_ id: JSONValue, _ reading: NumberReading) -> String {
    let confidence = reading.lines.reduce(Float(1)) { $0 * $1.confidence }
    var members = [
      JSONObject.Member(key: "id", value: id),
      JSONObject.Member(key: "text", value: .string(reading.text)),
      JSONObject.Member(
        key: "digits",
        value: .array(
          reading.digits.map { digit in
            [
              "value": JSONValue(digit.value), "confidence": rounded(digit.confidence),
              "strokes": .array(digit.strokes.map { JSONValue($0) }),
            ]
          })),
    ]
    if !reading.lines.isEmpty {
      members.insert(JSONObject.Member(key: "confidence", value: rounded(confidence)), at: 2)
    }
    return line(.object(JSONObject(members)))
  }

  private static func text(_ id: JSONValue, _ reading: NumberReading) -> String {
    let name: String
    switch id {
    case .string(let text): name = printable(text)
    case .null: name = "-"
    default:
      name = String(decoding: JSONWriter.write(id, layout: .compact), as: UTF8.self)
    }
    return said(name, reading.lines.map(\.text))
  }

  // MARK: Pictures

  /// The answer to a picture.
  mutating func answer(picture bytes: [UInt8], _ path: String) throws(ToolError) -> String {
    let image: PixelImage
    do throws(ImageDecodingError) {
      image = try ImageDecoder.decode(
        bytes, longerSide: .max, limits: DecodingLimits(), keepsAlpha: true
      ).image.oriented()
    } catch { throw .failure(subject: InputFiles.name(path), sentence: "\(error)") }
    let picture: NumberPicture
    do throws(NumberPictureError) {
      picture =
        try image.format == .rgba
        ? NumberPicture(width: image.width, height: image.height, rgba: image.samples)
        : NumberPicture(
          width: image.width, height: image.height, gray: image.converted(to: .gray).samples)
    } catch { throw .failure(subject: InputFiles.name(path), sentence: "\(error)") }
    let numbers: [PictureNumber]
    do throws(DigitClassifierError) {
      if pictureReader == nil { pictureReader = try PictureNumberReader() }
      numbers = try pictureReader?.numbers(in: picture) ?? []
    } catch { throw .failure(subject: InputFiles.name(path), sentence: "\(error)") }
    if let copies { try copies.write(image, numbers, of: path) }
    guard isJSON else { return Self.said(printable(path), numbers.map(\.text)) }
    return Self.line([
      "image": .string(path), "width": JSONValue(image.width), "height": JSONValue(image.height),
      "numbers": .array(numbers.map { Self.value($0) }),
    ])
  }

  private static func value(_ number: PictureNumber) -> JSONValue {
    [
      "text": .string(number.text), "box": value(number.box),
      "confidence": rounded(number.confidence),
      "digits": .array(
        number.digits.map { digit in
          [
            "value": JSONValue(digit.value), "confidence": rounded(digit.confidence),
            "box": value(digit.box),
          ]
        }),
    ]
  }

  private static func value(_ box: BoundingBox) -> JSONValue {
    func pixels(_ value: Double) -> JSONValue { .number(NumberText.rounded(value, decimals: 2)) }
    return [
      "x": pixels(box.x), "y": pixels(box.y), "width": pixels(box.width),
      "height": pixels(box.height),
    ]
  }

  // MARK: Both

  private static func rounded(_ confidence: Float) -> JSONValue {
    .number(NumberText.rounded(Double(confidence), decimals: 4))
  }

  private static func line(_ value: JSONValue) -> String {
    String(decoding: JSONWriter.write(value, layout: .compact), as: UTF8.self) + "\n"
  }

  private static func said(_ name: String, _ numbers: [String]) -> String {
    "\(name): \(numbers.isEmpty ? "no number" : numbers.joined(separator: " "))\n"
  }
}

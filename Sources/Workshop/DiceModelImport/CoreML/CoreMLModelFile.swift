internal import DiceDetectorHeads

/// What a Core ML file says, before anything is made of it.
///
/// Source: `Model.proto` of the Core ML model format; numbers are fields of its messages.
struct CoreMLModelFile {
  /// Kinds of models.
  enum Kind: Equatable {
    /// A neural network: its message, and the fields that only a classifier has.
    case network(isClassifier: Bool)
    /// Models one behind the other; of a classifier or regressor the message is one within.
    case pipeline(isPlain: Bool)
    /// The suppression of boxes that overlap.
    case suppression
    /// A spectrogram of sound.
    case soundPreprocessing
    /// Probabilities that follow from weighted sums.
    case linearClassifier
    /// A kind that cannot be imported: its name, and why.
    case other(name: String, reason: String)
  }

  /// The version of the format.
  let version: Int
  let inputs: [CoreMLFeature]
  let outputs: [CoreMLFeature]
  /// The output that is the label of the likeliest class.
  let labelName: String
  /// The output with a number for each class.
  let probabilitiesName: String
  /// What the model's makers say of it: keys and texts.
  let metadata: [(key: String, value: String)]
  let kind: Kind
  /// The message of the model's kind.
  let content: ProtobufMessage

  /// The most inputs or outputs of a model.
  private static let featureLimit = 256

  /// Reads a message `Model`.
  init(_ message: ProtobufMessage) throws(ModelImportError) {
    let inputs: [CoreMLFeature]?
    let outputs: [CoreMLFeature]?
    let type: (number: Int, content: ProtobufMessage)?
    do throws(ProtobufError) {
      version = try message.integer(1) ?? 0
      let description = try message.message(2)
      inputs = try Self.features(description, 1)
      outputs = try Self.features(description, 10)
      labelName = try description?.text(11) ?? ""
      probabilitiesName = try description?.text(12) ?? ""
      metadata = try Self.metadata(try description?.message(100))
      if let field = try message.lastField({ (number) in number >= 200 }) {
        type = (field.number, try message.message(field))
      } else {
        type = nil
      }
    } catch {
      throw .protobuf(error)
    }
    guard let inputs, let outputs else {
      throw .invalid(
        place: "The model", rule: "It has more than \(Self.featureLimit) inputs or outputs.")
    }
    (self.inputs, self.outputs) = (inputs, outputs)
    guard let type else {
      throw .invalid(place: "The model", rule: "It is of no kind; a Core ML model must have one.")
    }
    content = type.content
    do throws(ProtobufError) { kind = try Self.kind(type.number, content) } catch {
      throw .protobuf(error)
    }
  }

  private static func features(
    _ description: ProtobufMessage?, _ field: Int
  ) throws(ProtobufError) -> [CoreMLFeature]? {
    guard let description else { return [] }
    guard let messages = try description.messages(field, limit: featureLimit) else { return nil }
    var features: [CoreMLFeature] = []
    for message in messages { features.append(try CoreMLFeature(message)) }
    return features
  }

  /// Reads a message `Metadata`.
  private static func metadata(
    _ message: ProtobufMessage?
  ) throws(ProtobufError) -> [(key: String, value: String)] {
    guard let message else { return [] }
    var entries: [(key: String, value: String)] = []
    for (field, key) in [(1, "description"), (2, "version"), (3, "author"), (4, "license")] {
      if let text = try message.text(field), !text.isEmpty { entries.append((key, text)) }
    }
    for entry in try message.messages(100, limit: 1024) ?? [] {
      entries.append(("coreml.\(try entry.text(1) ?? "")", try entry.text(2) ?? ""))
    }
    return entries
  }

  private static func kind(
    _ field: Int, _ content: ProtobufMessage
  ) throws(ProtobufError) -> Kind {
    switch field {
    case 400: return .linearClassifier
    case 555:
      let name = try content.text(10) ?? ""
      if name == CoreMLSoundPreprocessing.customClass { return .soundPreprocessing }
      return .other(
        name: "customModel",
        reason: name.isEmpty
          ? "its code is not in the file" : "its code, the class \(name), is not in the file")
    case 2003:
      guard try content.message(CoreMLSoundPreprocessing.field) != nil else {
        return .other(
          name: "soundAnalysisPreprocessing",
          reason: "the features are computed by Apple's systems, and the file does not say that "
            + "they are those of VGGish")
      }
      return .soundPreprocessing
    default: return kind(field)
    }
  }

  private static func kind(_ field: Int) -> Kind {
    switch field {
    case 303, 500: .network(isClassifier: false)
    case 403: .network(isClassifier: true)
    case 200, 201: .pipeline(isPlain: false)
    case 202: .pipeline(isPlain: true)
    case 610: .suppression
    default:
      if let known = otherKinds.first(where: { $0.field == field }) {
        .other(name: known.name, reason: known.reason)
      } else {
        .other(name: "model type \(field)", reason: "it is not known")
      }
    }
  }

  /// Models of other kinds, and why they are refused.
  static let otherKinds: [(field: Int, name: String, reason: String)] = {
    let notANetwork = "it is no neural network"
    return [
      (
        502, "mlProgram",
        "an ML program is not read; in coremltools convert the original model with "
          + "convert_to=\"neuralnetwork\", or export it as ONNX"
      ),
      (
        2002, "visionFeaturePrint",
        "the network is part of Apple's systems and not in the file; train in Create ML with the full "
          + "network"
      ),
      (
        2006, "audioFeaturePrint",
        "the network is part of Apple's systems and not in the file; train in Create ML with the "
          + "feature extractor VGGish"
      ),
      (556, "linkedModel", "it is in another file"),
      (3000, "serializedModel", "it is of a format of its own"),
      (300, "glmRegressor", notANetwork), (301, "supportVectorRegressor", notANetwork),
      (302, "treeEnsembleRegressor", notANetwork), (304, "bayesianProbitRegressor", notANetwork),
      (401, "supportVectorClassifier", notANetwork),
      (402, "treeEnsembleClassifier", notANetwork),
      (404, "kNearestNeighborsClassifier", notANetwork),
      (501, "itemSimilarityRecommender", notANetwork),
      (560, "classConfidenceThresholding", notANetwork), (600, "oneHotEncoder", notANetwork),
      (601, "imputer", notANetwork), (602, "featureVectorizer", notANetwork),
      (603, "dictVectorizer", notANetwork), (604, "scaler", notANetwork),
      (606, "categoricalMapping", notANetwork), (607, "normalizer", notANetwork),
      (609, "arrayFeatureExtractor", notANetwork), (900, "identity", notANetwork),
      (2000, "textClassifier", notANetwork), (2001, "wordTagger", notANetwork),
      (2004, "gazetteer", notANetwork),
      (2005, "wordEmbedding", notANetwork),
    ]
  }()
}

/// The names of classes: a list of texts, or of integers.
enum CoreMLLabels {
  /// Reads the field of texts, or that of integers, of a message; empty where there is neither.
  static func read(
    _ message: ProtobufMessage, texts: Int, integers: Int
  ) throws(ProtobufError) -> [String] {
    if let list = try message.message(texts) {
      return try list.texts(1, limit: 65_536) ?? []
    }
    if let list = try message.message(integers) {
      return (try list.integers(1, limit: 65_536) ?? []).map { "\($0)" }
    }
    return []
  }

  /// Labels that the weight format allows: with other characters where it forbids some, and all
  /// different.
  static func legal(_ labels: [String]) -> [String] {
    var known: Set<String> = []
    var numbers: [String: Int] = [:]
    return labels.map { (label) in
      var text = ModelTensor.cut(ModelTensor.printable(label), to: 240)
      if text.isEmpty { text = "unnamed" }
      var result = text
      while !known.insert(result).inserted {
        let number = numbers[text, default: 1] + 1
        numbers[text] = number
        result = "\(text) (\(number))"
      }
      return result
    }
  }
}

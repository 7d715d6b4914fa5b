import Foundation

/// Finds and reads the files under `Fixtures/`, wherever the checkout stands.
public enum Fixtures {
  /// The `Fixtures` folder of the checkout that these tests were compiled from.
  public static let folder: URL = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures", directoryHint: .isDirectory)

  /// The path of a fixture, given relative to `Fixtures/`.
  public static func path(_ name: String) -> String {
    folder.appending(path: name).path(percentEncoded: false)
  }

  /// The bytes of a fixture, given relative to `Fixtures/`.
  public static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }

  /// What a fixture in JSON holds, given relative to `Fixtures/`.
  ///
  /// - Precondition: The fixture can be read as such values.
  public static func decoded<Value: Decodable>(_ name: String) -> Value {
    do {
      return try JSONDecoder().decode(
        Value.self, from: Data(contentsOf: folder.appending(path: name)))
    } catch {
      fatalError("The fixture \(name) cannot be read: \(error)")
    }
  }

  /// The names of the files in a folder of fixtures, sorted, without hidden ones.
  public static func names(in subfolder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(subfolder))
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The folder of other people's models with what they answer, or nil where it is absent:
  /// `DICEVISION_MODELS`, else `shared/models` beside the checkout or beside the photos.
  public static let models: URL? = {
    let environment = ProcessInfo.processInfo.environment["DICEVISION_MODELS"]
    let places = [
      environment.map { URL(filePath: $0, directoryHint: .isDirectory) },
      photos?.deletingLastPathComponent().appending(path: "models", directoryHint: .isDirectory),
      folder.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/models", directoryHint: .isDirectory),
    ]
    return places.compactMap { $0 }.first { (url) in
      FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
    }
  }()

  /// The folder of labelled photos, or nil where it is absent: `DICEVISION_PHOTOS`, else
  /// `shared/photos` beside the checkout.
  public static let photos: URL? = {
    let environment = ProcessInfo.processInfo.environment["DICEVISION_PHOTOS"]
    let url =
      environment.map { URL(filePath: $0, directoryHint: .isDirectory) }
      ?? folder.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "shared/photos", directoryHint: .isDirectory)
    return FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) ? url : nil
  }()
}

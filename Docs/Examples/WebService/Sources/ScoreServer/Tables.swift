import DiceGameKit
import DiceServer
import Foundation
import Synchronization

/// All tables, each kept in a file of a folder.
final class Tables: Sendable {
  /// The most tables; further ones are refused until one is taken away.
  static let limit = 1000

  private let folder: URL
  private let tables: Mutex<[String: Table]>
  /// What lay in the folder and is no game, a sentence each.
  let problems: [String]

  /// The tables that are kept in a folder, which is made where it is missing.
  init(folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var (tables, problems): ([String: Table], [String]) = ([:], [])
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    for file in files where file.hasSuffix(".json") && tables.count < Self.limit {
      let name = String(file.dropLast(5))
      do {
        let text = [UInt8](try Data(contentsOf: folder.appending(path: file)))
        tables[name] = Table(name: name, game: try DiceMathGame(savedText: text))
      } catch {
        problems.append("\(file): \(error)")
      }
    }
    self.tables = Mutex(tables)
    self.problems = problems
  }

  /// A table by its name.
  func table(_ name: String) throws(HTTPError) -> Table {
    guard let table = tables.withLock({ $0[name] }) else {
      throw HTTPError(404, "There is no such table.")
    }
    return table
  }

  /// Sets up a table.
  func add(_ game: DiceMathGame) throws -> Table {
    // 128 random bits: only who was told the name finds the table.
    let name = UUID().uuidString.lowercased()
    let table = Table(name: name, game: game)
    let isAdded = tables.withLock { tables in
      guard tables.count < Self.limit else { return false }
      tables[name] = table
      return true
    }
    guard isAdded else { throw HTTPError(503, "All tables are taken.") }
    do { try keep(game, at: name) } catch {
      tables.withLock { _ = $0.removeValue(forKey: name) }
      throw error
    }
    return table
  }

  /// Takes a table away.
  func remove(_ table: Table) {
    tables.withLock { _ = $0.removeValue(forKey: table.name) }
    table.close { try? FileManager.default.removeItem(at: file(table.name)) }
  }

  /// Writes a game to its file.
  func keep(_ game: DiceMathGame, at name: String) throws {
    try Data(game.savedText).write(to: file(name), options: .atomic)
  }

  // Names of files are made here, or were found in the folder: none comes from a client.
  private func file(_ name: String) -> URL { folder.appending(path: name + ".json") }
}

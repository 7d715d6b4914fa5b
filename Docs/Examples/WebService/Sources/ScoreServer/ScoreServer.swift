import Foundation
import HTTPServer

/// Keeps score for several tables on a port of this computer, and keeps the games in a folder.
@main
struct ScoreServer {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let port = UInt16(arguments.first ?? ""),
      let folder = arguments.last
    else {
      complain("Call it as: ScoreServer PORT FOLDER")
      exit(2)
    }
    do {
      let limits = Limits()
      let tables = try Tables(folder: URL(filePath: folder))
      for problem in tables.problems { complain(problem) }
      let service = try ScoreService(tables: tables, limits: limits)
      let server = try Server(port: port, limits: limits)
      FileHandle.standardOutput.write(Data("http://127.0.0.1:\(server.port)/\n".utf8))
      server.run(service.respond)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  static func complain(_ sentence: String) {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
  }
}

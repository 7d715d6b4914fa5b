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
      Server.complain("Call it as: ScoreServer PORT FOLDER")
      exit(2)
    }
    do {
      let limits = Limits()
      let tables = try Tables(folder: URL(filePath: folder))
      for problem in tables.problems { Server.complain(problem) }
      let service = try ScoreService(tables: tables, limits: limits)
      try Server.serve(port: port, limits: limits, service.respond)
    } catch {
      Server.complain("\(error)")
      exit(1)
    }
  }
}

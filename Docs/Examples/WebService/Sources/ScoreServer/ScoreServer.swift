import Foundation
import ServiceSupport

/// Keeps score for several tables on a port of this computer, and keeps the games in a folder.
@main
struct ScoreServer {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let port = UInt16(arguments.first ?? ""),
      let folder = arguments.last
    else {
      ServiceProgram.complain("Call it as: ScoreServer PORT FOLDER")
      exit(2)
    }
    do {
      let limits = Limits()
      let tables = try Tables(folder: URL(filePath: folder))
      for problem in tables.problems { ServiceProgram.complain(problem) }
      let service = try ScoreService(tables: tables, limits: limits)
      try ServiceProgram.serve(port: port, limits: limits.server, service.respond)
    } catch {
      ServiceProgram.complain("\(error)")
      exit(1)
    }
  }
}

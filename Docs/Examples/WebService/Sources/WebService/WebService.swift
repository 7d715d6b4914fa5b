import Foundation
import HTTPServer

/// Serves the reading of posted pictures on a port of this computer.
@main
struct WebService {
  static func main() {
    guard CommandLine.arguments.count <= 2,
      let port = UInt16(CommandLine.arguments.dropFirst().first ?? "8080")
    else {
      Server.complain("Call it as: WebService [PORT]")
      exit(2)
    }
    do {
      let limits = Limits()
      let service = try ReadingService(limits: limits)
      try Server.serve(port: port, limits: limits, service.respond)
    } catch {
      Server.complain("\(error)")
      exit(1)
    }
  }
}

import Foundation
import ServiceSupport

/// Serves the reading of posted pictures on a port of this computer.
@main
struct WebService {
  static func main() {
    guard CommandLine.arguments.count <= 2,
      let port = UInt16(CommandLine.arguments.dropFirst().first ?? "8080")
    else {
      ServiceProgram.complain("Call it as: WebService [PORT]")
      exit(2)
    }
    do {
      let limits = Limits()
      let service = try ReadingService(limits: limits)
      try ServiceProgram.serve(port: port, limits: limits.server, service.respond)
    } catch {
      ServiceProgram.complain("\(error)")
      exit(1)
    }
  }
}

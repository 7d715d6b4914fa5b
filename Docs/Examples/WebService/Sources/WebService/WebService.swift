import Foundation
import HTTPServer

/// Serves the reading of posted pictures on a port of this computer.
@main
struct WebService {
  static func main() {
    guard CommandLine.arguments.count <= 2,
      let port = UInt16(CommandLine.arguments.dropFirst().first ?? "8080")
    else {
      complain("Call it as: WebService [PORT]")
      exit(2)
    }
    do {
      let limits = Limits()
      let service = try ReadingService(limits: limits)
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

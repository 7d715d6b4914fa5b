internal import DiceFiles
internal import DiceParallel

/// The computer and the sources that a measurement is made with.
package enum Machine {
  /// The processor's name and how many there are.
  package static var name: String {
    let count = "\(WorkerPool.processorCount) processors"
    guard let bytes = try? FileSystem.readFile(at: "/proc/cpuinfo", byteLimit: 1 << 24) else {
      return count
    }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("model name") {
      guard let colon = line.firstIndex(of: ":") else { break }
      return "\(line[line.index(after: colon)...].drop { $0 == " " }), \(count)"
    }
    return count
  }

  /// The commit of the working folder, as git describes it; "?" where git cannot tell.
  package static var commit: String {
    let commit = Process.output(of: ["git", "describe", "--always", "--dirty", "--abbrev=10"])
    return commit.map { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) } ?? "?"
  }
}

import DiceVisionKit
import Foundation

/// Pass-the-dice Pig, with the dice of a camera, of a film or of the computer.
@main
struct DiceGame {
  static func main() async {
    let options: Options
    do {
      options = try Options(CommandLine.arguments.dropFirst())
    } catch {
      FileHandle.standardError.write(Data("\(error)\n\(Options.usage)\n".utf8))
      exit(2)
    }
    if options.asksForHelp { return say([Options.usage]) }
    let seed = options.seed ?? UInt64.random(in: .min ... .max)
    var match = Match(
      players: options.players, target: options.target, dice: VirtualDice(seed: seed),
      diceCount: options.diceCount,
      style: options.isPlain || isatty(1) == 0 ? .plain : .drawn)
    say(match.begin())
    for await event in events(options, seed: seed) {
      say(match.take(event))
      if match.game.isOver || event == .ended { break }
    }
  }

  /// What happens at the table: the camera's throws, and the players' keys, whichever come first.
  private static func events(_ options: Options, seed: UInt64) -> AsyncStream<TableEvent> {
    let (events, table) = AsyncStream.makeStream(of: TableEvent.self)
    // Reading a film or a key waits, so each has a thread of its own.
    if options.films.isEmpty {
      Thread.detachNewThread { practise(options, seed: seed) { table.yield($0) } }
    } else {
      Thread.detachNewThread {
        do {
          let dice = FilmDice(detector: try DiceDetector()) { table.yield($0) }
          for film in options.films { try dice.follow(film) }
        } catch {
          FileHandle.standardError.write(Data("\(error)\n".utf8))
        }
        table.yield(.ended)
      }
      Thread.detachNewThread {
        // Standard input may be the camera's film; the players have the terminal itself.
        guard isatty(2) == 1, let terminal = FileHandle(forReadingAtPath: "/dev/tty") else {
          return
        }
        while let line = try? terminal.read(upToCount: 256), !line.isEmpty { table.yield(.held) }
      }
    }
    return events
  }

  /// Without a film: a line with nothing in it throws, one with `h` holds, `q` ends.
  private static func practise(
    _ options: Options, seed: UInt64, tell: (TableEvent) -> Void
  ) {
    // The computer as a player has dice of its own, which must not be the same.
    var dice = VirtualDice(seed: ~seed)
    tell(.notice("Return throws, h holds, q ends."))
    while let line = readLine() {
      switch line.first {
      case "h", "H": tell(.held)
      case "q", "Q": return tell(.ended)
      default: tell(.thrown(dice.roll(count: options.diceCount)))
      }
    }
    tell(.ended)
  }

  private static func say(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
  }
}

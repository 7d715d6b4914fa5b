import DiceGameKit
import SwiftUI

/// The board from above: sections in a circle, the first on top, then clockwise.
struct BoardView: View {
  let board: BoardRules
  let players: [DiceMathGame.Player]
  let turn: Int

  private static let colors: [Color] = [.red, .blue, .green, .orange]

  var body: some View {
    GeometryReader { geometry in
      let radius = min(geometry.size.width, geometry.size.height) / 2
      let center = CGPoint(x: geometry.size.width / 2, y: geometry.size.height / 2)
      ZStack {
        ForEach(1..<board.sectionCount + 1, id: \.self) { section in
          wedge(section, center: center, radius: radius)
            .fill(section == board.target ? Color.yellow : color(of: section))
          Text("\(section)")
            .font(.headline)
            .position(place(section, center: center, radius: radius * 0.86))
        }
        ForEach(0..<players.count, id: \.self) { player in
          // Pawns that share a section stand one behind the other.
          Text(players[player].name.prefix(1).uppercased())
            .bold()
            .padding(8)
            .background(Self.colors[player % Self.colors.count], in: Circle())
            .position(
              place(
                players[player].section, center: center,
                radius: radius * (0.68 - 0.16 * CGFloat(player))))
        }
      }
    }
    .aspectRatio(1, contentMode: .fit)
    .accessibilityElement(children: .ignore)
    .accessibilityLabel(description)
  }

  /// What VoiceOver says of the board.
  private var description: String {
    let places = players.enumerated().map { index, player in
      "\(player.name) is on \(player.section)" + (index == turn ? " and plays" : "")
    }
    return "Board of \(board.sectionCount) sections, the target is \(board.target). "
      + places.joined(separator: ", ") + "."
  }

  private func color(of section: Int) -> Color {
    Color(hue: Double(section) / Double(board.sectionCount), saturation: 0.25, brightness: 0.97)
  }

  /// The middle of a section in degrees: 0 is to the right, angles grow clockwise as y runs down.
  private func degrees(_ section: Int) -> Double {
    Double(section - 1) * 360 / Double(board.sectionCount) - 90
  }

  private func place(_ section: Int, center: CGPoint, radius: CGFloat) -> CGPoint {
    let angle = CGFloat(degrees(section)) * .pi / 180
    return CGPoint(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
  }

  private func wedge(_ section: Int, center: CGPoint, radius: CGFloat) -> Path {
    let half = 180 / Double(board.sectionCount) - 0.6
    let from = Angle.degrees(degrees(section) - half)
    let to = Angle.degrees(degrees(section) + half)
    return Path { path in
      // In a coordinate system whose y runs down, SwiftUI's "clockwise" is the other way round.
      path.addArc(
        center: center, radius: radius, startAngle: from, endAngle: to, clockwise: false)
      path.addArc(
        center: center, radius: radius * 0.45, startAngle: to, endAngle: from, clockwise: true)
      path.closeSubpath()
    }
  }
}

import SwiftUI

/// Takes strokes of a finger, and draws them as thick as children's pens are.
struct DrawingPad: View {
  let model: TableModel
  @State private var current: [CGPoint] = []

  var body: some View {
    ZStack {
      RoundedRectangle(cornerRadius: 16)
        .stroke(Color.gray, lineWidth: 2)
      ink
        .stroke(Color.primary, style: StrokeStyle(lineWidth: 10, lineCap: .round, lineJoin: .round))
    }
    .contentShape(RoundedRectangle(cornerRadius: 16))
    .gesture(
      DragGesture(minimumDistance: 0)
        .onChanged { value in
          model.isDrawing = true
          current.append(value.location)
        }
        .onEnded { value in
          let stroke = current + [value.location]
          model.isDrawing = false
          current = []
          model.add(stroke)
        }
    )
    .accessibilityLabel("Writing pad")
  }

  private var ink: Path {
    Path { path in
      for stroke in model.strokes + [current] where !stroke.isEmpty {
        path.move(to: stroke[0])
        // A dot is a line to where it began.
        for point in stroke { path.addLine(to: point) }
      }
    }
  }
}

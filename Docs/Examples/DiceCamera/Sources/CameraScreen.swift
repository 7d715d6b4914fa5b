import DiceVisionKit
import SwiftUI

/// The camera's picture, a frame around each die, and the latest roll.
struct CameraScreen: View {
  @State private var model = RollModel()

  var body: some View {
    ZStack(alignment: .bottom) {
      CameraPreview(session: model.camera.session)
        .ignoresSafeArea()
        .accessibilityHidden(true)
      GeometryReader { geometry in
        DiceOverlay(reading: model.reading, size: geometry.size)
      }
      .ignoresSafeArea()
      .accessibilityHidden(true)
      // Fonts with a name grow with the reader's text size; the text may take more lines.
      Text(model.message)
        .font(.title)
        .multilineTextAlignment(.center)
        .padding()
        .background(.regularMaterial, in: RoundedRectangle(cornerRadius: 16))
        .padding()
        .accessibilityAddTraits(.updatesFrequently)
    }
    .task { await model.run() }
  }
}

/// A frame around each die: green where it lies still, yellow where it moves.
struct DiceOverlay: View {
  let reading: CameraReading
  let size: CGSize

  var body: some View {
    // As the preview does: the picture fills the view, and what is too much is cut off.
    if let view = ViewTransform(
      imageWidth: reading.width, imageHeight: reading.height, viewSize: size,
      contentMode: .aspectFill)
    {
      ForEach(reading.dice) { die in
        let frame = CGRect(view.map(die.boundingBox))
        RoundedRectangle(cornerRadius: 6)
          .stroke(die.isStill ? Color.green : Color.yellow, lineWidth: 3)
          .frame(width: frame.width, height: frame.height)
          .position(x: frame.midX, y: frame.midY)
      }
    }
  }
}

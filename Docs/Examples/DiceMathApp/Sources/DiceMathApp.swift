// An app for two: roll two dice before the camera, write their sum or difference with a finger, and race to
// section 9.

import SwiftUI

@main
struct DiceMathApp: App {
  @State private var model = try? TableModel(players: ["Ann", "Ben"])

  var body: some Scene {
    WindowGroup {
      if let model {
        TableScreen(model: model)
      } else {
        Text("The game cannot begin.")
      }
    }
  }
}

// An app that watches a table through the camera, frames the dice and says what was rolled.

import SwiftUI

@main
struct DiceCameraApp: App {
  var body: some Scene {
    WindowGroup { CameraScreen() }
  }
}

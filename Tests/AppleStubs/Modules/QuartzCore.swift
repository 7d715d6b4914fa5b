// swift-format-ignore-file
// Stands in for Core Animation.

@_exported public import CoreGraphics
@_exported public import Foundation

@MainActor
open class CALayer: NSObject {
  open var frame = CGRect.zero
  open var bounds = CGRect.zero

  nonisolated public override init() {}

  open func addSublayer(_ layer: CALayer) {}
}

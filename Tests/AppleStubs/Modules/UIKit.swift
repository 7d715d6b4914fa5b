// swift-format-ignore-file
// Stands in for UIKit.

@_exported public import CoreGraphics
@_exported public import Foundation
@_exported public import QuartzCore

@MainActor
open class UIView: NSObject {
  open class var layerClass: AnyClass { CALayer.self }
  open var layer = CALayer()
  open var bounds = CGRect.zero

  public init(frame: CGRect) {}
  public convenience override init() { self.init(frame: .zero) }
}

public enum UIKeyboardType: Int, Sendable { case `default`, numberPad = 4 }

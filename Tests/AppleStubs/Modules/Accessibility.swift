// swift-format-ignore-file
// Stands in for Accessibility.

@_exported public import Foundation

public enum AccessibilityNotification {
  public struct Announcement {
    public init(_ announcement: String) {}

    public func post() {}
  }
}

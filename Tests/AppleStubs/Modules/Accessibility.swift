// swift-format-ignore-file: names and comments are those of the SDKs
// Stands in for Accessibility.

@_exported public import Foundation

public enum AccessibilityNotification {
  public struct Announcement {
    public init(_ announcement: String) {}

    public func post() {}
  }
}

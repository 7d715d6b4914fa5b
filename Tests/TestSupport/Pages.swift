import Foundation

/// Whether a page has no script, no address but data, and ends.
public func isInert(_ page: String) -> Bool {
  let lower = page.lowercased()
  let addresses =
    lower.split(separator: "href=\"").dropFirst()
    + lower.split(separator: "src=\"").dropFirst()
  return !lower.contains("<script") && !lower.contains("javascript:") && !lower.contains("url(")
    && !lower.contains("@import")
    && addresses.allSatisfy { $0.hasPrefix("data:image/") || $0.hasPrefix("#") }
    && lower.hasPrefix("<!doctype html>") && lower.hasSuffix("</html>\n")
}

// swift-format-ignore-file
// Stands in for SwiftUI: as much of it as the examples use.

@_exported public import CoreGraphics
@_exported public import Observation
@_exported public import UIKit

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

@MainActor @preconcurrency
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  public var body: Never { fatalError() }
}

public struct EmptyView: PrimitiveView {
  nonisolated public init() {}
}

public struct TupleView<Content>: PrimitiveView {
  nonisolated init() {}
}

extension Optional: View where Wrapped: View {
  public var body: Never { fatalError() }
}

extension Optional: PrimitiveView where Wrapped: View {}

public struct ConditionalContent<First: View, Second: View>: PrimitiveView {
  nonisolated init() {}
}

@resultBuilder
public struct ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> { TupleView() }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> ConditionalContent<First, Second> { ConditionalContent() }
  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> ConditionalContent<First, Second> { ConditionalContent() }
}

@MainActor @preconcurrency
public protocol Scene {}

@resultBuilder
public struct SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  public static func main() {}
}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
}

@propertyWrapper
public struct State<Value> {
  private final class Box {
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  private let box: Box

  public init(wrappedValue: Value) { box = Box(wrappedValue) }

  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }

  public var projectedValue: Binding<Value> { Binding(from: ()) }
}

@propertyWrapper
public struct Binding<Value> {
  init(from _: Void) {}

  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
}

public struct Alignment: Sendable {
  public static let center = Alignment()
  public static let bottom = Alignment()
  public static let topLeading = Alignment()
}

public struct HorizontalAlignment: Sendable {
  public static let center = HorizontalAlignment()
}

public struct VerticalAlignment: Sendable {
  public static let center = VerticalAlignment()
}

public struct VStack<Content: View>: PrimitiveView {
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {}
}

public struct HStack<Content: View>: PrimitiveView {
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {}
}

public struct Button<Label: View>: PrimitiveView {}

extension Button where Label == Text {
  public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
}

public struct TextField<Label: View>: PrimitiveView {}

extension TextField where Label == Text {
  public init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
}

public struct ZStack<Content: View>: PrimitiveView {
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {}

extension ForEach where ID == Data.Element.ID, Data.Element: Identifiable {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

extension ForEach where Content: View {
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {}
}

public struct GeometryProxy {
  public var size: CGSize
}

public struct GeometryReader<Content: View>: PrimitiveView {
  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {}
}

public struct Text: PrimitiveView {
  public init(_ content: String) {}

  public func bold() -> Text { self }
}

public protocol ShapeStyle: Sendable {}

public struct Color: ShapeStyle, PrimitiveView {
  public static let yellow = Color()
  public static let green = Color()
  public static let red = Color()
  public static let blue = Color()
  public static let orange = Color()
  public static let gray = Color()
  public static let primary = Color()

  nonisolated public init() {}
  nonisolated public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {}
}

extension ShapeStyle where Self == Color {
  public static var yellow: Color { Color() }
  public static var green: Color { Color() }
}

public struct Material: ShapeStyle {}

extension ShapeStyle where Self == Material {
  public static var regularMaterial: Material { Material() }
}

@MainActor @preconcurrency
public protocol Shape: View {}

public struct RoundedRectangle: Shape, PrimitiveView {
  public init(cornerRadius: CGFloat) {}
}

public struct Capsule: Shape, PrimitiveView {
  public init() {}
}

public struct Circle: Shape, PrimitiveView {
  public init() {}
}

public struct Angle: Sendable {
  public static func degrees(_ degrees: Double) -> Angle { Angle() }
}

public struct StrokeStyle: Sendable {
  public init(lineWidth: CGFloat = 1, lineCap: CGLineCap = .butt, lineJoin: CGLineJoin = .miter) {}
}

public struct Path: Shape, PrimitiveView {
  nonisolated public init(_ callback: (inout Path) -> Void) {}

  nonisolated public mutating func move(to end: CGPoint) {}
  nonisolated public mutating func addLine(to end: CGPoint) {}
  nonisolated public mutating func addArc(
    center: CGPoint, radius: CGFloat, startAngle: Angle, endAngle: Angle, clockwise: Bool
  ) {}
  nonisolated public mutating func closeSubpath() {}
}

@MainActor @preconcurrency
public protocol Gesture<Value> {
  associatedtype Value
}

public struct ChangedGesture<Value>: Gesture {
  init() {}
}

extension Gesture {
  public func onChanged(_ action: @escaping (Value) -> Void) -> ChangedGesture<Value> {
    ChangedGesture()
  }
  public func onEnded(_ action: @escaping (Value) -> Void) -> ChangedGesture<Value> {
    ChangedGesture()
  }
}

public struct DragGesture: Gesture {
  public struct Value: Sendable {
    public var location: CGPoint
  }

  public init(minimumDistance: CGFloat = 10) {}
}

public enum ContentMode: Sendable { case fit, fill }

public struct AccessibilityChildBehavior: Sendable {
  public static let ignore = AccessibilityChildBehavior()
}

extension Shape {
  public func fill<Style: ShapeStyle>(_ content: Style) -> some View { EmptyView() }
  public func stroke<Style: ShapeStyle>(_ content: Style, style: StrokeStyle) -> some View {
    EmptyView()
  }
  public func stroke<Style: ShapeStyle>(_ content: Style, lineWidth: CGFloat = 1) -> some View {
    EmptyView()
  }
}

public struct Font: Sendable {
  public static let title = Font()
  public static let headline = Font()
}

public struct Edge {
  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8

    public init(rawValue: Int8) { self.rawValue = rawValue }

    public static let all = Set(rawValue: 15)
    public static let bottom = Set(rawValue: 4)
  }
}

public struct AccessibilityTraits: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let updatesFrequently = AccessibilityTraits(rawValue: 1)
}

extension View {
  public func padding(_ length: CGFloat? = nil) -> some View { self }
  public func padding(_ edges: Edge.Set, _ length: CGFloat? = nil) -> some View { self }
  public func font(_ font: Font?) -> some View { self }
  public func background<S: ShapeStyle, T: Shape>(_ style: S, in shape: T) -> some View { self }
  public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { self }
  public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }
  public func position(_ position: CGPoint) -> some View { self }
  public func aspectRatio(_ ratio: CGFloat? = nil, contentMode: ContentMode) -> some View { self }
  public func clipShape<S: Shape>(_ shape: S) -> some View { self }
  public func contentShape<S: Shape>(_ shape: S) -> some View { self }
  public func gesture<T: Gesture>(_ gesture: T) -> some View { self }
  public func keyboardType(_ type: UIKeyboardType) -> some View { self }
  public func accessibilityElement(children: AccessibilityChildBehavior) -> some View { self }
  public func ignoresSafeArea() -> some View { self }
  public func accessibilityHidden(_ hidden: Bool) -> some View { self }
  public func accessibilityLabel(_ label: String) -> some View { self }
  public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }
  public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { self }
  public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
}

public enum TextAlignment: Sendable { case leading, center, trailing }

@MainActor @preconcurrency
public protocol UIViewRepresentable: View where Body == Never {
  associatedtype UIViewType: UIView
  func makeUIView(context: Context) -> UIViewType
  func updateUIView(_ uiView: UIViewType, context: Context)
  typealias Context = UIViewRepresentableContext<Self>
}

extension UIViewRepresentable {
  public var body: Never { fatalError() }
}

@MainActor
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {}

#if canImport(CoreGraphics)
  public import CoreGraphics

  extension CGRect {
    /// The same four numbers, in the same coordinates.
    public init(_ box: BoundingBox) {
      self.init(x: box.x, y: box.y, width: box.width, height: box.height)
    }

    /// The same four numbers: shares of the sides, from the lower left as in Vision.
    public init(_ rect: NormalizedRect) {
      self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    }
  }

  extension CGPoint {
    /// The same two numbers, in the same coordinates.
    public init(_ point: PixelPoint) {
      self.init(x: point.x, y: point.y)
    }
  }

  extension BoundingBox {
    /// The same rectangle, in the same coordinates; its sizes are not negative.
    public init(_ rect: CGRect) {
      self.init(
        x: Double(rect.minX), y: Double(rect.minY), width: Double(rect.width),
        height: Double(rect.height))
    }
  }

  extension NormalizedRect {
    /// The same rectangle: shares of the sides, from the lower left as in Vision.
    public init(_ rect: CGRect) {
      self.init(
        x: Double(rect.minX), y: Double(rect.minY), width: Double(rect.width),
        height: Double(rect.height))
    }
  }

  extension PixelPoint {
    /// The same two numbers, in the same coordinates.
    public init(_ point: CGPoint) {
      self.init(x: Double(point.x), y: Double(point.y))
    }
  }

  extension DetectionResult {
    /// The map from the boxes of this result to a view that shows the picture.
    ///
    ///     let view = result.viewTransform(viewSize: size, contentMode: .aspectFill)
    ///     let frame = view.map { CGRect($0.map(die.boundingBox)) }
    ///
    /// - Returns: Nil where a side of the view is not positive and finite.
    public func viewTransform(
      viewSize: CGSize, contentMode: ViewTransform.ContentMode = .aspectFit,
      origin: CoordinateOrigin = .upperLeft, isMirrored: Bool = false
    ) -> ViewTransform? {
      viewTransform(
        viewWidth: Double(viewSize.width), viewHeight: Double(viewSize.height),
        contentMode: contentMode, origin: origin, isMirrored: isMirrored)
    }
  }

  extension ViewTransform {
    /// The map for a picture and a view, as
    /// ``init(imageWidth:imageHeight:viewWidth:viewHeight:contentMode:origin:isMirrored:)``.
    public init?(
      imageWidth: Int, imageHeight: Int, viewSize: CGSize, contentMode: ContentMode = .aspectFit,
      origin: CoordinateOrigin = .upperLeft, isMirrored: Bool = false
    ) {
      self.init(
        imageWidth: imageWidth, imageHeight: imageHeight, viewWidth: Double(viewSize.width),
        viewHeight: Double(viewSize.height), contentMode: contentMode, origin: origin,
        isMirrored: isMirrored)
    }
  }
#endif

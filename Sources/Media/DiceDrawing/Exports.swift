// What is drawn and on what, so that a program that imports this module alone can name it.

@_exported public import struct DiceGeometry.BoundingBox
@_exported public import struct DiceGeometry.DieStance
@_exported public import struct DiceGeometry.PixelPoint
@_exported public import struct DiceGeometry.Quadrilateral
@_exported public import struct DiceImaging.PixelColor
@_exported public import struct DiceImaging.PixelImage

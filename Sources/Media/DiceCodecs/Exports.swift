// What the decoders take and give, so that a program that imports this module alone can name it.

@_exported public import enum DiceGeometry.ImageOrientation
@_exported public import struct DiceImaging.PixelImage
@_exported public import struct DiceImaging.RawFrame
@_exported public import struct DiceImaging.StoredFrame
@_exported public import struct DiceImaging.YCbCrEncoding

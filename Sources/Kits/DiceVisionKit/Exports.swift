// What a caller of the detector and of `RollFollower` meets in parameters, results and errors, by name.
// `Tests/PublicSurface/PublicNames.md` lists all public names of `import DiceVisionKit`;
// `bash Tests/PublicSurface/run` compares. Codecs and drawing are products of their own: `DiceCodecs`,
// `DiceDrawing`.

@_exported public import struct DiceCodecs.DecodingLimits
@_exported public import enum DiceCodecs.ImageDecodingError
@_exported public import struct DiceCodecs.VideoFrame
@_exported public import enum DiceFiles.FileError
@_exported public import enum DiceFiles.FileOperation
@_exported public import enum DiceDetection.GridBoxError
@_exported public import struct DiceGeometry.BoundingBox
@_exported public import enum DiceGeometry.CoordinateOrigin
@_exported public import enum DiceGeometry.CropAndScale
@_exported public import enum DiceGeometry.DeviceOrientation
@_exported public import enum DiceGeometry.GeometryError
@_exported public import enum DiceGeometry.ImageOrientation
@_exported public import struct DiceGeometry.ImageTransform
@_exported public import struct DiceGeometry.NonMaximumSuppression
@_exported public import struct DiceGeometry.NormalizedPoint
@_exported public import struct DiceGeometry.NormalizedRect
@_exported public import struct DiceGeometry.DieStance
@_exported public import struct DiceGeometry.PixelPoint
@_exported public import struct DiceGeometry.PlayingField
@_exported public import enum DiceGeometry.PlayingFieldError
@_exported public import struct DiceGeometry.Quadrilateral
@_exported public import struct DiceGeometry.ViewTransform
@_exported public import enum DiceImaging.FrameError
@_exported public import struct DiceImaging.PixelColor
@_exported public import struct DiceImaging.PixelImage
@_exported public import struct DiceImaging.RawFrame
@_exported public import struct DiceImaging.StoredFrame
@_exported public import struct DiceImaging.YCbCrEncoding
@_exported public import enum DiceNetwork.NetworkError
@_exported public import struct DiceRegistration.CameraMotion
@_exported public import struct DiceRegistration.ImageRegistration
@_exported public import enum DiceRegistration.ImageRegistrationError
@_exported public import struct DiceRegistration.SceneStability
@_exported public import struct DiceRolls.ConsecutiveFrameRule
@_exported public import struct DiceRolls.DiceGroup
@_exported public import enum DiceRolls.DieKind
@_exported public import struct DiceRolls.FieldPlace
@_exported public import struct DiceRolls.Roll
@_exported public import struct DiceRolls.RollTracker
@_exported public import struct DiceRolls.TrackedDie
@_exported public import enum DiceRolls.TrackerStateError
@_exported public import struct DiceRolls.ValueProbability
@_exported public import struct DiceWeights.WeightFile
@_exported public import enum DiceWeights.WeightFileError

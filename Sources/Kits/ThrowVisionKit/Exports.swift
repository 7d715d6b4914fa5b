// What a caller of this kit meets in parameters, results and errors, by name.

// Pictures and places in them.
@_exported public import struct DiceGeometry.BoundingBox
@_exported public import enum DiceGeometry.CoordinateOrigin
@_exported public import enum DiceGeometry.GeometryError
@_exported public import enum DiceGeometry.ImageOrientation
@_exported public import struct DiceGeometry.NormalizedPoint
@_exported public import struct DiceGeometry.NormalizedRect
@_exported public import struct DiceGeometry.PixelPoint
@_exported public import enum DiceImaging.FrameError
@_exported public import struct DiceImaging.PixelColor
@_exported public import struct DiceImaging.PixelImage
@_exported public import struct DiceImaging.RawFrame
@_exported public import struct DiceImaging.StoredFrame
@_exported public import struct DiceImaging.YCbCrEncoding

// Planes.
@_exported public import struct DiceGeometry.AffineMap
@_exported public import struct DiceGeometry.CameraPose
@_exported public import struct DiceGeometry.Homography
@_exported public import enum DiceGeometry.HomographyError
@_exported public import struct DiceGeometry.PointCorrespondence
@_exported public import struct DiceGeometry.Quadrilateral

// Contours.
@_exported public import enum DiceFields.Binarization
@_exported public import struct DiceFields.Binarizer
@_exported public import struct DiceFields.BinaryImage
@_exported public import struct DiceFields.Circle
@_exported public import struct DiceFields.ConnectedComponents
@_exported public import struct DiceFields.Contour
@_exported public import struct DiceFields.ContourDetector
@_exported public import enum DiceFields.ContourError
@_exported public import struct DiceFields.ContourPoint
@_exported public import struct DiceFields.ContourTracer
@_exported public import struct DiceFields.ContourTree
@_exported public import struct DiceFields.Ellipse
@_exported public import struct DiceFields.GrayImage
@_exported public import struct DiceFields.Polygon
@_exported public import struct DiceFields.PolygonApproximator
@_exported public import struct DiceFields.PolygonMoments
@_exported public import struct DiceFields.RotatedRectangle
@_exported public import enum DiceFields.ShapeFittingError

// Flight.
@_exported public import struct DiceTrajectories.FlightMeasurement
@_exported public import struct DiceTrajectories.Trajectory
@_exported public import struct DiceTrajectories.TrajectoryDetector
@_exported public import enum DiceTrajectories.TrajectoryError

// Poses.
@_exported public import struct DicePoses.DetectedPerson
@_exported public import enum DicePoses.Joint
@_exported public import struct DicePoses.Pose
@_exported public import enum DicePoses.PoseHeadError
@_exported public import struct DicePoses.PoseSequence
@_exported public import enum DicePoses.PoseSequenceError
@_exported public import struct DicePoses.PoseTracker
@_exported public import enum DicePoses.PoseTrackerError
@_exported public import struct DicePoses.TimedPose

// The scene.
@_exported public import enum DiceRegistration.ImageRegistrationError

// Fields of play.
@_exported public import struct DiceFields.Field
@_exported public import struct DiceFields.FieldDetector
@_exported public import enum DiceFields.FieldError
@_exported public import struct DiceFields.FieldPlane
@_exported public import struct DiceFields.FieldTracker

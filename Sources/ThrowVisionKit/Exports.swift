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
@_exported public import enum DiceContours.Binarization
@_exported public import struct DiceContours.Binarizer
@_exported public import struct DiceContours.BinaryImage
@_exported public import struct DiceContours.Circle
@_exported public import struct DiceContours.ConnectedComponents
@_exported public import struct DiceContours.Contour
@_exported public import struct DiceContours.ContourDetector
@_exported public import enum DiceContours.ContourError
@_exported public import struct DiceContours.ContourPoint
@_exported public import struct DiceContours.ContourTracer
@_exported public import struct DiceContours.ContourTree
@_exported public import struct DiceContours.Ellipse
@_exported public import struct DiceContours.GrayImage
@_exported public import struct DiceContours.Polygon
@_exported public import struct DiceContours.PolygonApproximator
@_exported public import struct DiceContours.PolygonMoments
@_exported public import struct DiceContours.RotatedRectangle
@_exported public import enum DiceContours.ShapeFittingError

// Flight.
@_exported public import struct DiceTrajectories.FlightMeasurement
@_exported public import struct DiceTrajectories.Trajectory
@_exported public import struct DiceTrajectories.TrajectoryDetector
@_exported public import enum DiceTrajectories.TrajectoryError

// Poses.
@_exported public import struct DicePoses.DetectedPerson
@_exported public import enum DicePoses.Joint
@_exported public import struct DicePoses.Pose
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

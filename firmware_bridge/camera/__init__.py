"""Uses a webcam as a board (beta): reads the squares from images of a board in a printed frame.

`marker_frame` defines the geometry of the frame, and `frame_pdf` prints it. For each camera image,
`pose` locates the frame, `ground_view` rectifies the image, `arm_gate` decides whether something
crosses the frame, and `square_reader` reads the squares using the colours that `colour_model` has
learned. `observer` combines these steps, `sources` supplies the images, and `camera_port` speaks
the wire protocol.

Only the modules that handle pixels import OpenCV and NumPy, which the extra ``camera`` installs.
"""

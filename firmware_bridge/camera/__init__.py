"""Uses a webcam as a board (beta): turns pictures of a board in a printed frame into images.

`marker_frame` defines the geometry of the frame, and `frame_pdf` prints it. For each picture,
`pose` locates the frame, `ground_view` rectifies the picture, `arm_gate` decides whether something
crosses the frame, and `square_reader` reads the squares using the colours that `colour_model` has
learned. `observer` combines these steps, `sources` supplies pictures, and `camera_port` speaks the
wire protocol.

Only the modules that handle pixels import OpenCV and NumPy, which the extra ``camera`` installs.
"""

"""Web sites of this program: one security layer and one server for the pads and the hall.

Each site has a `SitePolicy`. `security` refuses requests, limits their bodies and sets the headers
of all responses; `server` limits connections.
"""

"""Web sites of this program: one security layer and one server for both pads and hall.

Each site has a `SitePolicy`. `security` refuses invalid requests, limits request bodies and sets
the headers of all responses. `server` limits connections.
"""

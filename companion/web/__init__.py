"""Security layer and web server, shared by the sites for pads and hall.

Each site has a `SitePolicy`. `security` rejects invalid requests, limits request bodies and sets
the headers of all responses. `server` limits connections.
"""

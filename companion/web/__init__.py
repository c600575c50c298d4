"""Security layer and web server, shared by the sites of the pads and the hall.

Each site has a `SitePolicy`. `security` rejects invalid requests, limits request bodies and sets
the headers of all responses. `server` limits connections.
"""

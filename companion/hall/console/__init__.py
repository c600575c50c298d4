"""The arbiters' console: the hall's web pages.

`console` defines the routes and the limits of the site; `arbiters` manages sign-in and parses an
arbiter's decisions; `pages` renders the content, and `sse` keeps it up to date. Pages contain no
inline script or style, so an injected one would not run.
"""

"""The arbiters' console: the web pages of the hall.

`console` defines the routes and the limits of the site; `sign_in` manages the arbiters' sessions;
`arbiters` parses an arbiter's decisions; `pages` renders the content, and `sse` keeps it up to
date. Pages contain no inline scripts or styles, so injected ones would not run.
"""

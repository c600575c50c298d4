"""The arbiters' console: the web pages of the hall.

`console` defines the site's routes and limits. `sign_in` checks the arbiters' codes and manages
their sessions. `arbiters` parses an arbiter's decisions. `pages` renders the content, and `sse`
keeps it up to date. Pages contain no inline scripts or styles, so browsers can refuse to run
injected ones.
"""

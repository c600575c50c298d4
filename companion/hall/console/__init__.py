"""The arbiters' console: the web pages of the hall.

`console` defines the routes and the limits of the site; `sign_in` checks the arbiters' codes and
stores who is signed in; `arbiters` parses an arbiter's decisions; `pages` renders the content, and
`sse` keeps it up to date. Pages contain no inline scripts or styles, so injected ones would not
run.
"""

"""The arbiters' console: the hall's web pages.

`console` defines the routes; `guard` is the security middleware in front of them; `arbiters`
manages sign-in; `overview` and `table_page` render the content, `stream` keeps it up to date, and
`form` and `acts` parse an arbiter's decisions. Pages contain no inline script or style, so an
injected one would not run.
"""

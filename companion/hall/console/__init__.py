"""The arbiters' console: pages of the hall, as a browser shows them.

`console` puts the pages together; `guard` stands before them all; `arbiters` knows who has signed
in; `overview` and `table_page` write what is seen, `stream` keeps it as it is now, and `form` and
`acts` take what an arbiter decides. No script or style stands in a page, so none that came into it
would run.
"""

"""Every reader with arbitrary input: no crash, at most two seconds and 200 MB."""

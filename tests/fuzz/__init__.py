"""Whatever can be read, with whatever can be in it: no crash, two seconds and 200 MB at most."""

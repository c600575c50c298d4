"""A board on the workbench: what watching it shows, and what is wrong."""

"""What opens what: behind each button that leads elsewhere stands one of these doors."""

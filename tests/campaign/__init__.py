"""Campaign of games with simulated hand movements: its runs, limits and report."""

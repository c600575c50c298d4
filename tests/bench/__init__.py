"""Engine and table benchmarks, compared with a plain implementation."""

"""What a maker builds, and what runs its firmware without a maker."""

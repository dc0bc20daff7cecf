"""What all parts need: errors and the version."""

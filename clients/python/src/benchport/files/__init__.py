"""Files of a measurement."""

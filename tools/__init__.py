"""Scripts for whoever works on Palabre."""

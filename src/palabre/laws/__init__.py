"""The laws that every game obeys, and that everything else relies on: what `palabre check` checks."""

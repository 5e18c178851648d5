"""What untrusted bots run in."""

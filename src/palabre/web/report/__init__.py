"""Reports of events: pages for everyone, pages for each author, and tables for other programs."""

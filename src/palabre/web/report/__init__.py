"""Reports of events: pages for everybody, pages for each author, and tables for other programs."""

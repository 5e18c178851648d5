"""The board in the browser: a server, and the page that it serves."""

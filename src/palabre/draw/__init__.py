"""Any board in the terminal and as a picture, from the facts in a game's `view.py`."""

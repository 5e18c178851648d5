"""A sandbox for untrusted bots: bubblewrap around them, and a supervisor of ours as process 1 inside.

Outside stand `proxy.py` (the bot as the referee sees it), `bubblewrap.py` and `seccomp.py` (the walls). Inside stand
`supervisor.py` and `processes.py` (who runs, how much it uses) and `warm.py` (what runs the bot's code). What both
sides report is in `play/failures.py`. `installation.py` finds out which limits bind here. See docs/sandbox.md.
"""

"""What some tests of the arena need of the machine."""

import pytest

needs_sandbox = pytest.mark.usefixtures("sandboxes")

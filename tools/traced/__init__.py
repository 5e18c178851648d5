"""The folder that a traced process searches for its `sitecustomize`."""

"""Events and self-play on the machines of a Ray cluster; the documents say how: docs/cluster.md."""

"""What Palabre's speed is measured against: other systems (`peers`) and plain C (`floor`)."""

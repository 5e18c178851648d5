"""Measurements of Palabre: speed beside other systems and C, strength in matches, the bench signature."""

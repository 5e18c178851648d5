"""What a position is worth: evaluations by name, weights as data.

An evaluation is a NamedTuple of weights and a `@rule evaluate` for its class. A search is generic over it: the class
decides at compile time which formula is inlined. Other weights of the same class need no new compilation.
"""

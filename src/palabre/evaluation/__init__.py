"""What a position is worth: one file per game, evaluations by name, weights as data.

An evaluation is a NamedTuple of weights and a `@rule evaluate` for its class. Searches are generic over it: the class
decides, at compile time, which formula is inlined; changing the numbers in it compiles nothing anew.
"""

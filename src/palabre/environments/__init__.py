"""Games as environments for other people's programs: arrays, vectors of boards, and adapters to other libraries."""

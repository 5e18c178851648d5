"""The claims of five course projects, tested again; each page in docs/experiments is one of these studies.

    python -m studies           the studies, how long they take, and how far they have come
    python -m studies NAME      run one, or go on with it, and write its page

They use Palabre as any researcher does: `palabre`, `palabre.study` and `palabre.author`. A test reads their imports.
"""

"""Workers: the only place that starts processes to do work. It knows no task; each layer brings its own."""

"""The corridor: the smallest complete world, in which walkers ring bells. An example to copy."""

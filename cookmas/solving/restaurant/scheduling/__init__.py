"""Scheduling: the components that the open order lines want in, an action for each worker and
timestep out.

Words of this package:

| word | meaning |
|---|---|
| stage | one stay of food in a slot of a station (`cookmas.kitchen.stages`) |
| gathering stage | a stage at which tasks end: it takes several foods, has begun, or is a counter |
| full stage | a gathering stage in which all its foods are |
| vessel | a pot or pan; it is running while food cooks in it |
| task | work on one food, up to the next gathering stage or the pass |
| mode | one way to do a task, with all its times; a draft is a mode under construction |
| block | a span of timesteps in which one worker is busy without a break |
| bit | each task has its own in an integer; a set of tasks is a sum of bits |
| level | the use of one unit of a resource, as an integer whose bits are timesteps (`profile`) |
| state | a partial schedule (`states`), or the present state of the kitchen |
| handling | how work in progress is treated, such as put by on a counter, or given up |
| holder | a station or worker that has a thing |
| product | what a worker takes out during a schedule, with all that was put in for it |
"""

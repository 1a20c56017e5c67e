"""One query to Storm through its Python wheel: storm.py MODEL PROPERTY CONSTANTS, by methods that Storm calls sound.

Prints one JSON document: {"version", "value", "states", "peakMemoryBytes"}. The wheel's interface changed with version 2.
"""

import json
import resource
import sys

import stormpy

model_file, property_text, constants = sys.argv[1:4]
program = stormpy.parse_prism_program(model_file)

if hasattr(stormpy, "instantiate_constants"):
    properties = stormpy.parse_properties(property_text, program)
    program, properties = stormpy.instantiate_constants(program, constants, properties)
    model = stormpy.build_model(program, properties)
    result = stormpy.model_checking(
        model,
        properties[0],
        only_initial_states=True,
        environment=stormpy.environments.sound(),
    )
    value = result.get_value(next(iter(model.initial_states)))
else:
    properties = stormpy.parse_properties_for_prism_program(property_text, program)
    description, properties = stormpy.preprocess_symbolic_input(
        program, properties, constants
    )
    model = stormpy.build_sparse_model(description.as_prism_program(), properties)
    environment = stormpy.Environment()
    environment.solver_environment.set_force_sound(True)
    result = stormpy.model_checking(
        model, properties[0], only_initial_states=True, environment=environment
    )
    value = result.at(model.initial_states[0])

print(
    json.dumps(
        {
            "version": stormpy.__version__,
            "value": bool(value) if isinstance(value, bool) else float(value),
            "states": model.nr_states if hasattr(model, "nr_states") else model.num_states,
            "peakMemoryBytes": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        }
    )
)

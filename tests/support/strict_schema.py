# SPDX-License-Identifier: Apache-2.0
"""A published schema made strict, so that nothing a report says goes undocumented."""


def close_objects(schema):
    """Forbids keys that the schema does not name, everywhere; returns it."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema["additionalProperties"] = False
        for value in schema.values():
            close_objects(value)
    elif isinstance(schema, list):
        for value in schema:
            close_objects(value)
    return schema

# SPDX-License-Identifier: MIT
"""As much of JSON Schema as docs/result.schema.json and tests/platforms use, for machines without
python3-jsonschema.

A keyword that it does not know is an error: otherwise parts of the schema would not be checked.
"""

import re
from typing import Any

_TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "null": lambda v: v is None,
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
}
_KNOWN = {
    *("$schema", "$defs", "$ref", "title", "description"),
    *("type", "enum", "const", "pattern", "minimum", "maximum", "exclusiveMinimum", "items"),
    *("minLength", "minItems"),
    *("properties", "required", "additionalProperties", "dependentRequired"),
}


def problems(value: Any, schema: dict, root: dict | None = None, at: str = "$") -> list[str]:
    """One sentence for each way in which `value` is not what `schema` says."""
    root = root or schema
    if unknown := set(schema) - _KNOWN:
        raise NotImplementedError(f"schema keywords {sorted(unknown)} at {at}")
    found: list[str] = []
    if "$ref" in schema:
        found += problems(value, _resolve(root, schema["$ref"]), root, at)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_TYPES[name](value) for name in types):
        return [*found, f"{at} is not a {' or '.join(types)}: {value!r}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at} is {value!r}, which is not in the list")
    if "const" in schema and value != schema["const"]:
        found.append(f"{at} is {value!r} instead of {schema['const']!r}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        found.append(f"{at} is {value!r}, which does not match {schema['pattern']}")
    if "minimum" in schema and value < schema["minimum"]:
        found.append(f"{at} is {value}, below {schema['minimum']}")
    if "maximum" in schema and value > schema["maximum"]:
        found.append(f"{at} is {value}, above {schema['maximum']}")
    if isinstance(value, str) and len(value) < schema.get("minLength", 0):
        found.append(f"{at} is too short: {value!r}")
    if isinstance(value, list) and len(value) < schema.get("minItems", 0):
        found.append(f"{at} has {len(value)} items")
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        found.append(f"{at} is {value}, not above {schema['exclusiveMinimum']}")
    if isinstance(value, dict):
        found += _object_problems(value, schema, root, at)
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            found += problems(item, schema["items"], root, f"{at}[{index}]")
    return found


def _object_problems(value: dict, schema: dict, root: dict, at: str) -> list[str]:
    properties = schema.get("properties", {})
    found = [f"{at}.{name} is missing" for name in schema.get("required", []) if name not in value]
    for name, needed in schema.get("dependentRequired", {}).items():
        if name in value:
            found += [f"{at}.{other} is missing" for other in needed if other not in value]
    for name, member in value.items():
        if name in properties:
            found += problems(member, properties[name], root, f"{at}.{name}")
        elif isinstance(others := schema.get("additionalProperties", True), dict):
            found += problems(member, others, root, f"{at}.{name}")
        elif others is False:
            found.append(f"{at}.{name} is not in the schema")
    return found


def _resolve(root: dict, reference: str) -> dict:
    node = root
    for part in reference.removeprefix("#/").split("/"):
        node = node[part]
    return node

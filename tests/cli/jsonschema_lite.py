# SPDX-License-Identifier: GPL-2.0-or-later
"""A judge for the keywords of JSON Schema (2020-12) that schema/ uses, with the standard
library alone. A keyword it does not know is a fault, so that none is silently ignored."""

import math
import re

_TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: isinstance(v, int)
    and not isinstance(v, bool)
    or isinstance(v, float)
    and v.is_integer(),
}

_SILENT = {"$schema", "$id", "$defs", "$comment", "title", "description", "examples", "default"}


def _equal(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


class _Judge:
    def __init__(self, root):
        self.root = root

    def find(self, ref):
        node = self.root
        for step in ref.removeprefix("#").split("/")[1:]:
            node = node[step.replace("~1", "/").replace("~0", "~")]
        return node

    def faults(self, value, schema, at):
        if schema is True:
            return []
        if schema is False:
            return [f"{at}: must not be here"]
        found = []
        for word, rule in schema.items():
            if word in _SILENT or word in ("then", "else"):
                continue
            check = getattr(self, "on_" + word.strip("$"), None)
            if check is None:
                found.append(f"{at}: keyword {word} is not known")
            else:
                found += check(value, rule, at, schema)
        return found

    def on_ref(self, value, rule, at, _):
        return self.faults(value, self.find(rule), at)

    def on_type(self, value, rule, at, _):
        names = [rule] if isinstance(rule, str) else rule
        return [] if any(_TYPES[n](value) for n in names) else [f"{at}: {value!r} is no {names}"]

    def on_const(self, value, rule, at, _):
        return [] if _equal(value, rule) else [f"{at}: {value!r} is not {rule!r}"]

    def on_enum(self, value, rule, at, _):
        return [] if any(_equal(value, r) for r in rule) else [f"{at}: {value!r} not in {rule}"]

    def on_required(self, value, rule, at, _):
        missing = [k for k in rule if isinstance(value, dict) and k not in value]
        return [f"{at}: lacks {missing}"] if missing else []

    def on_dependentRequired(self, value, rule, at, _):
        found = []
        for key, others in rule.items():
            if isinstance(value, dict) and key in value:
                missing = [k for k in others if k not in value]
                found += [f"{at}: has {key} but lacks {missing}"] if missing else []
        return found

    def on_properties(self, value, rule, at, _):
        found = []
        if isinstance(value, dict):
            for key, sub in rule.items():
                if key in value:
                    found += self.faults(value[key], sub, f"{at}.{key}")
        return found

    def on_patternProperties(self, value, rule, at, _):
        found = []
        if isinstance(value, dict):
            for pattern, sub in rule.items():
                for key in value:
                    if re.search(pattern, key):
                        found += self.faults(value[key], sub, f"{at}.{key}")
        return found

    def on_additionalProperties(self, value, rule, at, schema):
        found = []
        if isinstance(value, dict):
            patterns = schema.get("patternProperties", {})
            for key in value:
                if key in schema.get("properties", {}):
                    continue
                if not any(re.search(p, key) for p in patterns):
                    found += self.faults(value[key], rule, f"{at}.{key}")
        return found

    def on_unevaluatedProperties(self, value, rule, at, schema):
        return self.on_additionalProperties(value, rule, at, schema)

    def on_propertyNames(self, value, rule, at, _):
        found = []
        for key in value if isinstance(value, dict) else []:
            found += self.faults(key, rule, f"{at}: the name {key!r}")
        return found

    def on_maxProperties(self, value, rule, at, _):
        return [f"{at}: too many"] if isinstance(value, dict) and len(value) > rule else []

    def on_items(self, value, rule, at, schema):
        first = len(schema.get("prefixItems", []))
        found = []
        if isinstance(value, list):
            for i, item in enumerate(value[first:], first):
                found += self.faults(item, rule, f"{at}[{i}]")
        return found

    def on_prefixItems(self, value, rule, at, _):
        found = []
        if isinstance(value, list):
            for i, (item, sub) in enumerate(zip(value, rule)):
                found += self.faults(item, sub, f"{at}[{i}]")
        return found

    def on_minItems(self, value, rule, at, _):
        return [f"{at}: too few"] if isinstance(value, list) and len(value) < rule else []

    def on_maxItems(self, value, rule, at, _):
        return [f"{at}: too many"] if isinstance(value, list) and len(value) > rule else []

    def on_uniqueItems(self, value, rule, at, _):
        twice = rule and isinstance(value, list) and len({repr(v) for v in value}) < len(value)
        return [f"{at}: twice the same"] if twice else []

    def on_pattern(self, value, rule, at, _):
        bad = isinstance(value, str) and not re.search(rule, value)
        return [f"{at}: {value!r} does not match {rule}"] if bad else []

    def on_format(self, value, rule, at, _):
        return []

    def on_minLength(self, value, rule, at, _):
        return [f"{at}: too short"] if isinstance(value, str) and len(value) < rule else []

    def on_maxLength(self, value, rule, at, _):
        return [f"{at}: too long"] if isinstance(value, str) and len(value) > rule else []

    def _bound(self, value, at, bad, text):
        number = _TYPES["number"](value) and math.isfinite(value)
        return [f"{at}: {value} is {text}"] if number and bad(value) else []

    def on_minimum(self, value, rule, at, _):
        return self._bound(value, at, lambda v: v < rule, f"below {rule}")

    def on_maximum(self, value, rule, at, _):
        return self._bound(value, at, lambda v: v > rule, f"above {rule}")

    def on_exclusiveMinimum(self, value, rule, at, _):
        return self._bound(value, at, lambda v: v <= rule, f"not above {rule}")

    def on_exclusiveMaximum(self, value, rule, at, _):
        return self._bound(value, at, lambda v: v >= rule, f"not below {rule}")

    def on_allOf(self, value, rule, at, _):
        return [fault for sub in rule for fault in self.faults(value, sub, at)]

    def on_anyOf(self, value, rule, at, _):
        tried = [self.faults(value, sub, at) for sub in rule]
        return [] if any(not t for t in tried) else [f"{at}: none of: {tried}"]

    def on_oneOf(self, value, rule, at, _):
        tried = [self.faults(value, sub, at) for sub in rule]
        fits = sum(not t for t in tried)
        return [] if fits == 1 else [f"{at}: {fits} of oneOf fit: {tried}"]

    def on_not(self, value, rule, at, _):
        return [] if self.faults(value, rule, at) else [f"{at}: is what it must not be"]

    def on_if(self, value, rule, at, schema):
        branch = "else" if self.faults(value, rule, at) else "then"
        return self.faults(value, schema[branch], at) if branch in schema else []


def faults(value, schema):
    """What is wrong with the value, one text each; none when it follows the schema."""
    return _Judge(schema).faults(value, schema, "$")

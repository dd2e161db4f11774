"""Faults that can be planted in the reference decoder, and a cache that knows which faults a result depends on."""
import functools

fault = None
asked = set()


def on(name):
    """Whether a fault is planted here."""
    asked.add(name)
    return fault == name


def cached(function):
    """Keeps results, unless the planted fault may have changed them."""
    kept = {}

    @functools.wraps(function)
    def call(*arguments):
        global asked
        found = kept.get(arguments)
        if found and fault not in found[1]:
            asked |= found[1]
            return found[0]
        outside, asked = asked, set()
        try:
            result = function(*arguments)
        finally:
            used = asked
            asked = outside | used
        if fault not in used:
            kept[arguments] = result, used
        return result

    return call

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
        if arguments in kept and fault not in kept[arguments][1]:
            result, used = kept[arguments]
            asked |= used
            return result
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

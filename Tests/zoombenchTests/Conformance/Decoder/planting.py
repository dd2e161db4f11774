"""Faults that can be planted in the reference decoder, and a cache that knows which faults a result depends on."""
import functools

fault = None
asked = set()


def on(name):
    """Whether a fault is planted here."""
    asked.add(name)
    return fault == name


def cached(function):
    """Keeps results: those that depend on the planted fault while it is planted, all others for ever."""
    sound, faulty = {}, {}
    planted = None

    @functools.wraps(function)
    def call(*arguments):
        global asked
        nonlocal planted
        if planted != fault:
            faulty.clear()
            planted = fault
        found = faulty.get(arguments) or sound.get(arguments)
        if found and (arguments in faulty or fault not in found[1]):
            asked |= found[1]
            return found[0]
        outside, asked = asked, set()
        try:
            result = function(*arguments)
        finally:
            used = asked
            asked = outside | used
        (faulty if fault in used else sound)[arguments] = result, used
        return result

    return call

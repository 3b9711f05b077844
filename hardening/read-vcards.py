"""Reads vCards (a JSON list of texts) with Evolution's parser; writes their properties."""
import json
import sys

import gi

gi.require_version("EBookContacts", "1.2")
from gi.repository import EBookContacts  # noqa: E402


def plain(attribute):
    name = attribute.get_name().lower()
    values = attribute.get_values()
    if name == "n":
        return [name, values[:2]]
    return [name, values[0] if len(values) == 1 else values]


found = []
for text in json.load(sys.stdin):
    card = EBookContacts.VCard.new_from_string(text)
    found.append([plain(one) for one in card.get_attributes()])
json.dump(found, sys.stdout)

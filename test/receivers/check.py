"""Prints, for each vector, the id of the event or "refused"."""

import json
import pathlib
import sys

here = pathlib.Path(__file__).parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(here / "../../examples/receivers"))
from receiver import verify_event  # noqa: E402

for one in json.loads((here / "vectors.json").read_text("utf-8"))["vectors"]:
    event = verify_event(one["body"].encode(), one["headers"], one["secrets"], one["now"])
    print(one["name"], event["id"] if event else "refused", sep="\t")

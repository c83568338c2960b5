"""Self-play, learning, matches, tuning and reviews of Barrow on many machines.

A job is cut into tasks, each a run of the program `barrow` on a shard. A task is idempotent: its outputs are stored
under their SHA-256, and its entry in the manifest, which says that it is done, under the hash of all that it follows
from.
"""

__version__ = "0.1.0"

# SPDX-License-Identifier: BSD-3-Clause
"""In the folder of the source, `import cellcoll` and `python3 -m cellcoll.search` are the package in python/."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "python"))
del sys.modules[__name__]
__import__(__name__)

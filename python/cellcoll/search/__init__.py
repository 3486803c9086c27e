# SPDX-License-Identifier: BSD-3-Clause
"""Search for the text of an algorithm on a machine: python3 -m cellcoll.search --help, docs/how-to/search.md.

shape: places, trees and rounds.  space: candidates and their moves.  lines: a candidate as a text.  judge: cycles of texts.
climb: the search.  rivals: the best of the catalogue.  story: check and explanation.
"""

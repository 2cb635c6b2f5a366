#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Holds the sectors that moves foretell for a repaired kernel against those that a GPU counted in the repair.
"""usage: score_foretold.py --coalcheck COMMAND NAIVE REPAIRED > docs/measurements/foretold.md

NAIVE and REPAIRED are folders with a recording of each fix pair, as bench/record_fix_pairs.py packs them (PAIR-bad and
PAIR-good, which may lie in one folder), or with its JSON report (PAIR.json). For each pair the table says whether its
repair is one of the moves, what the report advises first, and, where the repair's move was tried, the sectors that were
foretold and counted for each access. Where data decide, the most is foretold, and what was counted must not be more."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import textwrap

import provenance

ROOT = pathlib.Path(__file__).resolve().parents[1]
WIDTH = 118  # columns of the document
EXACT = 1e-5  # sectors a request are told to a millionth


def same(*lines):
    """Accesses whose lines are the same in both kernels, as they stand in a function that both call."""
    return {line: line for line in lines}


# What each repair is, and where its accesses stand: the line of the wasteful kernel to that of the repair; one for loads
# and one for the others where these differ. A repair that is no move has its reason instead.
REPAIRS = {
    "align_reads": ("interleave", {**same(24, 27, 32, 41), 52: 60}),
    "alpha_blend": ("vector", {(19, "load"): 29, (20, "load"): 29, (21, "load"): 29, (22, "load"): 29, (23, "load"): 30,
                               (20, "store"): 31, (21, "store"): 31, (22, "store"): 31, (23, "store"): 31}),
    "basket_option": ("vector", {46: 62, 51: 67}),
    "batch_hash": ("field_arrays", {26: 33, 27: 34}),
    "block_jacobi": ("vector", {(18, "load"): 25, 19: 27}),
    "blur_bytes": ("striped", {16: 16, 22: 29}),
    "blur_swapped": ("exchange_axes", same(13, 14)),
    "boids": ("field_arrays", {18: 29, 19: 30}),
    "box_hits": ("field_arrays", {28: 33}),
    "bucket_probe": ("lanes_along_loop", {20: 30, 23: 33, 24: 35}),
    "byte_loads": ("vector", {15: 23, 16: 24}),
    "channel_norm": ("lanes_along_loop", {17: 28, 19: 31}),
    "chunked_copy": ("striped", {14: 19}),
    "chunked_dot": ("striped", {33: 40, **same(27)}),
    "column_scan": ("renumber", {16: 33, 26: 38}),
    "column_sums": (None, "a lane to a column in place of a warp, and the sum through shared memory"),
    "complex_product": ("vector", {(13, "load"): 21, (14, "load"): 21, 15: 23, 16: 23}),
    "compute_bound": (None, "the matrix is stored transposed"),
    "cut_edges": (None, "the edges are sorted"),
    "decimate_audio": ("shared_tile", {28: 39, 29: 47}),
    "double3": ("field_arrays", {18: 23}),
    "ell_product": ("interleave", {19: 31, 21: 33}),
    "embedding_rows": ("lanes_along_loop", {18: 24, 19: 26}),
    "ensemble_spread": ("block_shape", {43: 56, 44: 57, **same(26)}),
    "euler_fluxes": ("field_arrays", {67: 23, 68: 23, 69: 23, 70: 25}),
    "filter_bitmap": ("lanes_along_loop", {39: 46, **same(24, 25, 26)}),
    "fixed_words": ("interleave", {18: 27, 19: 28}),
    "hadamard_stage": (None, "another part of the thread's number is the place within a group"),
    "heat_planes": ("exchange_axes", same(13)),
    "horner_chunk": ("striped", {18: 26}),
    "int8_layer": (None, "axes exchanged, and four weights to a lane at once"),
    "integral_rows": ("shared_tile", {17: 29, 18: 33}),
    "interleave_channels": ("shared_tile", {(17, "load"): 24, (17, "store"): 26}),
    "key_scores": ("lanes_along_loop", {20: 32, 21: 34}),
    "kmeans_assign": ("interleave", {35: 42, 36: 43, **same(21)}),
    "knn_query": ("interleave", {18: 30, 21: 33}),
    "knock_out": ("interleave", {19: 31, 22: 34}),
    "l1_resident": ("striped", {22: 30, 24: 32}),
    "latency_gather": (None, "the index is sorted"),
    "lattice_flow": ("interleave", {20: 28, 21: 29}),
    "lidar_points": ("field_arrays", {18: 23}),
    "median_runs": (None, "striped, and every thread loads its whole window anew"),
    "misaligned": ("align", {13: 18}),
    "move_points": ("interleave", {18: 29, 20: 31}),
    "narrow_blocks": ("block_shape", same(15)),
    "neighbour_lists": ("interleave", {17: 26, 19: 28, 20: 29}),
    "odd_pitch": ("pad_rows", same(15)),
    "one_field": ("field_arrays", {18: 23}),
    "one_warp": ("field_arrays", {21: 28, 23: 30}),
    "orbit_count": ("field_arrays", {36: 41}),
    "own_histograms": ("interleave", {(15, "load"): 20, (15, "store"): 20}),
    "paid_orders": ("field_arrays", {35: 51, 36: 52, 37: 53, **same(29)}),
    "pair_sort": ("vector", {(22, "load"): 36, (24, "load"): 36, (25, "store"): 39, (27, "store"): 40}),
    "panel_product": ("renumber", {32: 46, 33: 47, 35: 49}),
    "particles": ("field_arrays", {17: 24, 18: 25, 19: 26}),
    "permute_volume": ("shared_tile", {(23, "load"): 32, (23, "store"): 37}),
    "planar_image": (None, "words in place of bytes, through shared memory"),
    "quantised": (None, "arrays for scales and values, and four values to a lane"),
    "quantize_bytes": ("vector", {(18, "load"): 29, (18, "store"): 30}),
    "random_gather": (None, "the index is sorted"),
    "rgb_gray": (None, "a plane for each colour, which took 9 % longer"),
    "rotary_half": ("vector", {18: 29, 19: 30, 20: 31, 21: 31, 22: 32, 23: 32}),
    "row_norms": ("lanes_along_loop", {17: 29, 20: 33}),
    "row_sums": ("lanes_along_loop", {15: 22, 16: 24}),
    "scaled_rows": ("striped", {16: 24, 17: 25}),
    "segment_maxima": (None, "a lane to each number, and the most by exchange between lanes"),
    "shifted_window": ("align", {15: 20}),
    "softmax_rows": ("lanes_along_loop", {20: 32, 22: 37, 23: 39}),
    "spmv_csr": ("lanes_along_loop", {18: 28, 20: 30, 21: 32}),
    "stl_facets": ("shared_tile", {24: 67, 57: 73}),
    "swapped_stencil": ("exchange_axes", same(18, 19)),
    "tall_blocks": ("block_shape", same(14)),
    "tile_blur": ("exchange_axes", {22: 37, 27: 42}),
    "transpose": ("shared_tile", {(15, "load"): 23, (15, "store"): 28}),
    "triangle_rows": ("lanes_along_loop", {16: 24, 17: 26}),
    "tridiagonal": ("interleave", same(25, 26, 27, 28, 29, 30, 35, 36)),
    "two_fields": ("field_arrays", {23: 28}),
    "unpack_frames": ("lanes_along_loop", {30: 40, 33: 42, **same(22, 23)}),
    "upsample_swapped": ("exchange_axes", same(29, 30, 31, 32, 33)),
    "volume_to_channels": ("shared_tile", {(15, "load"): 23, (15, "store"): 27}),
    "walkers": ("interleave", {17: 27, 18: 28}),
}


def load(command, folder, pair, side):
    """The JSON report on one side of a pair; None where it is not in the folder."""
    for name in (f"{pair}-{side}.json", f"{pair}.json"):
        if (folder / name).is_file():
            return json.loads((folder / name).read_text(encoding="utf-8"))
    for name in (f"{pair}-{side}", pair):
        if not (folder / name / "records.jsonl").is_file():
            continue
        words = [command, "report", "--format", "json", "--exit-zero", "--scope", "all", "--same-sources", "--path-map",
                 f"/tmp/coalcheck={ROOT}", folder / name]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"score_foretold: {folder / name}: exit code {done.returncode}: {done.stderr[:300]}")
        return json.loads(done.stdout)
    return None


def is_of(kernel, one):
    """Whether `one` is of the kernel, which may be a template."""
    return re.match(rf"(void )?{kernel}[(<]", one["kernel"]) is not None


def own(report, kernel):
    """{number: access} of the kernel."""
    return {number: one for number, one in enumerate(report["accesses"]) if is_of(kernel, one)}


def moves_of(report, kernel):
    found = [one for one in report["moves"] if is_of(kernel, one)]
    return found[0] if found else {"tried": [], "why_not_all": "nothing is wasted, or no launch was counted by itself"}


def counterpart(access, lines, repaired):
    """The access of the repair that does what `access` does; None where there is none, or there are several that differ."""
    line = lines.get((access["line"], access["kind"]), lines.get(access["line"]))
    found = [one for one in repaired.values() if (one["line"], one["kind"]) == (line, access["kind"])]
    return found[0] if found and len({one["per_request"]["sectors"] for one in found}) == 1 else None


def compared(move, naive, repaired, lines):
    """[(words on an access, whether what was foretold was counted)] of every access that the move was tried on. Of what
    data decide, the most is foretold."""
    rows = []
    for change in move["accesses"]:
        access = naive[change["access"]]
        foretold = change["sectors_per_request_after"]
        at_most = change.get("at_most", False)
        most = "at most " if at_most else ""
        name = f"{access['kind']} {access['line']}: {change['sectors_per_request_before']:g} → {most}{foretold:g}"
        after = counterpart(access, lines, repaired)
        counted = after and after["per_request"]["sectors"]
        is_kept = counted is not None and (abs(foretold - counted) <= EXACT * max(1, counted) or (at_most and counted < foretold))
        rows.append((f"{name}, counted {'nowhere' if counted is None else format(counted, 'g')}", is_kept))
    return rows


class Score:
    def __init__(self):
        self.rows = []
        self.moves = self.tried = self.first = self.kept = self.accesses = self.equal = 0

    def add(self, pair, naive, repaired):
        what, lines = REPAIRS[pair]
        found = moves_of(naive, pair + "_bad")
        helps = [one for one in found["tried"] if one["outcome"] == "helps"]
        said = helps[0]["move"] if helps else "none helps" if found["tried"] else "nothing was tried"
        if found["why_not_all"]:
            said += f" ({found['why_not_all']})"
        if what is None:
            self.rows.append(f"| {pair} | no move: {lines} | {said} | | |")
            return
        self.moves += 1
        self.first += bool(helps) and helps[0]["move"] == what
        move = next((one for one in helps if one["move"] == what), None)
        if move is None:
            self.rows.append(f"| {pair} | {what} | {said} | not foretold | |")
            return
        self.tried += 1
        rows = compared(move, own(naive, pair + "_bad"), own(repaired, pair + "_good"), lines)
        equal = sum(is_equal for _, is_equal in rows)
        self.accesses += len(rows)
        self.equal += equal
        self.kept += equal == len(rows)
        words = "<br>".join(text if is_equal else f"**{text}**" for text, is_equal in rows)
        self.rows.append(f"| {pair} | {what} | {said} | {equal} of {len(rows)} | {words} |")


def write(score, missing, out):
    print("# What moves foretell, and what repairs count\n\n" + provenance.markdown() + "\n", file=out)
    text = (f"Of {len(score.rows)} pairs the repair is a move in {score.moves}. In {score.tried} of these the move was tried "
          f"and helps, in {score.first} it is the first that is said. In {score.kept} every access touches in the repair "
          f"what was foretold; of all their accesses {score.equal} of {score.accesses} do. Sectors are a request's.")
    print(textwrap.fill(text, WIDTH) + "\n", file=out)
    print("| pair | the repair is | first said | as foretold | access by access |\n|---|---|---|---|---|", file=out)
    print("\n".join(score.rows), file=out)
    if missing:
        print("\n" + textwrap.fill(f"Not recorded: {', '.join(missing)}.", WIDTH), file=out)


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--coalcheck", default="coalcheck", help="the command that reports on recordings")
    parser.add_argument("naive", type=pathlib.Path)
    parser.add_argument("repaired", type=pathlib.Path)
    arguments = parser.parse_args(words)
    score, missing = Score(), []
    for pair in REPAIRS:
        naive = load(arguments.coalcheck, arguments.naive, pair, "bad")
        repaired = load(arguments.coalcheck, arguments.repaired, pair, "good")
        if naive is None or repaired is None:
            missing.append(pair)
        else:
            score.add(pair, naive, repaired)
    write(score, missing, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())

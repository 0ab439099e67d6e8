"""Which policy, what is lost, how many servers, and why theory and replay part, as blocks."""

import numpy as np

from compendium.cluster_report import pictures
from compendium.cluster_report.blocks import Bullets, Folded, Heading, Paragraph, Picture, Strong, Table
from compendium.cluster_report.numbers import both, percent, times
from compendium.cluster_report.workload import largest

KINDS = {
    "in line": "each job keeps its servers until it ends",
    "sharing": "jobs share a server, and stay on it",
    "migrating": "jobs share servers, and may be moved while they run",
}
MEANING = {
    "FCFS": "first come, first served: the first in line waits for servers enough, and all behind it wait with it",
    "first fit": "each job in line, in the order of arrival, starts that fits",
    "EASY": "backfilling: as first fit, unless it would delay the first in line, as far as users' estimates tell",
    "EASY, exact": "the same with exact estimates",
    "fair share": "first comes the group that used least beside its promise; nothing is forgotten",
    "fair share, forgetting": "the same, and what was used counts half after seven days",
    "HPRS": "each job goes to a server by chance",
    "VPRS": "each group has servers of its own, as many as its promise, and its jobs go to one of them by chance",
    "JSQ": "each job joins the server with the fewest jobs",
    "HP": "horizontal partitioning: each job goes to a server with the fewest jobs of its group",
    "SVP": "static vertical partitioning: each group has servers of its own, in proportion to its promise; with "
    "migration others use idle ones",
    "DVP": "dynamic vertical partitioning: a group that obtains too little takes a server more, one that obtains too "
    "much gives one up",
    "PS": "the jobs of a server are served alike",
    "PPS": "the jobs of a server are served in proportion to the promises of their groups",
    "GPPS": "the groups that have jobs on a server divide it by their promises",
    "migrating": "jobs may be moved to another server whenever one comes or leaves",
}
ASSUMED = {
    "daily cycle": ("no daily cycle of arrivals",),
    "order of the gaps": ("independent times between arrivals", "a constant arrival rate"),
    "law of the gaps": ("exponential times between arrivals",),
    "order of the jobs": (
        "independent sizes", "sizes independent of the times between arrivals", "groups independent of those before",
    ),
    "law of the sizes": ("exponential sizes",),
}  # fmt: skip
THINGS = {
    "daily cycle": "the daily and weekly cycle of arrivals",
    "order of the gaps": "bursts, the order of the times between arrivals",
    "law of the gaps": "the law of the times between arrivals",
    "all of the arrivals": "any of these, in a Poisson stream",
    "order of the jobs": "the order of the jobs, which size and group comes when",
    "law of the sizes": "the law of the sizes",
    "everything": "everything, as theory assumes",
}
MOST_LISTED, FEW = 5, 8
LEAST = (5e-4, 5e-4, 5e-3)  # of the measures: a smaller difference is not shown
MEASURES = (
    ("the capacity lost", "capacity_loss", percent),
    ("the worst deviation", "deviation", percent),
    ("the worst slowdown", "slowdown", times),
)
WAYS = {"theory": "by theory", "simulation": "by simulation", "replay": "by replay"}


def chosen(comparison, deviation, slowdown):
    """By kind of policies, the one that is recommended, and whether it keeps the bounds."""
    found = {}
    for kind in KINDS:
        kept = comparison.recommended((kind,), deviation=deviation, slowdown=slowdown)
        policy = kept or comparison.recommended((kind,))
        if policy is not None:
            found[kind] = policy, kept is not None
    return found


def first_choice(comparison, deviation, slowdown):
    """The policy that the answer speaks of: no job is moved while it runs."""
    kinds = ("in line", "sharing")
    kept = comparison.recommended(kinds, deviation=deviation, slowdown=slowdown)
    return kept or comparison.recommended(kinds) or comparison.policies[0], kept is not None


def answer(comparison, fewest, partings, deviation, slowdown):
    """The answer: which policy, what is lost, how many servers, and how far theory is to be trusted."""
    policy, kept = first_choice(comparison, deviation, slowdown)
    one, by = comparison.answer(policy), WAYS[comparison.judged_by]
    bounds = f"a deviation of at most {percent(deviation)} and a slowdown of at most {times(slowdown)}"
    if kept:
        why = f"of the policies that keep {bounds} without moving jobs, none loses less capacity"
    else:
        why = f"no policy keeps {bounds} on {comparison.servers} servers without moving jobs; this one loses least"
    yield Paragraph(Strong("Which policy? "), Strong(f"{policy}"), f" ({told(policy)}): {why}.")
    worst, slowest = (_name_of_worst(comparison, getattr(one, which)) for which in ("deviations", "slowdowns"))
    missed = both(one.deviation)[0]
    kept_promise = (
        f"the group that gets least, “{worst}”, misses {percent(missed)} of what it was promised" if missed > 0.0005
        else "no group misses anything of its promise"
    )  # fmt: skip
    yield Paragraph(
        Strong("What is lost? "),
        Strong(percent(*both(one.capacity_loss))),
        f" of the capacity that jobs could use; {kept_promise}; and jobs of the slowest, “{slowest}”, take "
        f"{times(both(one.slowdown)[0])} times as long as alone in the mean, 95 % of them less than "
        f"{times(_of(one.high_slowdowns, _index_of_worst(one.slowdowns)))} times ({by}).",
    )
    yield _how_many(comparison, fewest, policy, bounds)
    if partings:
        (mine,) = [part for part in partings if part.policy == policy] or partings[:1]
        yield Paragraph(Strong("Is theory to be trusted? "), _in_short(mine))


def _how_many(comparison, fewest, policy, bounds):
    found = {one.policy: one.servers for one in fewest}
    there = {name: count for name, count in found.items() if count}
    parts = [Strong("How many servers? ")]
    if found.get(policy):
        more = found[policy] - comparison.servers
        beside = f"{abs(more)} {'more' if more > 0 else 'fewer'} than there are" if more else "as many as there are"
        parts += [Strong(f"{found[policy]}"), f" are the fewest found on which {policy} keeps {bounds}, {beside}"]
    else:
        parts += [f"No number that was tried lets {policy} keep {bounds}"]
    least = min(there, key=there.get, default=None)
    if least and least != policy and there[least] < (found.get(policy) or np.inf):
        moved = ", if jobs may be moved while they run" if comparison.answer(least).kind == "migrating" else ""
        parts += [f"; {least} does so on {there[least]}{moved}"]
    return Paragraph(*parts, ".")


def told(policy):
    """What a policy does, in words."""
    if policy in MEANING:
        return MEANING[policy]
    name, _, local = policy.removesuffix(", migrating").partition(" ")
    first = MEANING.get(name) or f"each job joins the shortest of {name[4:-1]} queues that are drawn"
    more = f"; {MEANING['migrating']}" if policy.endswith(", migrating") else ""
    return f"{first}; {MEANING[local]}{more}"


def choices(comparison, fewest, deviation, slowdown):
    """A row for each way to treat running jobs."""
    found, rows = {one.policy: one.servers for one in fewest}, []
    listed = [policy for policy, _ in chosen(comparison, deviation, slowdown).values()]
    listed += [policy for policy in comparison.best if policy not in listed][: MOST_LISTED - len(listed)]
    for policy in listed:
        one = comparison.answer(policy)
        kept = both(one.deviation)[0] <= deviation and both(one.slowdown)[0] <= slowdown
        rows.append((policy, KINDS[one.kind], percent(both(one.capacity_loss)[0]), percent(both(one.deviation)[0]),
                     times(both(one.slowdown)[0]), times(both(one.high_slowdown)[0]), "yes" if kept else "no",
                     str(found.get(policy) or "none found")))  # fmt: skip
    yield Table(
        f"The policy that loses least for each way to treat running jobs, and others that none beats, on "
        f"{comparison.servers} servers ({WAYS[comparison.judged_by]}). Bounds: deviation {percent(deviation)}, "
        f"slowdown {times(slowdown)}.",
        ("policy", "if", "capacity lost", "worst deviation", "worst slowdown", "95 % slowdown", "keeps bounds",
         "fewest servers"), tuple(rows), words=(0, 1, 6),
    )  # fmt: skip


def side_by_side(comparison, deviation, slowdown):
    """Every policy, found in each way; with pictures and groups."""
    yield Heading(2, "Policies side by side")
    ways = [way for way in WAYS if any(one.by == way for one in comparison.answers)]
    yield Paragraph(
        Strong("Capacity lost"), ": which part of all servers the jobs that are there could use and do not. ",
        Strong("Deviation"), ": which part of its promise a group misses, of what it could use. Below 0 it gets more. ",
        Strong("Slowdown"), ": time from arrival to end over the time that the job runs alone; in the mean, that of "
        "mean times; “95 %” is what 95 of 100 jobs of the group stay below. Worst is of the group where it is largest.",
    )  # fmt: skip
    yield Paragraph(_ways(comparison, ways))
    yield Paragraph(
        "Policies that no other beats: ", Strong("; ".join(comparison.best)), ". Each other one is beaten by one that "
        f"is as good in all three measures, and better in one ({WAYS[comparison.judged_by]}).",
    )  # fmt: skip
    names = comparison.policies
    rows = []
    for policy in names:
        one = comparison.answer(policy)
        inside = both(one.deviation)[0] <= deviation and both(one.slowdown)[0] <= slowdown
        rows.append((policy, percent(*both(one.capacity_loss)), percent(*both(one.deviation)),
                     times(*both(one.slowdown)), times(*both(one.high_slowdown)),
                     "yes" if inside else "no"))  # fmt: skip
    yield Table(
        f"Policies on {comparison.servers} servers, {WAYS[comparison.judged_by]}. Those that no other beats stand out.",
        ("policy", "capacity lost", "worst deviation", "worst slowdown", "95 % slowdown", "keeps bounds"), tuple(rows),
        words=(0, 5), marked=tuple(k for k, policy in enumerate(names) if policy in comparison.best),
    )  # fmt: skip
    values = np.array([[[both(getattr(comparison.answer(policy, way), name))[0] for policy in names] for way in ways]
                       for _, name, _ in MEASURES])  # fmt: skip
    yield Picture(
        "policies", "Policies by " + ", ".join(ways) + ".",
        f"Points for {len(names)} policies in three panels: capacity lost, worst deviation, worst slowdown; the same "
        "numbers stand in the tables.", pictures.policies(names, ways, *values),
    )  # fmt: skip
    tables = tuple(_all_ways(comparison, ways))
    yield from tables if len(names) <= FEW else (Folded("Each policy in each way", tables),)
    reasons = {}
    for policy, why in comparison.left_out:
        reasons.setdefault(why, []).append(policy)
    for why, of in reasons.items():
        yield Paragraph(f"Left out: {'; '.join(of)}. Why: {why.rstrip('.')}.")
    yield Folded("By group", tuple(_groups(comparison, way) for way in ways))
    notes = {}
    for one in comparison.answers:
        if one.by == "theory" and one.note:
            notes.setdefault(one.note.rstrip("."), []).append(one.policy)
    exact = [f"{one.policy} ({one.method})" for one in comparison.answers if one.by == "theory" and not one.note]
    yield Folded(
        "Where theory answers", (
            Paragraph("Theory answers by formula, recursion or chain for: " + (", ".join(exact) or "none") + ". For "
                      "the others its assumptions are simulated: Poisson arrivals, and independent exponential sizes."),
            Bullets(f"{', '.join(of)}: {why}." for why, of in notes.items()),
        ),
    )  # fmt: skip
    yield Folded("What the policies do", (Bullets(Paragraph(Strong(one), f": {told(one)}.") for one in names),))


def _ways(comparison, ways):
    said = {
        "theory": "Theory assumes a Poisson stream of independent jobs of exponential sizes; where it has no formula, "
        "what it assumes is simulated (≈).",
        "simulation": "Simulation takes the laws of the times between arrivals and of the sizes as they are, and jobs "
        "as independent; its intervals hold in 95 of 100 cases.",
        "replay": "Replay takes the jobs of the log as they came.",
    }
    return " ".join(said[way] for way in ways)


def _all_ways(comparison, ways):
    for what, name, shown in MEASURES:
        rows = []
        for policy in comparison.policies:
            found = [comparison.answer(policy, way) for way in ways]
            signs = ["≈ " if (one.by, one.method) == ("theory", "simulation") else "" for one in found]
            rows.append((policy, *(sign + shown(*both(getattr(one, name))) for sign, one in zip(signs, found))))
        yield Table(
            f"{what.removeprefix('the ').capitalize()}, in each way.", ("policy", *map(WAYS.get, ways)), tuple(rows)
        )  # fmt: skip


def _groups(comparison, way):
    rows, groups = [], largest(comparison.loads)
    for policy in comparison.policies:
        one = comparison.answer(policy, way)
        for g in groups:
            rows.append((policy, comparison.names[g], percent(comparison.promised[g]), percent(_of(one.deviations, g)),
                         times(_of(one.slowdowns, g)), times(_of(one.high_slowdowns, g))))  # fmt: skip
    return Table(
        f"Groups {WAYS[way]}.", ("policy", "group", "promised", "deviation", "mean slowdown", "95 % slowdown"),
        tuple(rows), words=(0, 1),
    )  # fmt: skip


def how_many(fewest, deviation, slowdown):
    """The fewest servers by policy."""
    yield Heading(2, "How many servers")
    yield Paragraph(
        f"The fewest found on which a policy keeps a deviation of at most {percent(deviation)} and a slowdown of at "
        f"most {times(slowdown)}. With one server less it misses them; more need not be better, so that a smaller "
        "number may keep them too."
    )
    rows = tuple(
        (one.policy, str(one.servers) if one.servers else f"none up to {max(one.tried)}",
         percent(both(one.answer.capacity_loss)[0]), percent(both(one.answer.deviation)[0]),
         times(both(one.answer.slowdown)[0])) for one in fewest
    )  # fmt: skip
    yield Table(
        "Fewest servers, and what holds on so many.",
        ("policy", "servers", "capacity lost", "worst deviation", "worst slowdown"), rows,
    )  # fmt: skip


def apart(partings, assumptions):
    """Where theory and replay part, by how much and why.

    Parameters
    ----------
    partings
        As `clustershare.workload.partings` gives them.
    assumptions
        As `clustershare.workload.assumptions`.
    """
    yield Heading(2, "Where theory and replay part")
    yield Paragraph(
        "The log is replayed without one thing at a time, and what changes is the doing of that thing. Effects need "
        "not add up: what bursts do depends on how long jobs are. Bursts hold the cycle as well, and any drift. What "
        "two logs of this length differ by, even where theory holds, is chance."
    )
    for part in partings:
        yield Heading(3, part.policy)
        yield Bullets(_why(part, k, assumptions) for k in range(len(MEASURES)))
        rows = [
            (what, *(shown(values[k]) for k, (_, _, shown) in enumerate(MEASURES)))
            for what, values in (("theory", part.theory), ("replay of the log", part.replay))
        ]
        for c, change in enumerate(part.changes):
            value, width = part.without.value[c], part.without.half_width[c]
            rows.append((f"without {THINGS[change]}", *(
                shown(value[k], width[k] if width[k] > 1e-9 else None) for k, (_, _, shown) in enumerate(MEASURES)
            )))  # fmt: skip
        yield Table(f"{part.policy}, replayed.", ("", *(what for what, _, _ in MEASURES)), tuple(rows))


def _causes(part, k):
    """Things whose absence brings the replay towards theory by more than chance, the largest first: name and effect."""
    difference = part.replay[k] - part.theory[k]
    effects, width = part.effects.value[:, k], part.effects.half_width[:, k]
    found = [
        (change, effect) for change, effect, wide in zip(part.changes, effects, width)
        if change in ASSUMED and effect * difference > 0 and abs(effect) > max(wide, 0.02 * abs(difference))
    ]  # fmt: skip
    return sorted(found, key=lambda one: -abs(one[1]))


def _of_length(part, k):
    """What theory assumes gives in a log of this length, where that is away from theory by more than chance."""
    value, width = part.without.value[-1, k], part.without.half_width[-1, k]
    difference = part.replay[k] - part.theory[k]
    told = (value - part.theory[k]) * difference > 0 and abs(value - part.theory[k]) > max(width, 0.1 * abs(difference))
    return value if told else None


def _tells(part, k):
    """Whether theory and replay are further apart than chance."""
    return abs(part.replay[k] - part.theory[k]) > _chance(part, k)


def _chance(part, k):
    """What a log of this length moves a measure by; and no less than what is shown of it."""
    return max(part.chance[k], LEAST[k])


def _why(part, k, assumptions):
    what, _, shown = MEASURES[k]
    theory, replay = part.theory[k], part.replay[k]
    if not np.isfinite(theory):
        return f"Of {what} theory says nothing here; the replay gives {shown(replay)}."
    said = f"Theory says that {what} is {shown(theory)}, the replay {shown(replay)}"
    if not _tells(part, k):
        return f"{said}: no further apart than chance may be (± {shown(_chance(part, k))})."
    causes, parts = _causes(part, k)[:2], []
    if (short := _of_length(part, k)) is not None:
        parts.append(f"in a log as short, that begins empty, what theory assumes gives {shown(short)}")
    if not causes and not parts:
        return f"{said}: no one thing that was taken out explains it."
    for change, effect in causes:
        tests = [one for one in assumptions if one.assumption in ASSUMED[change] and one.contradicted]
        against = "; ".join(f"contradicted: {one.assumption}, {one.method} test" for one in tests)
        without = f"without {THINGS[change]} it would be {shown(replay - effect)}"
        parts.append(f"{without} ({against or 'its test contradicts nothing'})")
    return f"{said}: {', and '.join(parts)}."


def _in_short(part):
    """One sentence on the measure in which they are furthest apart."""
    able = [k for k in range(len(MEASURES)) if np.isfinite(part.theory[k])]
    apart = [k for k in able if _tells(part, k)]
    if not apart:
        return (
            f"For {part.policy} theory and replay are no further apart than chance: assuming a Poisson stream and "
            "exponential sizes does no harm here."
        )
    k = max(apart, key=lambda k: abs(part.replay[k] - part.theory[k]) / _chance(part, k))
    what, _, shown = MEASURES[k]
    causes = _causes(part, k)
    why = f"; what parts them most is {THINGS[causes[0][0]]}" if causes else "; no one thing explains it"
    says = f"it says that {what} is {shown(part.theory[k])}, and it is {shown(part.replay[k])}"
    return f"Not everywhere: for {part.policy} {says}{why}."


def _of(quantity, g):
    values = quantity.value if hasattr(quantity, "half_width") else quantity
    return float(values[g])


def _index_of_worst(quantity):
    values = quantity.value if hasattr(quantity, "half_width") else quantity
    return int(np.nanargmax(values)) if not np.isnan(values).all() else 0


def _name_of_worst(comparison, quantity):
    return comparison.names[_index_of_worst(quantity)]

"""Claims of `thesis`, Sections 6.2 and 6.4, on recorded paths: where jobs are, who is asked when, what is "
"remembered."""

import numpy as np

from compendium.press.findings import Finding, check, finding, over_domain, yes
from pages.share_scheduling.distributed import periodic, readings, recorded
from pages.share_scheduling.distributed.measured import (
    DEVIATION,
    LOSS,
    REPLIES,
    REQUESTS,
    Measured,
    above,
    by_policy,
    named,
)
from pages.share_scheduling.distributed.printed_network import PrintedNetwork
from pages.share_scheduling.distributed.printed_parts import MIGRATION, PLACEMENT
from pages.share_scheduling.distributed.printed_rules import whole_parts
from pages.share_scheduling.distributed.simulated import joint
from pages.share_scheduling.distributed.systems import LIMITS, POLICIES

EXACT, SUMS = 1e-12, 1e-9
NEGLIGIBLE = 0.01
CONFIDENT = 1.96
NUMBER_OF_PERIODS = 100_000


class Walk:
    """Where each job is, from the events of a path alone."""

    def __init__(self, network):
        self.network, self.at, self.group, self.faults = network, {}, {}, 0
        self.seen, parts = 0, whole_parts(network.setting.shares, network.setting.processors)
        own = network.setting.policy == "SVP"
        self.weights = [  # of GPPS: a group's own part of a processor under SVP (5.14), else what it requires
            [float(row[p] or share) if own else float(share) for row, share in zip(parts, network.setting.shares)]
            for p in range(network.setting.processors)
        ]

    def follow(self):
        """Take in what has happened since."""
        for event in self.network.events[self.seen :]:
            job, p = event.job, event.processor
            if event.what == "arrives":
                self._move(job.number, (None,), ("schedule", p))
                self.group[job.number] = job.group
            elif event.what == "places":
                self._move(job.number, ("schedule",), ("decided", event.other))
            elif event.what == "grants":
                self._move(job.number, ("queue",), ("decided", None))
            elif event.what == "sends" and job is not None:
                self._move(job.number, ("decided",), ("network", None))
            elif event.what == "joins":
                self._move(job.number, ("decided", "network"), ("queue", p))
            elif event.what == "departs":
                self._move(job.number, ("queue",), (None, None))
        self.seen = len(self.network.events)

    def _move(self, number, allowed, to):
        self.faults += self.at.get(number, (None,))[0] not in allowed
        self.at[number] = to

    def there(self, p):
        """The numbers of jobs by group in a server queue."""
        found = [0] * len(self.network.setting.shares)
        for number, place in self.at.items():
            found[self.group[number]] += place == ("queue", p)
        return tuple(found)

    def levels(self, network_counts=True):
        """f^T and o^T, then f_g, o_g and the number of each group, from the list of all jobs and their places."""
        setting = self.network.setting
        P, required = setting.processors, [float(share) for share in setting.shares]
        counted = [n for n, (where, _) in self.at.items() if where and (network_counts or where != "network")]
        numbers = [sum(self.group[n] == g for n in counted) for g in range(len(required))]
        obtained = [0.0] * len(required)
        for p in range(P):
            present = [g for g, count in enumerate(self.there(p)) if count]
            for g in present:
                obtained[g] += self.weights[p][g] / sum(self.weights[p][h] for h in present) / P
        found = [min(sum(numbers), P) / P, sum(obtained)]
        for share, number, served in zip(required, numbers, obtained):
            found += [min(share, number / P), served, number]
        return found


@check("thesis-6-109", network_counts=False)
def where_jobs_count(network_counts=True):
    """Shares from the list of all jobs at every event; in the control those on the network do not count."""
    worst, sums, faults, lost, number, sizes, alike, remote = 0.0, 0.0, 0, 0.0, 0, [], True, 0
    for policy in POLICIES:
        for setting in recorded.settings(policy):
            network = PrintedNetwork(setting, np.random.default_rng([109, setting.limit]))
            walk, total, level = Walk(network), 0.0, np.array(Walk(network).levels())
            while len(network.events) < recorded.OF_A_POLICY // 24:
                then = network.now
                network.step()
                total = total + level * (network.now - then)
                walk.follow()
                level = np.array(walk.levels(network_counts))
                worst = max(worst, np.abs(level - network.levels()).max())
                lost, number = min(lost, level[0] - level[1]), number + 1
            sums = max(sums, np.abs(total - network.integrals).max())
            faults += walk.faults
            sent = [event.message for event in network.events if event.what == "sends"]
            sizes += [message.size for message in sent if message.kind == MIGRATION]
            alike &= recorded.kinds(network)[1]
            gone = sum(event.what == "places" and event.other != event.processor for event in network.events)
            remote += gone == sum(message.kind == PLACEMENT for message in sent)
    mean = np.mean(sizes) / setting.migration_time
    exponential = abs(mean - 1) <= CONFIDENT / np.sqrt(len(sizes)) and 0.8 < np.std(sizes) / np.mean(sizes) < 1.2
    one_place, all_remote = faults == 0, remote == 24 * len(POLICIES)
    return finding(
        f"{number} steps: shares {'equal within 1e-12' if worst <= EXACT else f'apart by {worst:.2g}'}, their "
        "sums over "
        f"time {'within 1e-9' if sums <= SUMS else f'apart by {sums:.2g}'}; "
        f"every job in one place at a time: {yes(one_place)}; capacity never used beyond the feasible: "
        f"{yes(lost >= -EXACT)}; a "
        f"message for each placement elsewhere and for no other: {yes(all_remote)}; {len(sizes)} "
        f"migrations of {mean:.2f} "
        "mean times",
        worst <= EXACT and sums <= SUMS and one_place and lost >= -EXACT and all_remote and alike and exponential,
    )


@check("thesis-6-113", changed=("first reply",))
def waits_for_all(changed=()):
    """Probings and decisions on paths with on-demand probing; in the control the first reply decides."""
    wrong, early, late, quiet, probings, events = 0, 0, 0, 0, 0, 0
    for policy in POLICIES:
        for path in recorded.paths(policy, (False,), changed=changed):
            setting, crossing = path.setting, []
            for event in path.events:
                if event.what == "sends":
                    crossing.append(event.message)
                elif event.what in ("arrives", "departs"):
                    events += 1
                elif event.what == "probes":
                    others = event.probing.others
                    probings += 1
                    wrong += len(set(others)) != setting.limit or len(others) != setting.limit
                    wrong += event.processor in others
            for event in path.events:
                if event.what not in ("places", "rebalances"):
                    continue
                probing, alone = event.probing, (1 + setting.limit) * setting.probe_time
                early += len(event.known) < setting.limit
                delay = event.time - probing.began
                disturbed = any(
                    message.probing is not probing
                    and message.started < event.time
                    and not message.ended <= probing.began
                    for message in crossing
                )
                late += delay < alone - EXACT or not disturbed and abs(delay - alone) > EXACT
                quiet += not disturbed
    return finding(
        f"{probings} probings for {events} arrivals and departures; {wrong} sets are not of the limit; {early} "
        f"decisions before the last reply; {quiet} probings were alone on the network, and {late} delays are not as "
        "stated",
        probings == events and not wrong and not early and not late and quiet > 0,
    )


@check("thesis-6-114", exponential=True)
def uniform_periods(exponential=False):
    """The periods of the stream, and requests of stored rows; in the control periods are exponential."""
    holds, said = [], []
    for mean in (0.1, 0.625, 10.0):
        found = recorded.periods(mean, NUMBER_OF_PERIODS)
        if exponential:
            found = mean * np.random.default_rng(114).standard_exponential(NUMBER_OF_PERIODS)
        inside = found.min() >= 0.9 * mean and found.max() <= 1.1 * mean
        variance, known = found.var(), mean**2 / 300
        centre = abs(found.mean() - mean) <= CONFIDENT * np.sqrt(known / NUMBER_OF_PERIODS)
        spread = abs(variance - known) <= CONFIDENT * np.sqrt((mean**4 / 50_000 - known**2) / NUMBER_OF_PERIODS)
        holds.append(inside and centre and spread)
        said.append(f"{found.mean() / mean:.4f} and {variance / known:.3f}")
    counted, expected = periodic.sent(), periodic.requests()
    away = (np.abs(counted.value - expected) / np.maximum(counted.half, EXACT)).max()
    allowed = joint(counted.value.size)
    return finding(
        f"means and variances relative to the expected ones {'; '.join(said)}; requests at most {away:.1f} half widths "
        f"from P over the period, of {allowed:.1f} for all together",
        all(holds) and away <= allowed,
    )


@check("thesis-6-116", on_demand=True)
def nobody_waits(on_demand=False):
    """Waits on paths, and messages at other loads; the control probes on demand."""
    waited = [
        wait
        for policy in POLICIES
        for path in recorded.paths(policy, (not on_demand,))
        for wait in recorded.waits(path)
    ]
    worst, number, ends = max(waited), 0, []
    for kind, each in ((REQUESTS, 1), (REPLIES, periodic.LIMIT)):
        loads, figure = periodic.at_loads("traffic", index=kind), periodic.sent(kind)
        ends.append(np.abs(loads.value - each * 16) / np.maximum(loads.half, EXACT))
        ends.append(np.abs(figure.value - each * periodic.requests()) / np.maximum(figure.half, EXACT))
        number += loads.value.size + figure.value.size
    away = max(each.max() for each in ends)
    return finding(
        f"{len(waited)} jobs waited for {'no time' if worst == 0 else f'up to {worst:.3f}'}; messages at six loads and "
        f"in the figures at most {away:.1f} half widths from P over the period and from its replies, of "
        f"{joint(number):.1f} for all together",
        worst == 0 and away <= joint(number),
    )


def _records_due(p, asked, known):
    """What a processor must remember of a migration that it asks for: of whom, and by how much."""
    if asked is None:
        return []
    due = [(p, asked.source, -1)] if any(known.get(asked.source, ())) else []
    return due + ([(p, asked.target, 1)] if asked.target in known else [])


@check("thesis-6-112", changed=("replies only",))
def own_decisions_count(changed=()):
    """Every change of a record on paths with periodic probing; in the control decisions change none."""
    unasked, missing, wrong, decided, replies = 0, 0, 0, 0, 0
    for policy in POLICIES:
        for path in recorded.paths(policy, (True,), changed=changed):
            P = path.setting.processors
            records, by = [{} for _ in range(P)], [{} for _ in range(P)]
            due, answered = [], {}
            for event in path.events:
                p = event.processor
                if event.what == "records":
                    other, before, row, why = event.other
                    unasked += why not in ("reply", "decision")
                    if why == "reply":
                        replies += 1
                        new = answered[p]
                        for old in [k for k, probing in by[p].items() if probing is not new]:
                            del by[p][old], records[p][old]
                        by[p][other] = new
                    else:
                        decided += 1
                        change = [b - a for a, b in zip(before, row)]
                        wrong += sorted(map(abs, change)) != [0] * (len(row) - 1) + [1]
                        if (p, other, sum(change)) in due:
                            due.remove((p, other, sum(change)))
                        else:
                            unasked += 1
                    records[p][other] = row
                    continue
                if event.what == "receives" and event.message.kind == "probe reply":
                    answered[p] = event.message.probing
                elif event.what == "places":
                    missing, due = missing + len(due), [(p, event.other, 1)] if event.other in event.known else []
                elif event.what in ("rebalances", "sends away"):
                    missing, due = missing + len(due), _records_due(p, event.other, records[p])
            wrong += records != path.records
    change = {name: np.abs(readings.at_periods("replies only", name).value).max() for name in (DEVIATION, LOSS)}
    return finding(
        f"{replies} replies and {decided} decisions change a record by one; changes without a cause {unasked}, "
        "decisions "
        f"without a change {missing}, wrong {wrong}; if only replies did, deviations differ by up to "
        f"{change[DEVIATION]:.3f} and losses by up to {change[LOSS]:.3f}",
        not unasked and not missing and not wrong and decided > 0,
    )


@check("thesis-6-108", uninformed=True)
def always_granted(uninformed=False):
    """Requests on paths, and what it changes if the rule must still hold; in the control nobody is asked."""
    wrong, granted, refused, centred, variance = 0, 0, 0, 0.0, 0.0
    for policy in POLICIES:
        for setting in recorded.settings(policy):
            network = PrintedNetwork(setting, np.random.default_rng([108, setting.limit]))
            walk = Walk(network)
            while len(network.events) < recorded.OF_A_POLICY // 24:
                begun, there = len(network.events), [walk.there(p) for p in range(setting.processors)]
                network.step()
                for event in network.events[begun:]:
                    if event.message is None or event.what not in ("grants", "refuses"):
                        continue
                    asked = event.message.carries[0]
                    queue = there[event.processor]
                    eligible = sum(queue) if asked.group is None else queue[asked.group]
                    if event.what == "refuses":
                        wrong, refused = wrong + (eligible > 0), refused + 1
                        continue
                    place, number = event.other
                    wrong, granted = wrong + (number != eligible), granted + 1
                    centred, variance = centred + place - (number - 1) / 2, variance + (number**2 - 1) / 12
                walk.follow()
    score = centred / np.sqrt(variance)
    if uninformed:
        change = [readings.uninformed(name).value for name in readings.BOTH]
    else:
        change = [readings.at_limits("rule must hold", name).value for name in readings.BOTH]
        change += [readings.slow_migrations("rule must hold", name).value for name in readings.BOTH]
    same = np.concatenate([np.abs(each).ravel() <= NEGLIGIBLE for each in change])
    holds = np.append(same, not wrong and refused > 0 and abs(score) <= CONFIDENT)
    largest = max(np.abs(each).max() for each in change)
    return Finding(
        f"{granted} requests granted, {refused} refused for want of a job, {wrong} otherwise; the place drawn is "
        f"{score:.1f} standard deviations from the middle; "
        f"{'nobody asked' if uninformed else 'if the rule must hold'}: "
        f"differences up to {largest:.4f}, at most {NEGLIGIBLE:g} at {same.sum()} of {same.size} points",
        "agrees" if holds.all() else "agrees in part" if holds[-1] and same.mean() > 0.5 else "differs",
    )


@check("thesis-6-115", random=True)
def constant_periods(random=False):
    """Jobs that meet at a processor known as idle, and the deviation; in the control periods are not constant."""
    constant = (0.1, "together") if random else (0.0, "together")
    holds, said = [], []
    number = 2 * len(periodic.EXTREMES)
    for quantity in ("collisions", DEVIATION):
        found = periodic.kinds_of_period(quantity)
        more = found[constant] - found[0.1, "random"]
        holds.append(above(more, number))
        phases = found[0.0, "random"] - found[0.1, "random"]
        said.append(
            f"{'such placements' if quantity == 'collisions' else 'deviation'} higher by "
            f"{', '.join(f'{each:.3f}' for each in more.value + 0.0)} (with random phases "
            f"{', '.join(f'{each:.3f}' for each in phases.value + 0.0)})"
        )
    often = [each.mean() >= 0.5 for each in holds]
    return Finding(
        f"{'; '.join(said)}; told at {holds[0].sum()} and {holds[1].sum()} of {len(periodic.EXTREMES)} periods",
        "agrees" if all(often) else "agrees in part" if any(each.any() for each in holds) else "differs",
    )


@check("thesis-6-117", periods=(0.05, 0.1))
def less_traffic(periods=periodic.ALL):
    """Pairs of periodic and on-demand probing of comparable performance; the control has short periods only."""
    clock = periodic.by_period(DEVIATION, periods).value
    demand = periodic.on_demand(DEVIATION, LIMITS[1:]).value
    less = periodic.messages(periods)[:, None] < periodic.messages_on_demand(LIMITS[1:])[None]
    worse = clock[:, :, None] - demand[:, None]
    found = {within: (less & (worse <= within)).any(axis=(1, 2)) for within in (0.2, 0.05, 0.02, 0.0)}
    return over_domain(
        "; ".join(
            f"within {within:g} for {named(holds, POLICIES)}" if within else f"better for {named(holds, POLICIES)}"
            for within, holds in found.items()
        ),
        found[0.2],
    )


@check("thesis-6-118", on_demand=True)
def mostly_stale(on_demand=False):
    """The part of the decisions that rest on what is no longer so; the control probes on demand."""
    found = periodic.by_period("stale_decisions")
    if on_demand:
        found = periodic.on_demand("stale_decisions")
        found = Measured(*(np.repeat(part, len(periodic.ALL), axis=1) for part in found))
    holds = above(found, found.value.size, 0.5)
    since = [
        next((f"{period:g}" for k, period in enumerate(periodic.ALL) if row[k:].all()), "nowhere") for row in holds
    ]
    bad = periodic.by_period(DEVIATION).value > 0.05
    first = [found.value[k, np.argmax(row)] if row.any() else np.nan for k, row in enumerate(bad)]
    return over_domain(
        f"{by_policy(found.value[:, 0])} at {periodic.ALL[0]:g}, {by_policy(found.value[:, -1])} at "
        f"{periodic.ALL[-1]:g}; more than half from a mean period of {', '.join(since)} on; a deviation above "
        "0.05 comes "
        f"with {by_policy(first)}",
        holds,
    )

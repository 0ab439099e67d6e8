"""Claims of `thesis`, Section 6.2: the network, its customers, and where jobs count."""

import inspect
from collections import Counter
from fractions import Fraction
from fractions import Fraction as F

import numpy as np

from clustershare import dispatch
from compendium.press import clauses
from compendium.press.clauses import aside, cases, conclude, everywhere, exact, fact
from compendium.press.clauses.conditions import agrees, at_least, at_most, between, equal, larger, within
from compendium.press.findings import check
from pages.share_scheduling.distributed.points import readings
from pages.share_scheduling.distributed.points.limits import rate
from pages.share_scheduling.distributed.points.network_times import accounts
from pages.share_scheduling.distributed.points.periodic import ARRIVING, by_period, uninformed
from pages.share_scheduling.distributed.points.readings import at_limits, at_periods, no_matter
from pages.share_scheduling.distributed.points.stored import REPLIES, REQUESTS
from pages.share_scheduling.distributed.printed.rules import whole_parts
from pages.share_scheduling.distributed.systems import CASES, LIMITS, POLICIES
from pages.share_scheduling.distributed.witnesses import followed, network_alone, recorded
from pages.share_scheduling.distributed.witnesses.event_loop import PrintedNetwork
from pages.share_scheduling.distributed.witnesses.parts import MIGRATION, PLACEMENT, Setting
from pages.share_scheduling.distributed.witnesses.recorded import kinds, paths, unaccounted

NONE = between(0, 0)
SETTINGS = [setting for policy in POLICIES for setting in recorded.settings(policy)]
SOME = LIMITS[1:]
EVENTS_OF_EACH = -(-recorded.OF_A_POLICY // 24)  # of these settings of a policy
BYTES, NETWORK = (1000, 1024), 10**8  # of a message; bits a second
UNIT = 100  # seconds to a mean service time
ADDRESS_SPACE = (10**7, 10 * 2**20)


def sampled(value, half, **axes):
    """Counts of paths, with the half widths of the normal law."""
    return clauses.measured(value, half, runs=10**6, **axes)


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


def _rng(seed, setting):
    return np.random.default_rng([seed, setting.limit])


def walked(setting, network_counts):
    """A path step by step beside its walk and the library: faults, gaps, and the sizes of migrations."""
    network, cluster = PrintedNetwork(setting, _rng(109, setting)), followed.library(setting, _rng(109, setting))
    walk, total, level = Walk(network), 0.0, np.array(Walk(network).levels())
    worst, lost, number, jumps, beside = 0.0, 0.0, 0, 0, {"level": 0.0, "sums": 0.0}
    while len(network.events) < EVENTS_OF_EACH:
        then = network.now
        network.step()
        total = total + level * (network.now - then)
        walk.follow()
        level = np.array(walk.levels(network_counts))
        worst = max(worst, np.abs(level - network.levels()).max())
        lost, number = min(lost, level[0] - level[1]), number + 1
        if network.jumps > jumps:
            cluster.run(network.jumps - jumps)
            jumps = network.jumps
            for name, mine in (("level", level), ("sums", total)):
                gap = np.abs(mine - followed.shares(getattr(cluster.tally, name))).max()
                beside[name] = max(beside[name], gap)
    sent = [event.message for event in network.events if event.what == "sends"]
    gone = sum(event.what == "places" and event.other != event.processor for event in network.events)
    sizes = [message.size / setting.migration_time for message in sent if message.kind == MIGRATION]
    return {
        "shares": worst, "sums": np.abs(total - network.integrals).max(), "faults": walk.faults, "lost": lost,
        "library": beside["level"], "library's sums": beside["sums"], "steps": number,
        "unsent": gone - sum(message.kind == PLACEMENT for message in sent),
        "alike": recorded.kinds(network)[1], "sizes": len(sizes), "sum": sum(sizes), "squares": sum(np.square(sizes)),
    }  # fmt: skip


@check("thesis-6-109", network_counts=False)
def where_jobs_count(network_counts=True):
    """Shares from the list of all jobs at every event; in the control those on the network do not count."""
    found = cases("path", SETTINGS).measure(lambda setting: walked(setting, network_counts))
    number, total, squares = (float(found[name].value.sum()) for name in ("sizes", "sum", "squares"))
    return conclude(
        everywhere("the shares from the list of jobs and those of the path", found["shares"], equal(1e-12)),
        everywhere("their sums over time", found["sums"], equal(1e-9)),
        everywhere("these shares and those of the library", found["library"], equal(1e-12)),
        everywhere("their sums and those of the library", found["library's sums"], equal(1e-9)),
        followed.answered(SETTINGS, 40, 109),
        everywhere("how often a job is not in one place", found["faults"], NONE),
        everywhere("the feasible capacity less that used", found["lost"], at_least(0)),
        everywhere("the placements elsewhere, less the messages for them,", found["unsent"], NONE),
        everywhere("all other messages take the constant time", found["alike"]),
        everywhere("the mean of the times of migrations, in mean times, less 1,",
                   sampled(total / number - 1, 1.96 / np.sqrt(number)), agrees()),
        everywhere("their coefficient of variation",
                   exact(np.sqrt(squares / number - (total / number) ** 2) * number / total), between(0.8, 1.2)),
        aside("steps", exact(found["steps"].value.sum())), aside("migrations", exact(number)),
        whole=True,
    )  # fmt: skip


@check("thesis-6-108", uninformed=True)
def always_granted(uninformed=False):
    """Requests on paths, and what it changes if the rule must still hold; in the control nobody is asked."""
    found, centred, variance, walks = Counter(), 0.0, 0.0, []
    for setting in SETTINGS:
        network = PrintedNetwork(setting, _rng(108, setting))
        walk = Walk(network)
        walks.append(network)
        while len(network.events) < EVENTS_OF_EACH:
            begun, there = len(network.events), [walk.there(p) for p in range(setting.processors)]
            network.step()
            for event in network.events[begun:]:
                if event.message is None or event.what not in ("grants", "refuses"):
                    continue
                asked, queue = event.message.carries[0], there[event.processor]
                eligible = sum(queue) if asked.group is None else queue[asked.group]
                found[event.what] += 1
                if event.what == "refuses":
                    found["wrong"] += eligible > 0
                    continue
                place, number = event.other
                found["wrong"] += number != eligible
                centred, variance = centred + place - (number - 1) / 2, variance + (number**2 - 1) / 12
            walk.follow()
    said = {
        "if the rule must hold": lambda quantity: readings.at_limits("rule must hold", quantity),
        "that with slow migrations": lambda quantity: readings.slow_migrations("rule must hold", quantity),
    }
    return conclude(
        *readings.no_matter(said, uninformed),
        aside("requests granted", exact(found["grants"])),
        provided=[
            everywhere("the number of requests answered otherwise than printed", exact(found["wrong"]), NONE),
            everywhere("that of requests refused for want of a job", exact(found["refuses"]), larger()),
            everywhere("the mean place drawn, less the middle,",
                       sampled(centred / found["grants"], 1.96 * np.sqrt(variance) / found["grants"]), agrees()),
            followed.taken(walks, lambda setting: _rng(108, setting)),
        ],
    )  # fmt: skip


@check("thesis-6-105", left_out=(REPLIES,))
def five_kinds(left_out=()):
    """The time that the network is busy against the work of the five kinds; the control forgets the replies."""
    every = cases("path", [path for policy in POLICIES for path in paths(policy)])
    known = {kind for path in every.cases for kind in kinds(path)[0]}
    return conclude(
        *(everywhere(f"in {name}, the utilisation less the work brought", gap, agrees())
          for name, gap in accounts(left_out).items()),
        everywhere("event by event, the time busy and the work brought", every.measure(unaccounted), equal(1e-9)),
        everywhere("the number of kinds seen and 5", exact(len(known) - 5), equal(0)),
        recorded.taken(every.cases),
        whole=True,
    )  # fmt: skip


@check("thesis-6-107", changed=("request each",))
def one_request_for_all(changed=()):
    """Customers between a probing and its decision; in the control each processor probed is sent its own request."""

    def otherwise(path):
        sent = [event.message for event in path.events if event.what == "sends" and event.message.probing]
        probings = {id(event.probing): event.probing for event in path.events if event.what == "probes"}.values()
        wrong = sum(message.size != path.setting.probe_time for message in sent)
        for probing in probings:
            mine = [message.kind for message in sent if message.probing is probing]
            requests, replies = mine.count("probe request"), mine.count("probe reply")
            wrong += not probing.missing and (requests, replies) != (1, len(probing.others))
        return {"wrong": wrong, "whole": sum(not probing.missing for probing in probings)}

    found = cases("path", [path for policy in POLICIES for path in paths(policy, changed=changed)]).measure(otherwise)
    requests, replies = rate(REQUESTS), rate(REPLIES)
    return conclude(
        everywhere(
            "the number of probings on paths that are not of one request and a reply each", found["wrong"], at_most(0)
        ),
        aside("how many were complete", found["whole"]),
        everywhere("the requests per unit of time, less 16,", requests.at(limit=SOME) - 2 * ARRIVING, agrees()),
        everywhere("the replies, less 16 times the limit,", replies - np.array(LIMITS) * 2 * ARRIVING, agrees()),
        everywhere("the requests with nobody probed", requests.at(limit=0), within(0)),
        recorded.taken([path for policy in POLICIES for path in paths(policy)]),
        whole=True,
    )


@check("thesis-6-106", in_turn=True)
def one_server_for_all(in_turn=False):
    """Numbers, times and busy part of the network alone; in the control customers are served one after another."""
    shares, loads = CASES[1]
    setting = Setting("JSQ", tuple(map(Fraction, shares)), loads, 10, 3, probe_time=1e-3, migration_time=0.05)
    path = PrintedNetwork(setting, _rng(106, setting))
    unequal, shared = network_alone.unequal_service(path, 4000)
    gaps = network_alone.apart(network_alone.in_turn if in_turn else network_alone.alone)
    return conclude(
        everywhere("the network by itself, less the closed forms of M/G/1 with processor sharing,", gaps, agrees()),
        everywhere(
            "what customers that are present together are served between two events", exact(unequal), equal(1e-12)
        ),
        everywhere("the number of pairs of events with several customers between", exact(shared), larger()),
        followed.taken([path], lambda setting: _rng(106, setting)),
        whole=True,
    )


@check("thesis-6-050", nobody=True)
def when_it_is_removed(nobody=False):
    """On demand and periodically; the control asks nobody in place of the other reading."""
    found = {"on demand": lambda quantity: at_limits("keep replies", quantity)}
    kept = ("keep replies", "drop old")
    found |= {f"periodically, if it is {reading!r}": lambda quantity, reading=reading: at_periods(reading, quantity)
              for reading in kept}  # fmt: skip
    told = {reading: by_period(periods=(0.6, 10.0), reading=reading) for reading in kept}
    ways = {"keep replies": (False, True), "drop old": (True,)}  # to probe: periodically or not
    settings = [setting for policy in POLICIES for reading, periodic in ways.items()
                for setting in recorded.settings(policy, periodic, limits=(3,), changed=(reading,))]  # fmt: skip
    return conclude(
        *no_matter(found, nobody),
        *(aside(f"the deviation at 0.6 with {reading!r}", each.at(mean_period=0.6)) for reading, each in told.items()),
        *(aside(f"that at 10 with {reading!r}, less that of nobody asked,", each.at(mean_period=10.0) - uninformed())
          for reading, each in told.items()),
        provided=[followed.answered(settings, 40, 50)],
    )  # fmt: skip


def _usual(name):
    """What the simulator takes for a time of the network where it is told nothing."""
    return inspect.signature(dispatch.simulate_distributed).parameters[name].default


def apart(found, said):
    """How far numbers are from what is said, relative to the larger."""
    return exact([float(abs(each - said) / max(each, said)) for each in found], size=None)


@check("thesis-6-002", network=10**7)
def time_of_a_message(network=NETWORK):
    """The time of a message, in seconds and in mean services; the control has a slower network."""
    times, said = [F(8 * size, network) for size in BYTES], F(1, 10**4)
    seconds = {"1 minute": 60, "100 seconds": 100, "10 minutes": 600, "1 hour": 3600, "10 hours": 36000}
    in_services = exact([float(times[0] / each) for each in seconds.values()], service=tuple(seconds))
    return conclude(
        everywhere("the time of a message and 100 microseconds, relative to the larger,", apart(times, said),
                   at_most("comparable")),
        fact("100 microseconds are a millionth of 100 seconds", said / UNIT == F(1, 10**6), "they are not"),
        everywhere("the usual time of a message in the simulator and that", exact(_usual("probe_service_time") - 1e-6),
                   equal(1e-12)),
        everywhere("it in services of 100 seconds or more", in_services.at(service=tuple(seconds)[1:]), at_most(1e-6)),
        aside("the time of a message in microseconds", exact([float(each) * 1e6 for each in times], size=BYTES)),
        aside("it in services", in_services),
        whole=True,
    )  # fmt: skip


@check("thesis-6-003", spaces=(10**8,))
def time_of_a_migration(spaces=ADDRESS_SPACE):
    """The time of a migration in mean services; the control moves the job of Section 5.2.1."""
    said, probe = F(1, 100), F(1, 10**6)
    times = [F(8 * size, NETWORK) / UNIT for size in spaces]
    return conclude(
        everywhere(
            "the time of a migration and 0.01, relative to the larger,", apart(times, said), at_most("comparable")
        ),
        fact("sizes are as the times", F(spaces[0], BYTES[0]) == said / probe, "sizes are not as the times"),
        everywhere(
            "the usual mean time of a migration in the simulator and 0.01",
            exact(_usual("migration_service_time") - 0.01),
            equal(1e-12),
        ),
        everywhere(
            "0.01 less the time of a message, relative to the larger,",
            exact(float((said - probe) / said)),
            at_least("clear"),
        ),
        aside("the time of a migration", exact(list(map(float, times)), size=spaces)),
        whole=True,
    )

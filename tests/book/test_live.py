"""The live simulator is a second implementation: its answers and its paths are held against the library's."""

import numpy as np
import pytest

from clustershare.arguments import UnstableError
from clustershare.uniprocessor.model import Workload
from live_engine import misfits, page_of
from live_paths import of_algorithm, of_choices, of_network, of_up_down
from live_systems import PARTS, shown, systems

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("live")


@pytest.fixture
def live(visit, folder):
    """Loaded once, until a broken copy takes its place."""
    return visit.page if visit.page.url.startswith(folder.as_uri()) else page_of(visit, folder)


@pytest.mark.parametrize("part", PARTS)
def test_answers_are_the_librarys(live, part):
    """Four random systems of each policy; exact where there is an exact answer, else simulated by both."""
    assert misfits(live, systems(part)) == []


def test_the_examples_of_pages_have_the_numbers_beside_them(live):
    every = list(shown())
    assert len(every) > 11 and misfits(live, every) == []


NAMED = ("JSQ", "HP", "SVP", "DVP")  # by the thesis


@pytest.mark.parametrize("policy", [*NAMED, "JSQ(d)", "SPILL"])
def test_rules_choose_as_the_librarys_at_each_event(live, policy):
    """On 10^4 events: the same next states, with the same probabilities, whatever is left to chance."""
    assert of_choices(live, policy, True, "GPPS", [0.5, 0.5], 3, 10_000 if policy in NAMED else 1000) == []
    assert of_choices(live, policy, True, "GPPS", [0.625, 0.375], 4, 800, 10) == []
    assert of_choices(live, policy, True, "PS", [0.5, 0.3, 0.2], 3, 400, 10) == []
    assert of_choices(live, policy, False, "PS", [0.5, 0.3, 0.2], 5, 300, 12) == []


def test_up_down_serves_as_the_kernel_does(live):
    """On 10^4 events with the kernel's numbers; loads for which neither group always comes first."""
    assert of_up_down(live, [0.5, 0.5], [0.45, 0.45]) == []


def test_algorithm_1_has_the_librarys_queue(live):
    """On 10^4 events with the kernel's numbers: the same jobs in the same order at the same times."""
    assert of_algorithm(live, [[0, 2], [1, 2]], [1, 1, 1], [1.2, 1.2], 3) == []
    assert of_algorithm(live, [[0], [0, 1], [1, 2, 3]], [1, 2, 0.5, 1], [0.7, 1.3, 1.3], 0.5, 2000) == []


NETWORKS = (
    {"shares": ("3/4", "1/4"), "loads": (0.4, 0.4), "processors": 10, "limit": 3, "events": 1000},
    {"shares": ("3/4", "1/4"), "loads": (0.4, 0.4), "processors": 10, "limit": 3, "events": 1000, "period": 0.5},
    {"shares": ("5/8", "3/8"), "loads": (0.5, 0.3), "processors": 4, "limit": 2, "events": 700, "arrival": "VP",
     "probing": "VP"},
    {"shares": ("1/2", "1/4", "1/4"), "loads": (0.3, 0.3, 0.2), "processors": 4, "limit": 1, "events": 700,
     "probing": "VP", "local": "PS"},
    {"shares": ("5/8", "3/8"), "loads": (0.5, 0.3), "processors": 4, "limit": 0, "events": 500, "migration": False},
)  # fmt: skip


@pytest.mark.parametrize("policy", [*NAMED, "Isolation"])
def test_processors_ask_as_printed(live, policy):
    """Event by event with the numbers of the loop that was written from the words of Chapter 6."""
    for network in NETWORKS if policy != "Isolation" else NETWORKS[-1:]:
        assert of_network(live, policy, **network) == []


def choices(policy, shares=(0.625, 0.375), processors=4):
    return lambda page: of_choices(page, policy, True, "GPPS", list(shares), processors, 400, 10)


def answers(part, policy):
    """The answers for a policy, or for a law of sizes."""

    def of(one):
        return one.name, one.settings.get("size", {}).get("law")

    return lambda page: misfits(page, [one for one in systems(part) if policy in of(one)])


def network(policy, number):
    return lambda page: of_network(page, policy, **{**NETWORKS[number], "events": 400})


def queue(page):
    return of_algorithm(page, [[0, 2], [1, 2]], [1, 1, 1], [1.2, 1.2], 3, 300)


def turns(page):
    return of_up_down(page, [0.5, 0.5], [0.45, 0.45], 300)


# A fault of each kind that one may make in a rule, and what must see it.
BROKEN = [
    ("dispatch", 'view.took("I1", view.fewest())', 'view.took("I1", view.most())', choices("JSQ")),
    ("dispatch", "view.total[p] >= view.total[q] + 2", "view.total[p] >= view.total[q] + 1", choices("JSQ")),
    ("dispatch", "sign * (this.count[k][g] + this.total[k] * TIE)", "sign * this.count[k][g]", choices("HP")),
    ("dispatch", "view.count[p][h] >= view.count[q][h] + 1", "view.count[p][h] >= 1",
     choices("HP", (0.5, 0.3, 0.2), 2)),
    ("dispatch", "(count[k][g] + 1) / parts[k][g]", "(total[k] + 1) / parts[k][g]", choices("SVP")),
    ("dispatch", "count[k][h] / parts[k][h] - (count[q][h] + 1) / parts[q][h]", "count[k][h]", choices("SVP")),
    ("dispatch", "some > 0 && some < total[k]", "some > 0", choices("SVP")),
    ("dispatch", "view.shares[g] + 1 / view.processors - NEAR", "view.shares[g] - NEAR", choices("DVP")),
    ("dispatch", "count[k][g] > 0 && k !== dropped", "count[k][g] > 0", choices("DVP")),
    ("dispatch", "view.total[p] < view.total[best]", "view.total[p] > view.total[best]", choices("JSQ(d)")),
    ("dispatch", "return idle >= 0 ? idle : own;", "return own;", choices("SPILL")),
    ("dispatch", 'return asked("M2", pair);', "return null;", choices("SVP")),
    ("dispatch", "Math.round(x * below) / below;", "x;", choices("SVP", (0.5, 0.3, 0.2), 3)),
    ("one_processor", "(this.shares[g] - share[g])", "(1 - share[g])", turns),
    ("servers", "this.draw(job);\n        this.line.push(job);", "this.draw(job);\n        this.line.unshift(job);",
     queue),
    ("distributed", "view.preferOwn = true;", "view.preferOwn = false;", network("JSQ", 0)),
    ("distributed", "return sum / this.size;", "return sum / this.processors;", network("DVP", 0)),
    ("distributed", "row[h] = Math.max(row[h] + by, 0);", "", network("HP", 1)),
    ("distributed", "alike[k] = alike[alike.length - 1];", "alike[k] = alike[0];", network("JSQ", 0)),
    ("distributed", "(at - this.now) / messages.length", "at - this.now", network("JSQ", 0)),
    ("jobs", 'rule === "PS" ? jobs', 'rule === "PS" ? 1', answers("one", "PS")),
    ("jobs", "weight * jobs : weight", "weight : weight", answers("one", "PPS")),
    ("jobs", "Math.min(shares[g], present[g] / P)", "shares[g]", answers("splitting", "VPRS")),
    ("one_processor", "this.shared || this.preemptive || this.serving", "this.shared || this.serving",
     answers("one", "PQ")),
    ("one_processor", "this.class[one] > this.class[other]", "this.class[one] < this.class[other]",
     answers("one", "HOL")),
    ("one_processor", "share[g] > 0 && count[g] > 1", "share[g] > 0", answers("one", "FCFS")),
    ("random", "least * (1 - chance.uniform())", "mean * (1 - chance.uniform())", answers("one", "pareto")),
    ("random", "means[live.weighted(chance, probabilities, 1)]", "means[0]", answers("one", "hyperexponential")),
    ("servers", "/ this.reach[set]);", "/ (0.5 + this.reach[set]));", answers("servers", "balanced")),
    ("tracker", "this.widths[this.tracked.group] <= this.free", "true", answers("tracker", "tracker")),
    ("tracker", "this.waiting.length < this.places", "this.waiting.length <= this.places",
     answers("tracker", "tracker")),
]  # fmt: skip


@pytest.mark.parametrize("script, old, new, check", BROKEN, ids=[f"{one[0]}: {one[1][:30]}" for one in BROKEN])
def test_a_broken_copy_is_found_out(visit, tmp_path, script, old, new, check):
    page = page_of(visit, tmp_path, (script, old, new))
    try:
        found = check(page)
    except Exception as error:  # a script that fails, for want of numbers or of a processor
        found = [str(error)]
    assert found


REFUSED = {
    "model must be one of one, dispatch, distributed, servers, tracker; got \"x\".": {"model": "x"},
    "loads must be a list of 2; got [0.4].": {"model": "one", "policy": "PS", "loads": [0.4]},
    "policy must be one of FCFS, HOL, UD, PQ, PS, PPS, GPPS; got \"JSQ\".":
        {"model": "one", "policy": "JSQ", "loads": [0.4, 0.4]},
    "shares must sum to 1; they sum to 0.9.": {"model": "dispatch", "shares": [0.5, 0.4], "loads": [0.4, 0.4]},
    "loads[1] must be a number of at least 0 and at most 100; got -1.": {"model": "dispatch", "loads": [0.4, -1]},
    "probeLimit must be a number of at least 0 and at most 9; got 10.":
        {"model": "distributed", "policy": "JSQ", "loads": [0.4, 0.4], "probeLimit": 10},
    "graph.serversOf[0] must name one server at least, and none twice.":
        {"model": "servers", "loads": [1], "graph": {"serversOf": [[0, 0]], "capacities": [1]}},
    "sizes must sum to 1; they sum to 0.5.": {"model": "tracker", "sizes": {1: 0.5}},
    "exponent must be a number above 1 and at most 100; got 1.":
        {"model": "one", "policy": "PS", "loads": [0.4, 0.4], "size": {"law": "pareto", "exponent": 1}},
}  # fmt: skip


def test_nonsense_is_refused_with_a_sentence(live):
    tried = "list => list.map(one => { try { live.make(one); return null; } catch (error) { return error.message; } })"
    assert live.evaluate(tried, list(REFUSED.values())) == list(REFUSED)


OVERLOADED = (
    {"model": "one", "policy": "PS", "loads": [0.6, 0.6]},
    {"model": "dispatch", "policy": "JSQ", "loads": [0.6, 0.6]},
    {"model": "dispatch", "policy": "VPRS", "loads": [0.7, 0.1], "limit": 300},
    {"model": "dispatch", "policy": "SVP", "loads": [0.7, 0.1], "limit": 300},
    {"model": "distributed", "policy": "JSQ", "loads": [0.6, 0.6], "limit": 300},
    {"model": "servers", "policy": "algorithm", "loads": [2.5], "graph": {"serversOf": [[0]], "capacities": [2]}},
)


def test_an_overload_is_told_and_stops(live):
    run = """list => list.map(one => { const simulation = live.make(one), told = simulation.overload;
      const events = simulation.run(1e6), kind = simulation.step().kind;
      return [told, events < 1e6, simulation.jobs.length, simulation.stopped, kind]; })"""
    for (told, ended, jobs, stopped, kind), given in zip(live.evaluate(run, OVERLOADED), OVERLOADED, strict=True):
        most = given.get("limit", 2000)
        assert told.endswith("and no mean exists.") and ended and jobs == most + 1 and kind == "stopped"
        assert stopped == f"Stopped: there are more than {most} jobs. {told}"


def test_messages_that_heap_up_are_told_and_stop(live):
    """Asked by the clock more often than the network can carry, whatever the jobs do."""
    given = {"model": "distributed", "policy": "JSQ", "loads": [0.05, 0.05], "limit": 300}
    given |= {"probePeriod": 0.1, "probeTime": 0.1}
    run = """one => { const simulation = live.make(one); simulation.run(1e6);
      return [simulation.overload, simulation.stopped, simulation.jobs.length, simulation.messages.length]; }"""
    told, stopped, jobs, messages = live.evaluate(run, given)
    assert told.startswith("Processors ask more than the network can carry") and jobs < 300 < messages < 320
    assert stopped == f"Stopped: there are more than 300 messages. {told}"


def heaps(page, settings, bunches=4, events=100_000):
    """Bytes in use after bunches of events, each followed by what a page asks for."""
    page.evaluate("(settings) => { window.one = live.make(settings); }", settings)
    session = page.context.new_cdp_session(page)
    used = []
    for _ in range(bunches):
        page.evaluate("(events) => { one.run(events); one.measures(); one.intervals(); }", events)
        session.send("HeapProfiler.collectGarbage")
        used.append(session.send("Runtime.getHeapUsage")["usedSize"])
    session.detach()
    return used


OF_THREE = {"serversOf": [[0], [0, 1], [1]], "capacities": [1, 1]}
ASKED_BY_THE_CLOCK = {"model": "distributed", "policy": "JSQ", "probePeriod": 1.0, "probeTime": 1e-3}


@pytest.mark.parametrize("system", [{"model": "dispatch", "policy": "JSQ"}, ASKED_BY_THE_CLOCK])
def test_a_long_run_needs_no_more_memory(live, system):
    _, begun, *_, ended = heaps(live, {**system, "loads": [0.4, 0.4]})  # in the first bunch code is compiled
    assert ended < begun + 150_000


def test_an_overload_stops_before_memory_does(live):
    *_, last = heaps(live, {"model": "dispatch", "policy": "JSQ", "loads": [0.7, 0.7]})
    assert live.evaluate("one.stopped").startswith("Stopped: there are more than 2000 jobs.") and last < 10_000_000
    # Of balanced fairness the rates of all states so far are kept.
    *_, last = heaps(live, {"model": "servers", "policy": "balanced", "graph": OF_THREE, "loads": [1.2] * 3}, 2, 1000)
    stopped = live.evaluate("one.stopped")
    assert stopped.startswith("Stopped: there are too many jobs") and stopped.endswith("no mean exists.")
    assert last < 100_000_000


def test_a_group_without_mean_beside_permanent_jobs_is_told(live):
    """Of random systems with permanent jobs those that the library refuses."""
    rng, given, refused = np.random.default_rng(5), [], []
    for _ in range(400):
        groups, policy = int(rng.integers(2, 4)), str(rng.choice(["FCFS", "HOL", "UD", "PQ", "PS", "PPS", "GPPS"]))
        shares = rng.permutation([[0.4, 0.6], [0.2, 0.3, 0.5]][groups - 2]).tolist()
        loads = (rng.dirichlet([1] * groups) * rng.uniform(0.2, 0.99)).tolist()
        permanent = rng.integers(0, 4, groups).tolist() if rng.random() < 0.7 else rng.integers(0, 2, groups).tolist()
        given.append({"model": "one", "policy": policy, "shares": shares, "loads": loads, "permanent": permanent})
        try:
            Workload(policy, shares, loads, [1] * groups, permanent)
        except UnstableError:
            refused.append(len(given) - 1)
    told = live.evaluate("list => list.map(one => live.make(one).overload !== null)", given)
    assert [k for k, one in enumerate(told) if one] == refused and 50 < len(refused) < 350


def test_a_path_is_the_same_however_it_is_gone(live):
    """By events in a bunch, one by one, or by the clock; and two policies meet the same jobs."""
    gone = """() => [0, 1, 2].map((how) => {
      const given = { model: "dispatch", policy: "SVP", migration: true, loads: [0.4, 0.4], seed: 7 };
      const simulation = live.make(given), first = live.make(given);
      first.run(3000);
      if (how === 0) simulation.run(3000);
      if (how === 1) for (let k = 0; k < 3000; k++) simulation.step();
      if (how === 2) for (let at = 0; at < first.now; at += 0.05) simulation.advance(at);
      simulation.advance(first.now + 1e-9);
      return [simulation.events, simulation.lanes.map((lane) => lane.count.join()),
        simulation.lanes.map((lane) => lane.jobs.map((job) => job.left.toPrecision(6)).join())]; })"""
    bunch, steps, clock = live.evaluate(gone)
    assert bunch[0] == 3000 and bunch == steps == clock
    met = """() => ["JSQ", "DVP"].map((policy) => {
      const simulation = live.make({ model: "dispatch", policy, loads: [0.4, 0.4], seed: 7 }), met = [];
      while (met.length < 500) { const { kind, job, time } = simulation.step();
        if (kind === "arrival") met.push([time, job.group, job.size].map((x) => x.toPrecision(9)).join()); }
      return met; })"""
    one, other = live.evaluate(met)
    assert one == other


def test_intervals_cover(live):
    """The mean number of jobs of an M/M/1 queue lies within 95 of 100 intervals, or nearly so many."""
    run = """() => Array.from({ length: 100 }, (_, seed) => { const simulation = live.make(
      { model: "one", policy: "FCFS", loads: [0.25, 0.25], seed: seed + 1 });
      simulation.run(500); simulation.reset(); simulation.run(20000);
      return Math.abs(simulation.measures().jobs[0] - 0.5) <= simulation.intervals().jobs[0]; })"""
    assert 88 <= sum(live.evaluate(run)) <= 100

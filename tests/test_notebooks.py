"""Every notebook is committed executed, and runs again with other parameters."""

import io
import re
import tokenize

import nbformat
import pytest

from clustershare import multiserver
from clustershare.__main__ import main
from clustershare.study import notebooks, places

NOTEBOOKS = notebooks.notebooks()
NAMES = [path.stem for path in NOTEBOOKS]


def tags(cell):
    return cell.metadata.get("tags", [])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_it_is_committed_executed_from_top_to_bottom(path):
    cells = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_its_figures_are_numbered_described_and_published(path):
    for cell in nbformat.read(path, 4).cells:
        for output in cell.get("outputs", []):
            if "image/svg+xml" in output.get("data", {}):
                described = output.metadata["clustershare"]
                assert cell.metadata["mystnb"]["figure"]["caption"] == described["caption"]
                assert cell.metadata["mystnb"]["image"]["alt"] == described["alt"]
                published = places.ROOT / "figures" / f"{described['figure']}.svg"
                assert published.read_text(encoding="utf-8") == "".join(output["data"]["image/svg+xml"])


def lines_of_code(source):
    """Lines that hold anything but comments, captions and other long texts."""
    words = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return len({token.start[0] for token in tokens if token.type not in words})


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_it_is_thin(path):
    cells = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    assert sum(lines_of_code(cell.source) for cell in cells) <= 60  # about 40, and the brackets that close


def execute(name, tmp_path, **parameters):
    """Run a notebook at quick fidelity with other parameters; what it glued, as numbers where they are numbers."""
    source = next(path for path in NOTEBOOKS if path.stem == name)
    target = tmp_path / source.name
    environment = {"CLUSTERSHARE_FIGURES": str(tmp_path), "CLUSTERSHARE_RESULTS": str(tmp_path)}
    notebooks.execute(source, target, parameters, environment)
    return notebooks.glued(nbformat.read(target, 4))


def test_equal_shares_with_another_load(tmp_path):
    values = execute("equal_shares", tmp_path, fidelity="quick", load=0.5)
    # FCFS at load rho changes sign where the other group's load is 1 - r: at (rho - 1/2) / rho of the load.
    assert values["sign-change"] == pytest.approx(0, abs=1e-9)
    assert values["gpps-worst"] < 0
    assert (tmp_path / "thesis-fig-3.5.svg").exists()


def test_no_groups_with_other_permanent_jobs(tmp_path):
    values = execute("no_groups", tmp_path, fidelity="quick", permanent_jobs=[2, 1], loads=[0.02, 0.03])
    assert values["formula-against-chain"] < 1e-4
    assert values["printed"] == pytest.approx(5 / 12) and values["right"] == pytest.approx(7 / 18)


def test_priorities_with_other_service_rates(tmp_path):
    values = execute("priorities", tmp_path, alpha=3.0, required_share=0.7, first_shares=[0.6, 0.8])
    assert 0 < values["corner"] < 1 - 0.3**0.5  # (3.68), (3.71)
    assert values["other-share"] == pytest.approx(0.287272, abs=1e-6)


def test_weighted_sharing_at_a_lower_load(tmp_path):
    values = execute("weighted_sharing", tmp_path, load=0.5)
    assert values["gpps-worst"] < 0 and values["gpps-worst"] <= values["pps-worst"]


def test_unequal_loads_with_another_share(tmp_path):
    values = execute("unequal_loads", tmp_path, fidelity="quick", required_share=0.6)
    assert values["up-down-worst"] < 0.05
    assert values["groups-apart"] < 0.02


def test_unequal_shares_at_a_lower_load(tmp_path):
    values = execute("unequal_shares", tmp_path, fidelity="quick", load=0.6)
    assert 0.5 < values["threshold"] < 0.5774
    assert values["pps-worst"] < 0.0575


def test_permanent_jobs_beside_less_load(tmp_path):
    values = execute("permanent_jobs", tmp_path, fidelity="quick", load=0.4)
    assert values["up-down-two"] < 0.02
    assert values["hol-share"] > 0.2873


def test_the_feasible_plane_at_a_lower_load(tmp_path):
    values = execute("feasible_plane", tmp_path, load=0.5, load_of_three=0.4, points=4, points_of_three=2)
    assert values["gpps-kept"] == 1 > values["hol-kept"]


def test_three_servers_with_other_interruptions(tmp_path):
    values = execute("three_servers", tmp_path, fidelity="quick", interruptions=[0, 20])
    assert values["rate-half-load"] == pytest.approx(1.0294, abs=1e-3)
    assert values["closest"] > values["fcfs"]


def test_the_order_independent_queue_of_another_graph(tmp_path):
    values = execute(
        "order_independent", tmp_path, servers_of_class=[[0], [0, 1]], capacities=[1.0, 0.5], arrival_rates=[0.3, 0.4],
        line=[1, 0, 1], interruptions=[10, 100, 1000],
    )  # fmt: skip
    assert values["aggregate"] == pytest.approx(1, rel=1e-12)
    assert values["slope"] == pytest.approx(2, abs=0.1)  # a hundredth of the error for a hundred times as many


def test_nested_classes_with_a_faster_common_server(tmp_path):
    values = execute("nested", tmp_path, fidelity="quick", interruptions=[1], capacities=[0.5, 0.0, 2.0])
    assert 0 < values["rate-class-2"] < values["rate-class-1"] < 2.5
    assert len(list(tmp_path.glob("balanced-fig-2*.svg"))) == 6


def test_random_assignment_among_fewer_servers(tmp_path):
    values = execute("random_assignment", tmp_path, fidelity="quick", interruptions=[1], servers=20)
    assert values["delay-three"] < values["delay-two"]
    assert values["delay-two"] == pytest.approx(multiserver.random_assignment(20, 2, 0.8).mean_delay, rel=1e-2)
    assert len(list(tmp_path.glob("balanced-fig-[34]*.svg"))) == 12


def test_sensitivity_with_fewer_interruptions(tmp_path):
    values = execute("sensitivity", tmp_path, fidelity="quick", interruptions=[1, 10], loads=[0.5])
    assert 0.2 < values["worst"] < 2
    assert len(list(tmp_path.glob("beyond-*.svg"))) == 5


def test_other_interruptions_at_another_load(tmp_path):
    values = execute("interruption_rules", tmp_path, fidelity="quick", load=0.5, numbers=[1, 30])
    assert abs(values["quantum"] - 1) < 0.15 < values["tasks"] - 1


def test_the_round_robin_of_unequal_computers(tmp_path):
    values = execute("algorithm", tmp_path, fidelity="quick", capacities=[1.0, 3.0])
    assert abs(values["network"] - values["estimate"]) < 2 * values["half_width"] < values["network"]
    assert len(list(tmp_path.glob("roundrobin-fig-*.svg"))) == 3


def test_blocking_in_a_smaller_cluster(tmp_path):
    values = execute("blocking", tmp_path, fidelity="quick", servers=6, queue_capacity=3)
    assert values["states"] == 30 * (7 + 3 * 6)
    assert values["residual"] < 1e-12


def test_what_is_shared_with_another_job(tmp_path):
    values = execute("what_is_shared", tmp_path, jobs=[2, 2], load=0.5, tickets=[2, 1], quanta=30)
    assert 1 / 3 < values["mtp"] < 4 / 3  # the fastest processor alone, and proportional branching
    assert values["stride"] < 1
    assert (tmp_path / "thesis-fig-1.4.svg").exists()


def test_obtained_shares_of_other_jobs(tmp_path):
    values = execute("obtained_shares", tmp_path, work=[1.0, 3.0], weights=[[0.5, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert values["departure"] == 2
    assert values["loss"] == pytest.approx(0.25)


def test_feasible_shares_on_like_processors(tmp_path):
    values = execute("feasible_shares", tmp_path, capacities=[1.0, 1.0, 1.0])
    assert values["margin"] == pytest.approx(0, abs=1e-9)  # f and fbar are one, and delivered
    assert values["promise"] == pytest.approx(1 / 3)


def test_random_numbers_of_another_stream(tmp_path):
    values = execute("random_numbers", tmp_path, stream=2)
    assert values["period"] == 67099546
    assert values["gap-quarter"] != 0.25


def test_intervals_at_another_load(tmp_path):
    values = execute("intervals", tmp_path, loads=[0.3, 0.4, 0.6], lengths=[10, 100], runs=200, studies=10)
    assert values["exact-printed"] == pytest.approx(0.355, abs=5e-4)
    assert values["printed"] < 0.5 < 0.85 < values["corrected"]
    assert values["own"] > 0.8


def test_quick_figures_say_so(tmp_path):
    execute("equal_shares", tmp_path, fidelity="quick")
    quick = (tmp_path / "thesis-fig-3.5.svg").read_text()
    assert quick != (places.ROOT / "figures" / "thesis-fig-3.5.svg").read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["thesis-fig-99"], "figure must be one of .*; got 'thesis-fig-99'"),
        (["thesis-fig-3.5", "-p", "speed=2"], "parameter must be one of .* for equal_shares.ipynb; got 'speed'"),
        (["thesis-fig-3.5", "-p", "load"], "-p must be of the form name=value; got 'load'"),
        (["thesis-fig-3.5", "--fidelity", "best"], "fidelity must be one of quick, book, paper; got 'best'"),
        (
            ["thesis-fig-3.5", "--fidelity", "quick", "-p", "load=1.2"],
            "arrival_rates must give a total load below 1; got 1.2",
        ),
    ],
)
def test_a_wrong_word_on_the_command_line_is_one_sentence(words, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["figure", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.strip().splitlines()
    assert re.search(sentence, line), line
    assert not list(tmp_path.glob("*.svg"))


def test_a_figure_from_the_command_line(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["figure", "ctmc-fig-7", "--fidelity", "quick", "-p", "servers=4", "-p", "queue_capacity=2"]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "ctmc-fig-7.svg")
    assert (tmp_path / "ctmc-fig-7.svg").read_text().startswith("<?xml")


def test_a_failing_cell_fails_the_build(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(notebook, tmp_path / "failing.ipynb")
    with pytest.raises(RuntimeError, match="failing.ipynb: a cell failed with ZeroDivisionError"):
        notebooks.execute_all([tmp_path / "failing.ipynb"], [tmp_path / "failing.ipynb"])


def test_every_figure_of_the_book_is_in_the_catalogue():
    with open(places.DATA / "figures.csv", encoding="utf-8") as file:
        known = {line.split(",", 1)[0] for line in file}
    for path in places.ROOT.joinpath("figures").glob("*.svg"):
        assert path.stem in known
        assert notebooks.notebook_of_figure(path.stem)


def test_the_pages_of_the_claims_exist():
    from clustershare.study import claims, scorecard

    assert set(scorecard.pages()) == set(claims.checks())


def test_the_model_of_a_smaller_cluster(tmp_path):
    values = execute("model", tmp_path, servers=2, queue_capacity=1, state=[1, 1, [1]])
    # Cluster states (), (1), (2), (1, 1): 4 x 2 arrivals to an idle tracker, 2 x 4 to the queue; 3 ends of a job for the
    # idle tracker and each of 2 levels and 2 sizes; size 1 is mapped from 2 cluster states, size 2 from 1.
    assert values["entries"] == 8 + 8 + 3 * 5 + 3 * 2 + 3
    assert (tmp_path / "ctmc-tab-2.svg").exists()


def test_sizing_another_cloud(tmp_path):
    values = execute(
        "sizing", tmp_path, fidelity="quick", share=0.1, arrival_rates=[5, 10, 15, 20], delays=[0.01, 0.03, 0.1]
    )
    assert values["meets"]


def test_sleeping_servers_of_another_kind(tmp_path):
    values = execute("energy", tmp_path, fidelity="quick", servers=4, setup_rates=[5.0], shutdown_rates=[0.0, 2.0])
    assert 0 < values["saved"] < 0.5
    assert values["distance"] < 2.5  # half widths of wide intervals

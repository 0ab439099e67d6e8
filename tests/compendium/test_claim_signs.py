"""Mathematics in the tables of claims of the built book."""

import html
import json
import re
from types import SimpleNamespace

import pytest

from compendium.press import claim_signs, claims

GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi "
    "psi omega"
).split()


@pytest.mark.parametrize(
    ("text", "signs"),
    [  # an index as {...}, a power as [...]
        ("within 1e-12, 1e-09 or 5e-4; 2e4 runs", "within 10[−12], 10[−9] or 5·10[−4]; 2·10[4] runs"),
        ("|Delta_g^G(t)| <= 0, -0.5", "|Δ{g}[G](t)| ≤ 0, −0.5"),
        ("rho_{*2} -> 0, rhobar_2, rho_1^hat", "ρ{*2} → 0, ρ̄{2}, ρ̂{1}"),
        ("rho^((P/30)^(1/3)) and 1 / sqrt(pi P)", "ρ[(P/30)[1/3]] and 1 / √(π P)"),
        # The brackets of a bare number are a notation.
        ("beta^(2) = 2 beta^2, x^(P-1), a)^-(n+1)", "β[(2)] = 2 β[2], x[P−1], a)[−(n+1)]"),
        ("delta' = delta / 2; c'_{p-1}; (x C)' = c; jobs' 'far'", "δ′ = δ / 2; c′{p−1}; (x C)′ = c; jobs' 'far'"),
        ("p' ('hence Delta^J = Delta_2^J') and", "p′ ('hence Δ[J] = Δ{2}[J]') and"),
        ("C(P-1-w, L), X/(M-1), sqrt(a)-(a+1)", "C(P−1−w, L), X/(M−1), √(a)−(a+1)"),
        ("P[N1>1], x2 > 0, Figure x1a", "P[N{1}>1], x{2} > 0, Figure x1a"),
        ("1 - rho, exp(-gamma R), 4 x 10^5 jobs, r_1 x rho, x 3", "1 − ρ, exp(−γ R), 4 × 10[5] jobs, r{1} × ρ, x 3"),
        ("rho_g* below 1, rho_{*p}, rho_g *", "ρ{g*} below 1, ρ{*p}, ρ{g} *"),
        ("K+ and K-; V, K+ or K-, not K-1", "K[+] and K[−]; V, K[+] or K[−], not K-1"),
        ("r_1>.5 & <b>", "r{1}>.5 & <b>"),
    ],
)
def test_plain_text_becomes_signs(text, signs):
    marked = claim_signs.signs(text)
    for tag, mark in zip(("<sub>", "</sub>", "<sup>", "</sup>"), "{}[]"):
        marked = marked.replace(tag, mark)
    assert html.unescape(marked) == signs


@pytest.mark.parametrize(
    "text",
    [
        "eqs (10)-(11), Figures 6.9-6.11, thesis-5-144 and -158, D-HP, 95 % intervals",
        "chi-square and Kolmogorov-Smirnov tests, a case-1 workload",
        "multiple, betterment, the eve of 2e",
        "(3.12)-(3.14), (A-031), log2, True of another rule",
    ],
)
def test_words_and_names_stay(text):
    assert claim_signs.signs(text) == text


def test_no_claim_shows_how_a_file_writes_mathematics():
    """No powers, indices, Greek letters or relations are left; what the code is called is set as code."""
    letters = "|".join((*GREEK, *map(str.title, GREEK)))
    left = re.compile(rf"\^|\w_|\de-?\d|(?<![A-Za-z])(?:{letters})(?![a-z-])|[<>]=|->|\+-|sqrt|[a-z]\.[a-z]|[a-z]E")
    for row in claims.table():
        for column in ("location", "statement", "rule"):
            shown = re.sub("<code>.*?</code>", "", claim_signs.signs(row[column]))
            assert not left.search(html.unescape(re.sub(r"</?su[bp]>", "|", shown))), (row["id"], shown)


def test_tables_of_claims_have_signs_and_nothing_else(tmp_path):
    (tmp_path / "page.ipynb").touch()
    table = claims.Table(claims.COLUMNS, [("ctmc-001", ["own_loads >= 1"], "mu_1 < 1", "1e-9", "2e-10", "agrees")])
    other = "<table class='dataframe'><td>mu_1</td></table>"
    cells = [
        {"cell_type": "markdown", "source": "mu_1"},
        {"cell_type": "code", "outputs": [{"data": {"text/html": text}} for text in (table._repr_html_(), other)]},
        {"cell_type": "code", "outputs": [{"text": "mu_1"}]},
    ]
    source = [json.dumps({"cells": cells})]
    claim_signs.read(SimpleNamespace(srcdir=tmp_path), "page", source)
    first, (shown, same), last = (cell.get("outputs", cell) for cell in json.loads(source[0])["cells"])
    page = shown["data"]["text/html"]
    assert "<td>μ<sub>1</sub> &lt; 1</td>" in page and '<span class="verdict-agrees">agrees</span>' in page
    assert "<td><code>own_loads &gt;= 1</code></td>" in page  # code stays as it is written
    assert re.findall(r"10<sup>(.*?)</sup>", page) == ["−9", "−10"] and "<td>ctmc-001</td>" in page
    assert (first, same, last) == (cells[0], cells[1]["outputs"][1], cells[2]["outputs"])
    claim_signs.read(SimpleNamespace(srcdir=tmp_path), "text", plain := ["# no notebook"])
    assert plain == ["# no notebook"]

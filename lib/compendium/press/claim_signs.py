"""A Sphinx extension: in the tables of claims, mathematics in plain text is set as mathematics.

``data/claims.csv`` and the checks write ``Delta_g^G <= 1e-9``, which a text file, a terminal and a notebook show alike.
The built book has the signs; the notebooks stay as they are committed.
"""

import html
import json
import re
from pathlib import Path

from compendium.press.tables import power

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "omega": "ω",
    "Delta": "Δ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
ACCENTS = {"bar": "\N{COMBINING MACRON}", "hat": "\N{COMBINING CIRCUMFLEX ACCENT}"}
RELATIONS = {"<=": "≤", ">=": "≥", "->": "→", "+-": "±"}
OTHERS = {"root": "√", "prime": "′", "times": "×", "minus": "−"}

_ROUND = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"  # brackets within brackets within brackets
_SCRIPT = rf"\{{[^{{}}]*\}}|[a-z]\*(?!\w)|-?{_ROUND}|"
_SCRIPT += r"-?\d+(?:\.\d+)?(?:,?[A-Za-z]\w*)?|-?[A-Za-z]{1,5}\d*(?:,[A-Z]+)?|\*[a-z]"
SIGNS = [
    r"(?P<code>\b(?:clustershare|pages)(?:\.\w+)+(?::\w+(?:\.\w+)*)?|\bdata/\w+\.csv)",
    r"(?<![\w.])(?P<number>\d+(?:\.\d+)?)e(?P<sign>-?)\+?0*(?P<exponent>\d+)(?!\w)",
    rf"(?<![A-Za-z_])(?P<letter>{'|'.join(GREEK)}|f(?=bar))(?P<accent>bar|hat)?(?![A-Za-z]|-square)",
    rf"(?<=[\w)\]'])(?P<kind>[_^])(?P<script>{_SCRIPT})",
    rf"(?P<relation>{'|'.join(map(re.escape, RELATIONS))})",
    r"(?P<root>\bsqrt(?=\())",
    r"(?P<prime>(?<=(?<![\w'^])[A-Za-z])'(?=[_ )]|$)|(?<=delta)'|(?<=[A-Z]\))'(?= =))",
    r"(?P<index>(?:(?<=\bP\[N)|(?<=\bx))[12]\b)",
    r"(?P<times>(?<=\d )x(?= (?:\d|rho)))",
    r"(?<=\bK)(?P<side>[+-])(?=[ ,;]|$)",  # the statistics of Kolmogorov and Smirnov
    # between terms, before a number that is no second half of "thesis-5-144 and -158", and after a bracket
    r"(?P<minus>(?<= )-(?= )|(?<![\w)\]])-(?!\d{3}\b)(?=\.?\d)|(?<=\()-(?=[a-z])|(?<=\(1)-(?=[a-z])"
    r"|(?<=\([MP])-(?=1)|(?<=\(P-1)-(?=w)|(?<=\))-(?=\([a-z]))",
]
SIGN = re.compile("|".join(SIGNS))


def setup(app):
    """What Sphinx calls."""
    app.connect("source-read", read)
    return {"parallel_read_safe": True}


def read(app, page, source):
    """Set the signs in the tables of claims of a page that Sphinx has just read, if it is a notebook.

    Parameters
    ----------
    app : sphinx.application.Sphinx
    page : str
        Its path without the suffix, from the top of the book.
    source : list of str
        Its text, which is replaced.
    """
    if not Path(app.srcdir, f"{page}.ipynb").exists():
        return
    notebook = json.loads(source[0])
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            table = "".join(output.get("data", {}).get("text/html", ""))
            if '<table class="claims' in table:
                output["data"]["text/html"] = re.sub(r"(?<=>)[^<>]+(?=<(?!/code>))", _cell, table)
    source[0] = json.dumps(notebook)


def _cell(found):
    return signs(html.unescape(found[0]))


def signs(text):
    """Plain text as HTML, with signs, powers and indices.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> signs("Delta_g^G <= 1e-9, 2e4 or 10^-k")
    'Δ<sub>g</sub><sup>G</sup> ≤ 10<sup>−9</sup>, 2·10<sup>4</sup> or 10<sup>−k</sup>'
    >>> signs("clustershare.sizes:JobSize.standard_deviation: its result 10 % off")
    '<code>clustershare.sizes:JobSize.standard_deviation</code>: its result 10 % off'
    """
    pieces, done = [], 0
    text = re.sub(r"([a-z]+)_(\w)\^(bar|hat)\b", r"\1\3_\2", text)  # the accent stands over the letter
    for found in SIGN.finditer(text):
        pieces += [html.escape(text[done : found.start()]), _sign(found)]
        done = found.end()
    return "".join(pieces) + html.escape(text[done:])


def _sign(found):
    part = found.groupdict()
    if part["code"]:
        return f"<code>{part['code']}</code>"
    if part["number"]:
        return power(part["number"], part["sign"], part["exponent"])
    if part["letter"]:
        return GREEK.get(part["letter"], part["letter"]) + ACCENTS.get(part["accent"], "")
    if part["kind"]:
        return _raised(part["kind"], part["script"])
    if part["index"]:
        return _raised("_", part["index"])
    if part["relation"]:
        return RELATIONS[part["relation"]]
    if part["side"]:
        return f"<sup>{part['side'].replace('-', '−')}</sup>"
    return OTHERS[found.lastgroup]


def _raised(kind, script):
    """An index or a power; brackets that only hold it together go, but not those of a bare number, a notation."""
    whole = script[0] == "{" or (script[0] == "(" and not re.fullmatch(r"\(\d+\)", script))
    inside = signs(script[1:-1] if whole else script)
    tag = "sub" if kind == "_" else "sup"
    return f"<{tag}>{inside.replace('-', '−')}</{tag}>"

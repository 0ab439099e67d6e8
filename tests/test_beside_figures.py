"""What the built book adds to a figure: who drew it first."""

import re

from compendium.press import beside_figures, claims, gallery


def test_a_caption_cites_authors_and_no_short_name():
    keys = "|".join(claims.sources().keys() - {"thesis"})
    for row in gallery.catalogue():
        words = beside_figures._named(f"A figure ({row['id']}).", row["id"])
        assert row["id"] not in words and not re.match(rf"\W*({keys})\b", words, re.IGNORECASE)
    assert beside_figures._named("Delays (ctmc-fig-8).", "ctmc-fig-8") == (
        "**Salameh and Wittevrongel, Figure 8.** Delays."
    )


def test_no_caption_speaks_of_a_source_by_its_short_name():
    short = rf"\b(of|in|by|from) ({'|'.join(claims.sources())})\b(?! (fairness|networks?|loads?))"
    found = [caption for _, caption, _ in gallery.captions().values() if re.search(short, caption)]
    assert found == []

"""What is wrong with a page is found: pages of a few lines, each with one fault that the book must not have."""

import pytest

from page_faults import ill_formed, illegible, mark_what_looks_alike

DIM, BESIDE = "color: #999", "color: #223; text-decoration: none"


@pytest.mark.browser
@pytest.mark.parametrize(
    ("body", "formed", "looks"),
    [
        ('<p>Words, <a href="#a">a link</a>, and <b>more</b>.</p>', [], []),
        ('<img src="data:,">', ["image-alt"], []),
        (f'<p style="{DIM}">dim</p>', [], ["color-contrast"]),
        ('<b class="dim"></b><b class="dim">dim behind an empty one</b>', [], ["color-contrast"]),
        (f'<p>Words and <a href="#a" style="{BESIDE}">a link</a> among words.</p>', [], ["link-in-text-block"]),
    ],
)
def test_form_and_looks(visit, body, formed, looks):
    visit.page.set_content(
        f'<html lang="en"><title>A page</title><style>.dim {{{DIM}}}</style><main><h1>A page</h1>{body}</main></html>'
    )
    mark_what_looks_alike(visit.page)
    assert [found.split(":")[0] for found in ill_formed(visit.page)] == formed
    assert [found.split(":")[0] for found in illegible(visit.page)] == looks

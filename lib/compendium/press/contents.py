"""A Sphinx extension: the contents beside each page are made of titles alone.

The theme shows no more of them, but Sphinx copies the headings within all pages for each page first, which takes longer
than to write the page.
"""

from docutils import nodes
from sphinx import addnodes


def setup(app):
    """What Sphinx calls."""
    app.connect("html-page-context", shorten, priority=400)  # before the theme asks for the contents
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def shorten(app, page, template, context, tree):
    """Let the contents of a page be made without the headings within pages."""
    usual, env = context["toctree"], app.env

    def contents(titles_only=False, **options):
        whole = env.tocs
        if titles_only:
            env.tocs = _titles(env)
        try:
            return usual(titles_only=titles_only, **options)
        finally:
            env.tocs = whole

    context["toctree"] = contents


def _titles(env):
    """The contents of each page: its title, and the pages below it."""
    if not hasattr(env, "clustershare_titles"):
        env.clustershare_titles = {page: toc.deepcopy() for page, toc in env.tocs.items()}
        for toc in env.clustershare_titles.values():
            for item in toc.children:
                if len(item) > 1:
                    below = list(item.findall(addnodes.toctree))
                    item[1:] = [nodes.bullet_list("", *below)] if below else []
    return env.clustershare_titles

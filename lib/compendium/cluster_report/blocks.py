"""What a report is made of. Texts are plain, whatever signs they hold: each writer escapes them."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Strong:
    """A part of a text that stands out."""

    text: str


@dataclass(frozen=True)
class Heading:
    """Of a section; level 1 is the report's own."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """Strings and `Strong` parts, one after the other."""

    parts: tuple

    def __init__(self, *parts):
        object.__setattr__(self, "parts", parts)


@dataclass(frozen=True)
class Bullets:
    """Paragraphs under each other."""

    items: tuple

    def __init__(self, items):
        items = tuple(one if isinstance(one, Paragraph) else Paragraph(one) for one in items)
        object.__setattr__(self, "items", items)


@dataclass(frozen=True)
class Table:
    """Rows of texts.

    Attributes
    ----------
    caption : str
    header : tuple of str
    rows : tuple of tuple of str
        The first entry is the header of its row.
    words : tuple of int
        Columns that hold words; the others are numbers, and stand under each other to the right.
    marked : tuple of int
        Rows that stand out.
    """

    caption: str
    header: tuple
    rows: tuple
    words: tuple = (0,)
    marked: tuple = ()

    def __post_init__(self):
        if any(len(row) != len(self.header) for row in self.rows):
            raise ValueError(f"rows of {self.caption!r} must have {len(self.header)} entries.")


@dataclass(frozen=True)
class Picture:
    """A drawing.

    Attributes
    ----------
    name : str
        Of its file, without the suffix.
    caption, alt : str
    svg : str
        Whose colours are variables of style with a default: `--ink` and `--series-1` on.
    """

    name: str
    caption: str
    alt: str
    svg: str = field(repr=False)


@dataclass(frozen=True)
class Folded:
    """Blocks that are shown when asked for, where that can be."""

    title: str
    blocks: tuple

"""The machinery of the book: points and their store, pages and what they publish. It knows no model and no source."""

"""What the pages of each part of the book share, in rooms named as the folders of ``chapters/``."""

"""What the pages for a cluster of one's own share."""

"""What each page draws: ``render()`` per page."""

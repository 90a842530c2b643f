"""From what was measured to what a person reads: tables, figures and one page."""

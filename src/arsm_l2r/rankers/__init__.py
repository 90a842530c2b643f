"""The rankers: ARSM-L2R, the methods it is compared with, and what they share."""

"""Whole evenings, in simulated time: people, board, cable, computer, disk and plug from one seed.

What befalls them is drawn from the seed alone, and after every step it is looked whether what the
program promises still holds. From outside use `campaign`.
"""

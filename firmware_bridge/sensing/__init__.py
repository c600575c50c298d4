"""From frames to what hands can have done, without any rule of the game.

`watch` turns frames into changes, each with the span of time in which it happened. `courses` makes
of them every course of events that fits: which piece was lifted, carried, pushed or put back, and
what is still in a hand. Which of the courses is a turn is not for the sensors to say.
"""

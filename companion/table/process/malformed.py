"""What is wrong with a line that nobody can understand."""


class MalformedLineError(ValueError):
    """One plain sentence that names the field and what is allowed there.

    It never repeats what was given: a rank with a slip of the finger in it is still a secret.
    """

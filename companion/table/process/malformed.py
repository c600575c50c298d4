"""The error for a malformed line."""


class MalformedLineError(ValueError):
    """One plain sentence that names the field and its allowed values.

    It never repeats the input: a rank with a typing error in it is still a secret.
    """

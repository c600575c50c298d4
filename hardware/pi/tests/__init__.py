"""What needs packages of its own: run by “make appliance”, a part of “make heavy”."""

"""What the maker of a board needs: looking into it, finding what is wrong, calibrating it."""

"""Full-screen animations: the bomb, the winner's flag, and a wax seal."""

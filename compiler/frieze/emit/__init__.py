"""From a frozen project to the files of a bundle."""

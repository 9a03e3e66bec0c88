"""From a project to its bundle with what helps: several processes, and what earlier runs found out."""

"""Evidence of Blender projects made fit to look at in a report, and to be asked by a judge: nothing in it is a submission's own markup."""

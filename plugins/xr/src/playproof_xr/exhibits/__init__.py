"""Evidence of XR sessions made fit to look at in a report, and to be asked by a judge: nothing in it is the submission's own markup."""

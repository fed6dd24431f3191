"""Sessions as videos: filmed by the page itself, frame by frame of virtual time, and put into a file that browsers play."""

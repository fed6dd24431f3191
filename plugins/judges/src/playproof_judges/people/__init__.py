"""People as judges: `rate` lets experts judge a run blind, `serve` lets one use a submission on a device and note what holds."""

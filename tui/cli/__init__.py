"""The commands of `afterstate`, one file each."""

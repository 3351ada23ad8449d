"""The commands, a few in each file; `rankconv.cli.command_table` says where each is."""

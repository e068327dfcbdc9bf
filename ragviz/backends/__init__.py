"""Heavy libraries and the network, loaded on first use."""

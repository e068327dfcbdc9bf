"""Stand-ins for the outside world, shipped for others' tests too. No room of the house imports them."""

from ragviz.testing.messages_server import MessagesServer, Scripted, claims_in, message, verdicts

__all__ = ["MessagesServer", "Scripted", "claims_in", "message", "verdicts"]

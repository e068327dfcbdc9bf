"""Stand-ins for the outside world, shipped for others' tests too. No room of the house imports them."""

from ragviz.testing.chat_replies import chat_completion, embeddings, structured, tool_call
from ragviz.testing.messages_server import MessagesServer, claims_in, message, verdicts
from ragviz.testing.scripted import Scripted

__all__ = ["MessagesServer", "Scripted", "chat_completion", "claims_in", "embeddings", "message", "structured", "tool_call", "verdicts"]

"""What the tables of the store have in common: where they are listed, and types that mean the same on SQLite and PostgreSQL."""

from __future__ import annotations

from sqlalchemy import BigInteger, Integer, MetaData, Text

metadata = MetaData()

# SQLite gives fast row ids only to a column of exactly the type INTEGER.
Key = BigInteger().with_variant(Integer(), "sqlite")

# Words that lists are ordered by. By code points on every server, whatever its locale: the same list as a SQLite store gives.
Ordered = Text().with_variant(Text(collation="C"), "postgresql")

"""The Universal Game Interface: its words, a foreign engine as a bot, a bot as an engine."""

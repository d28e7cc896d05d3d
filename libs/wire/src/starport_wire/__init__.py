"""The schema as Python, and codecs between it and the engines."""

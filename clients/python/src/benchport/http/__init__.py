"""Requests to a server."""

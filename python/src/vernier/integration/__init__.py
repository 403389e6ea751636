"""Callbacks for training libraries; each module imports its library, and only when it
is imported itself.

    from vernier.integration.keras import VernierCallback
"""

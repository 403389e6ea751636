"""Callbacks for training libraries; each module imports its library, and only when it
is imported itself.

    from vernier_hpo.integration.keras import VernierCallback
"""

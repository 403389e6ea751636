"""Callbacks for training libraries, and our engine in other tuners; each module imports
its library, and only when it is imported itself.

    from vernier_hpo.integration.keras import VernierCallback
"""

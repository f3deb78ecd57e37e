"""CuisineWorld (MindAgent): a kitchen without collisions, whose orders keep coming and expire."""

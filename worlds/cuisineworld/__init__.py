"""CuisineWorld (MindAgent): a kitchen without collisions where orders keep coming and expire."""

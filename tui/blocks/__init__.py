"""What a page is made of: each block draws itself and says itself."""

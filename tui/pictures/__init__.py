"""Pictures of the lab as files: a cast, an animated SVG."""

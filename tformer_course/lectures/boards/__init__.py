"""The boards of all lecture kits, each as a drawing in three stages."""

"""Optical character recognition by Tesseract."""

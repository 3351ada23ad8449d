"""What is printed: tables and pages."""

"""x"""

CASES = ()

"""What the answers about users and means say in a sentence of a paper."""

from rankconv.citing.list_words import Words

USERS: Words = {
    "users": {
        "with-labels": "all users with a label are evaluated",
        "with-ranking": "all users with a ranked item are evaluated",
        "both": "all users with a label and a ranked item are evaluated",
        "either": "all users of the labels or of the rankings are evaluated",
    },
}

IN_PLACE: Words = {"rows-needed": {"a number": "fewer than {value} rows"}}
"""An answer that stands inside the words of a cause."""

WHO = {
    "too-few-rows": "has {rows-needed}",
    "zero-denominator": "has a value of x/0",
    "undefined": "has a value of 0/0",
}
"""Who is special, where the cause's own words are too short for a sentence."""

COUNTS_AS = {
    "skip": "is left out of the mean",
    "nan": "counts as NaN, and so does the mean",
    "error": "is refused, and there is then no mean",
    "error-all": "makes the whole evaluation fail",
    "numerator": "counts as the numerator, undivided",
    "a number": "counts as {value}",
}
"""What becomes of a special user."""

DATA_COUNTS_AS = {
    "nan": "the mean is NaN",
    "error": "the whole evaluation fails",
    "a number": "every user and the mean count as {value}",
}
"""What becomes of a special data set."""

MEANS: Words = {
    "mean": {
        "arithmetic": "the reported number is the arithmetic mean over the users counted",
        "geometric": "the reported number is the geometric mean over the users counted, of values of at least {floor}",
        "median": "the reported number is the median over the users counted (of two middle values, {middle})",
        "minimum": "the reported number is the least value of the users counted",
        "maximum": "the reported number is the greatest value of the users counted",
        "sum": "the reported number is the sum over the users counted",
        "ratio-of-sums": "the reported number is the sum of the numerators of all users divided by that of their "
        "denominators",
        "weighted": "the reported number is a weighted mean over the users counted",
        "of-parts": "the reported number is computed from the means of precision and of recall over the users counted",
    },
    "weight": {
        "pairs": "a user weighs as much as he has pairs compared",
        "positives": "a user weighs as much as he has relevant items in his list",
    },
    "nobody": {
        "nan": "it is NaN if no user counts",
        "error": "there is none if no user counts",
        "a number": "it is {value} if no user counts",
    },
    "round-user": {
        "numpy": "a user's value is rounded to {decimals} decimals, half to even",
        "exact": "a user's value is rounded to {decimals} decimals, from its exact binary value",
    },
    "round-mean": {
        "numpy": "the mean is rounded to {decimals} decimals, half to even",
        "exact": "the mean is rounded to {decimals} decimals, from its exact binary value",
    },
}

COUNTED = {
    "skip": "left out of the mean",
    "nan": "counted as NaN",
    "error": "refused",
    "error-all": "refused",
    "numerator": "counted as the numerator",
    "a number": "counted as {value}",
}
"""What became of special users."""

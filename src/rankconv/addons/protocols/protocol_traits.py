"""The traits of settings of protocols."""

from rankconv.conventions.traits import Traits


class ProtocolTraits(Traits):
    """What protocols must know of a setting besides its function."""

    needs_times: bool = False
    """It reads the times of ratings."""
    is_error: bool = False
    """What it is about is an error."""
    exact: bool = False
    """It tests a number of users, where a share may turn out greater or smaller."""
    no_overlap: bool = False
    """Users are in training or tested, never both."""
    rest: bool = False
    """All ratings that are not given are held out."""
    gives_first: bool = False
    """The first ratings of a user are given, so that some of the others are used by nobody."""
    nested: bool = False
    """Users are evaluated after several numbers of ratings, each with those of the number before."""
    whole_catalogue: bool = False
    """All items of the catalogue are candidates."""
    samples: bool = False
    """Candidates are drawn at random."""

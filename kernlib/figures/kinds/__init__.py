"""The pictures of each kind of row: one file a kind, named as the kind, whose `PICTURES` draws its rows."""

from .pictures import Menu, Picture, Pictures, pictures_of

__all__ = ["Menu", "Picture", "Pictures", "pictures_of"]

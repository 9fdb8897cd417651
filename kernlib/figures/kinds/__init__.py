"""The pictures of each kind of row: a class and a module named as its declaration in `kernlib.kinds`."""

from .pictures import Menu, Picture, Pictures, pictures_of

__all__ = ["Menu", "Picture", "Pictures", "pictures_of"]

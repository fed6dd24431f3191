"""Pure geometry on arrays: distances, solids, outlines, samples. Lengths are in the unit of what is given; nothing here knows of Blender.

A *soup* is an array (m, 3, 3) of float64: m triangles, three corners each, three coordinates. Every number in it is
finite: see `soup.soup_of`."""

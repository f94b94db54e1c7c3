"""One script a picture of the handouts. Each has:

height()      inches; the width is that of all pictures (reports/figure.py)
draw(canvas)  the picture
describe()    the same in words, with the numbers that are drawn; it is the picture's text in a page, and what the
              tests compare with the picture that is kept in figures/
"""

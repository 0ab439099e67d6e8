"""What `thesis`, Chapter 4, prints, in plain Python.

mgpps       the procedure of Figure 4.4, line by line
pairs       the loss of two processors as a polynomial, (4.105)-(4.109)
partitions  the formulas of Sections 4.5.1 to 4.5.3, as printed and as corrected
"""

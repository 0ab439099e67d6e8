// Between MathJax's settings and its start: on a phone formulas on lines of their own begin at the left. In the middle, one
// with a number would leave the width of the number free on its other side too.
"use strict";

if (window.MathJax && matchMedia("(max-width: 720px)").matches) window.MathJax.svg = {displayAlign: "left", displayIndent: "0"};

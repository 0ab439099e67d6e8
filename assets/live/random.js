// Chance, and the sizes of jobs. Everything random comes from an object with `uniform`, `exponential` and `pick`: a generator, or a
// tape that somebody wrote.
"use strict";

window.live = {};

{
  // One sentence for whoever asks for nonsense.
  live.refuse = (sentence) => { throw new Error(sentence); };

  live.number = (name, value, least, most, open = false) => {
    const fits = typeof value === "number" && value >= least && value <= most && !(open && value === least) && value < Infinity;
    return fits ? value : live.refuse(`${name} must be a number ${open ? "above" : "of at least"} ${least}`
      + `${most < Infinity ? ` and at most ${most}` : ""}; got ${JSON.stringify(value)}.`);
  };

  live.whole = (name, value, least, most) => (Number.isInteger(live.number(name, value, least, most)) ? value
    : live.refuse(`${name} must be a whole number; got ${value}.`));

  live.list = (name, values, length, check) => (Array.isArray(values) && (length === null || values.length === length)
    ? values.map((value, k) => check(`${name}[${k}]`, value))
    : live.refuse(`${name} must be a list${length === null ? "" : ` of ${length}`}; got ${JSON.stringify(values)}.`));

  live.numbers = (name, values, length, least, most, open) => (
    live.list(name, values, length, (of, value) => live.number(of, value, least, most, open)));

  live.among = (name, value, known) => (known.includes(value) ? value
    : live.refuse(`${name} must be one of ${known.join(", ")}; got ${JSON.stringify(value)}.`));

  live.sum = (values) => values.reduce((sum, value) => sum + value, 0);

  live.sumToOne = (name, values) => {
    const sum = live.sum(values);
    return Math.abs(sum - 1) < 1e-9 ? values : live.refuse(`${name} must sum to 1; they sum to ${Number(sum.toPrecision(6))}.`);
  };

  // The generator sfc32 (Chris Doty-Humphrey). Streams of one seed are independent of each other: two policies that draw their
  // arrivals from one stream meet the same jobs, whatever they draw from another.
  class Generator {
    constructor(seed, stream) {
      this.a = seed | 0;
      this.b = (seed / 2 ** 32) | 0;
      this.c = stream | 0;
      this.counter = 1;
      for (let k = 0; k < 20; k++) this.bits();
    }

    bits() {
      const sum = (((this.a + this.b) | 0) + this.counter) | 0;
      this.counter = (this.counter + 1) | 0;
      this.a = this.b ^ (this.b >>> 9);
      this.b = (this.c + (this.c << 3)) | 0;
      this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
      return sum >>> 0;
    }

    // Uniform between 0 and 1, never either.
    uniform() { return (this.bits() + 0.5) / 2 ** 32; }

    exponential() { return -Math.log(this.uniform()); }

    // One of 0, ..., count - 1; of one, without a draw.
    pick(count) { return count > 1 ? Math.floor(this.uniform() * count) : 0; }
  }

  live.generator = (seed, stream = 0) => new Generator(live.whole("seed", seed, 0, 2 ** 52), stream);

  // The numbers that `uniform` and `exponential` give, in turn.
  live.tape = (numbers) => {
    let position = 0;
    const next = () => (position < numbers.length ? numbers[position++] : live.refuse("The tape is at its end."));
    return { uniform: next, exponential: next, pick: (count) => (count > 1 ? Math.min(Math.floor(next() * count), count - 1) : 0) };
  };

  // The index in whose weight a uniform number falls, when the weights lie side by side; never one of weight 0.
  live.weighted = (chance, weights, total) => {
    let left = chance.uniform() * total, last = 0;
    for (let k = 0; k < weights.length; k++) {
      if (weights[k] > 0) {
        last = k;
        left -= weights[k];
        if (left < 0) return k;
      }
    }
    return last;
  };

  // Laws of sizes: how one is drawn by chance, by the law's mean and settings.
  const laws = {
    exponential: (mean) => (chance) => mean * chance.exponential(),
    constant: (mean) => () => mean,
    // Two kinds of jobs that bring the same work: with the squared coefficient of variation given.
    hyperexponential: (mean, { variation = 4 }) => {
      const more = Math.sqrt((live.number("variation", variation, 1, 1000) - 1) / (variation + 1));
      const probabilities = [(1 + more) / 2, (1 - more) / 2];
      return mixed(probabilities.map((p) => (p > 0 ? mean / (2 * p) : mean)), probabilities);
    },
    pareto: (mean, { exponent = 2.5 }) => {
      const least = mean * (1 - 1 / live.number("exponent", exponent, 1, 100, true));
      return (chance) => least * (1 - chance.uniform()) ** (-1 / exponent);
    },
  };
  const mixed = (means, probabilities) => (chance) => means[live.weighted(chance, probabilities, 1)] * chance.exponential();

  // A law by its settings, of jobs that are served at a rate: the mean of the time they take, and how to draw it. A hyperexponential
  // law may have the means and probabilities of its kinds.
  live.law = (size = {}, rate = 1) => {
    const law = live.among("size.law", size.law ?? "exponential", Object.keys(laws));
    let { mean = 1 } = size, draw;
    if (size.means) {
      live.numbers("means", size.means, null, 0, Infinity, true);
      live.sumToOne("probabilities", live.numbers("probabilities", size.probabilities, size.means.length, 0, 1));
      mean = live.sum(size.means.map((one, k) => one * size.probabilities[k]));
      draw = mixed(size.means, size.probabilities);
    } else draw = laws[law](live.number("mean", mean, 0, Infinity, true), size);
    return { mean: mean / rate, draw: (chance) => draw(chance) / rate };
  };
}

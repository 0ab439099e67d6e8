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

  live.among = (name, value, known) => (known.includes(value) ? value
    : live.refuse(`${name} must be one of ${known.join(", ")}; got ${JSON.stringify(value)}.`));

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

  // The numbers that `uniform` and `exponential` give, in turn.
  class Tape {
    constructor(numbers) {
      this.numbers = numbers;
      this.position = 0;
    }

    next() {
      return this.position < this.numbers.length ? this.numbers[this.position++] : live.refuse("The tape is at its end.");
    }

    uniform() { return this.next(); }

    exponential() { return this.next(); }

    pick(count) { return count > 1 ? Math.min(Math.floor(this.next() * count), count - 1) : 0; }
  }

  live.generator = (seed, stream = 0) => new Generator(live.whole("seed", seed, 0, 2 ** 52), stream);
  live.tape = (numbers) => new Tape(numbers);

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

  // Laws of sizes, each a function of chance that draws one.
  const laws = {
    exponential: ({ mean = 1 }) => {
      live.number("mean", mean, 0, Infinity, true);
      return [mean, (chance) => mean * chance.exponential()];
    },
    constant: ({ mean = 1 }) => {
      live.number("mean", mean, 0, Infinity, true);
      return [mean, () => mean];
    },
    // With `variation`, the squared coefficient of it, two kinds of jobs that bring the same work.
    hyperexponential: ({ mean = 1, variation = 4, means = null, probabilities = null }) => {
      if (means === null) {
        live.number("mean", mean, 0, Infinity, true);
        const more = Math.sqrt((live.number("variation", variation, 1, 1000) - 1) / (variation + 1));
        probabilities = [(1 + more) / 2, (1 - more) / 2];
        means = probabilities.map((p) => (p > 0 ? mean / (2 * p) : mean));
      } else {
        live.list("means", means, null, (name, value) => live.number(name, value, 0, Infinity, true));
        live.list("probabilities", probabilities, means.length, (name, value) => live.number(name, value, 0, 1));
        const sum = probabilities.reduce((a, b) => a + b, 0);
        if (Math.abs(sum - 1) > 1e-9) live.refuse(`probabilities must sum to 1; they sum to ${sum}.`);
      }
      const whole = means.reduce((sum, one, k) => sum + one * probabilities[k], 0);
      return [whole, (chance) => means[live.weighted(chance, probabilities, 1)] * chance.exponential()];
    },
    pareto: ({ mean = 1, exponent = 2.5 }) => {
      live.number("mean", mean, 0, Infinity, true);
      const least = mean * (1 - 1 / live.number("exponent", exponent, 1, 100, true));
      return [mean, (chance) => least * (1 - chance.uniform()) ** (-1 / exponent)];
    },
  };

  // A law by its settings: its mean, and how to draw from it.
  live.law = (size = {}) => {
    const [mean, draw] = laws[live.among("size.law", size.law ?? "exponential", Object.keys(laws))](size);
    return { mean, draw };
  };
}

import type { Assignment } from '../decide/index.js';

/** Most inputs that are tried. */
const MOST_TRIED = 1000;

/**
 * A smaller input for which a condition still holds: parts are left out or made simpler, one at a time, until none can be.
 *
 * @param holds whether the condition holds of an input
 */
export function shrunk(input: Assignment, holds: (input: Assignment) => boolean): Assignment {
  let [best, tried] = [input, 0];
  for (let again = true; again; ) {
    again = false;
    for (const name of Object.keys(best))
      for (const simpler of simplerThan(best[name])) {
        const next = { ...best, [name]: simpler };
        if (++tried > MOST_TRIED) return best;
        if (!holds(next)) continue;
        best = next;
        again = true;
        break;
      }
  }
  return best;
}

/** Values that are simpler, the simplest first. Each is smaller by some measure, so that shrinking ends. */
function simplerThan(value: unknown): unknown[] {
  if (typeof value === 'boolean') return value ? [false] : [];
  if (typeof value === 'number') return simplerNumbers(value);
  if (typeof value === 'string') return simplerTexts(value);
  if (!Array.isArray(value)) return [];
  const without = value.map((_, i) => value.filter((_, k) => k !== i));
  const within = value.flatMap((one, i) =>
    simplerThan(one).map((simpler) => value.map((other, k) => (k === i ? simpler : other))),
  );
  return [...(value.length > 1 ? [[]] : []), ...without, ...within];
}

function simplerNumbers(value: number): number[] {
  const towardsZero = [
    0,
    1,
    -1,
    Math.trunc(value),
    Math.trunc(value / 2),
    Math.trunc(value / 10),
    value - Math.sign(value),
  ];
  const rank = (one: number) => Math.abs(one) + (Number.isInteger(one) ? 0 : 0.5) + (one < 0 ? 0.25 : 0);
  return [...new Set(towardsZero.map((one) => one + 0))].filter(
    (one) => rank(one) < rank(value) && Number.isFinite(one),
  );
}

function simplerTexts(text: string): string[] {
  const halves = [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];
  const without = Array.from(
    { length: Math.min(text.length, 40) },
    (_, i) => text.slice(0, i) + text.slice(i + 1),
  );
  const plain = Array.from(
    { length: Math.min(text.length, 40) },
    (_, i) => `${text.slice(0, i)}a${text.slice(i + 1)}`,
  );
  const isPlainer = (one: string) => (one.match(/a/g)?.length ?? 0) > (text.match(/a/g)?.length ?? 0);
  return [...new Set(['', ...halves, ...without])]
    .filter((one) => one.length < text.length)
    .concat(plain.filter(isPlainer));
}

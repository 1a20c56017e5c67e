import { type Automaton, OPEN } from '../../languages/automaton/index.js';
import { Monitor } from '../guard/index.js';
import type { Prefix } from './prefix.js';

/** An automaton's verdicts on a prefix. Predicates that could not be read leave only the verdicts that they cannot change. */
export interface Run {
  /** The verdict that is certain, whatever follows: OPEN, VIOLATED or SATISFIED. */
  readonly verdict: number;
  /** The step that decided it, -1 if none was needed; the last step if the verdict is open. */
  readonly step: number;
  /** The same, if the prefix is the whole run. */
  readonly verdictAtEnd: number;
}

/** Runs an automaton along a prefix. */
export function runAlong(automaton: Automaton, prefix: Prefix): Run {
  const { predicates, words, length, valuations, known } = prefix;
  const monitor = new Monitor(automaton, predicates);
  const valuation = new Uint32Array(words);
  const mask = new Uint32Array(words);
  let step = -1;
  while (monitor.verdict === OPEN && step + 1 < length) {
    step++;
    valuation.set(valuations.subarray(step * words, (step + 1) * words));
    if (known === null || readsAll(known, step, words, predicates.length)) monitor.advance(valuation);
    else {
      mask.set(known.subarray(step * words, (step + 1) * words));
      monitor.advancePartially(valuation, mask);
    }
  }
  return { verdict: monitor.verdict, step, verdictAtEnd: monitor.verdictAtEnd };
}

function readsAll(known: Uint32Array, step: number, words: number, predicates: number): boolean {
  for (let w = 0; w < words; w++) {
    const bits = Math.min(32, predicates - 32 * w);
    const all = bits === 32 ? 0xffffffff : 2 ** bits - 1;
    if (known[step * words + w] >>> 0 !== all) return false;
  }
  return true;
}

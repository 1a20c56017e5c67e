import { type Automaton, OPEN, SATISFIED } from '../automaton/index.js';
import { Monitor } from '../guard/index.js';
import type { Prefix } from './prefix.js';

/** Where an automaton is after a prefix. */
export interface Run {
  /** One of OPEN, VIOLATED, SATISFIED. */
  readonly verdict: number;
  /** The step that decided it, -1 if none was needed; the last step where it is open. */
  readonly step: number;
  /** Whether the formula holds of the prefix as a whole; false where that could not be read. */
  readonly accepted: boolean;
}

/** Runs an automaton along a prefix. Where predicates could not be read, a verdict is one that they cannot change. */
export function runAlong(automaton: Automaton, prefix: Prefix): Run {
  const { predicates, words, length, valuations, known } = prefix;
  const monitor = new Monitor(automaton, predicates);
  // Once the rule may have been broken unseen, it is not known to be satisfied.
  let doubtful = false;
  const verdictNow = (): number => {
    const verdict = monitor.state < 0 ? OPEN : automaton.verdict[monitor.state];
    return doubtful && verdict === SATISFIED ? OPEN : verdict;
  };
  const valuation = new Uint32Array(words);
  const mask = new Uint32Array(words);
  let step = -1;
  while (verdictNow() === OPEN && step + 1 < length) {
    step++;
    valuation.set(valuations.subarray(step * words, (step + 1) * words));
    if (known === null || readsAll(known, step, words, predicates.length)) monitor.advance(valuation);
    else {
      mask.set(known.subarray(step * words, (step + 1) * words));
      monitor.advancePartially(valuation, mask);
    }
    doubtful ||= monitor.mayBeViolated;
  }
  const { state } = monitor;
  return {
    verdict: verdictNow(),
    step,
    accepted: !doubtful && state >= 0 && automaton.accepting[state] === 1,
  };
}

function readsAll(known: Uint32Array, step: number, words: number, predicates: number): boolean {
  for (let w = 0; w < words; w++) {
    const bits = Math.min(32, predicates - 32 * w);
    const all = bits === 32 ? 0xffffffff : 2 ** bits - 1;
    if (known[step * words + w] >>> 0 !== all) return false;
  }
  return true;
}

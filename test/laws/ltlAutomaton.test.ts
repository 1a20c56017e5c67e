import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  LtlAutomaton,
  LtlLimitAutomaton,
  type LtlTerm,
  LtlTerms,
  ltlGuesses,
} from '../../bindings/languages/automaton/index.js';
import { type Lasso, satisfies } from '../oracle/ltl.js';
import { ATOMS, arbitraryLtl, unboundedOperators } from './ltlFormulas.js';
import { runs } from './runs.js';

const allLetters = {
  count: 2 ** ATOMS,
  holds: (letter: number, atom: number) => ((letter >> atom) & 1) === 1,
};

const word: fc.Arbitrary<{ codes: number[]; loop: number }> = fc
  .array(fc.nat(allLetters.count - 1), { minLength: 1, maxLength: 6 })
  .chain((codes) => fc.record({ codes: fc.constant(codes), loop: fc.nat(codes.length - 1) }));

function lassoOf({ codes, loop }: { codes: number[]; loop: number }): Lasso {
  const atoms = [...Array(ATOMS).keys()];
  return {
    letters: codes.map((code) => new Set(atoms.filter((atom) => allLetters.holds(code, atom)))),
    loop,
  };
}

/** The states that an automaton goes through, up to the first place of the word that it comes to again in the same state. */
function run(
  { codes, loop }: { codes: number[]; loop: number },
  start: number,
  step: (state: number, letter: number) => number,
  from = 0,
): { visits: { place: number; state: number }[]; again: number } {
  const visits: { place: number; state: number }[] = [];
  let [place, state] = [from, start];
  for (;;) {
    const again = visits.findIndex((visit) => visit.place === place && visit.state === state);
    if (again >= 0) return { visits, again };
    visits.push({ place, state });
    state = step(state, codes[place]);
    place = place + 1 < codes.length ? place + 1 : loop;
  }
}

/** Membership by the automaton: read on until word and state recur, then by a guess that is right from there on. */
function accepted(terms: LtlTerms, term: LtlTerm, read: { codes: number[]; loop: number }): boolean {
  const automaton = new LtlAutomaton(terms, allLetters);
  const start = automaton.stateOf(term);
  const { visits, again } = run(read, start, (q, letter) => automaton.step(q, letter));
  return visits.slice(again).some(({ place, state }) => {
    const rest = automaton.termOf(state);
    return ltlGuesses(terms, [rest]).some((guess) => {
      const limit = new LtlLimitAutomaton(automaton, guess);
      const watched = run(read, limit.enter(rest), (q, letter) => limit.step(q, letter), place);
      const forever = watched.visits.slice(watched.again);
      return (
        forever.every((visit) => visit.state !== LtlLimitAutomaton.REFUSED) &&
        forever.some((visit) => limit.confirms(visit.state))
      );
    });
  });
}

const moderate = arbitraryLtl.filter((formula) => unboundedOperators(formula) <= 6);

test('a limit-deterministic automaton accepts exactly the words that satisfy its formula', () => {
  fc.assert(
    fc.property(moderate, word, (formula, read) => {
      const terms = new LtlTerms();
      expect(accepted(terms, terms.of(formula), read)).toBe(satisfies(lassoOf(read), formula));
    }),
    { numRuns: runs(300) },
  );
});

test('the dual of a term is its negation', () => {
  fc.assert(
    fc.property(moderate, word, (formula, read) => {
      const terms = new LtlTerms();
      expect(accepted(terms, terms.dual(terms.of(formula)), read)).toBe(!satisfies(lassoOf(read), formula));
    }),
    { numRuns: runs(100) },
  );
});

test('a co-safe formula holds iff a prefix shows it, a safe one fails iff a prefix refutes it', () => {
  fc.assert(
    fc.property(arbitraryLtl, word, (formula, read) => {
      const terms = new LtlTerms();
      const term = terms.of(formula);
      const { cosafe, safe } = terms.traitsOf(term);
      fc.pre(cosafe || safe);
      const automaton = new LtlAutomaton(terms, allLetters);
      const { visits } = run(read, automaton.stateOf(term), (q, letter) => automaton.step(q, letter));
      const decided = visits.some(
        ({ state }) => state === (cosafe ? LtlAutomaton.TRUE_STATE : LtlAutomaton.FALSE_STATE),
      );
      expect(decided).toBe(satisfies(lassoOf(read), formula) === cosafe);
    }),
    { numRuns: runs(300) },
  );
});

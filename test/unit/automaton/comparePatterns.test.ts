import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NotSupportedError } from '../../../bindings/base/errors.js';
import {
  canonicalKey,
  compareRules,
  distinguish,
  sampleTraces,
} from '../../../bindings/languages/automaton/compare/index.js';
import { buildAutomaton } from '../../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import { holds } from '../../oracle/ltlf.js';
import { sharedData } from '../../shared.js';

interface PatternRecord {
  readonly id: string;
  readonly pattern: string;
  readonly scope: string;
  readonly rule: string;
  readonly pastRule?: string;
}

const recordsOf = (path: string): readonly PatternRecord[] => JSON.parse(readFileSync(path, 'utf8')).records;

describe('the comparison of two rules', () => {
  it('takes the run without a step for no run', () => {
    // `G false` accepts the empty trace alone, `F true` all others.
    const [never, always] = [parseFormula('G false'), parseFormula('F true')];
    expect(compareRules(never, parseFormula('false')).relation).toBe('equivalent');
    expect(compareRules(always, parseFormula('true')).relation).toBe('equivalent');
    expect(canonicalKey(never)).toBe(canonicalKey(parseFormula('false')));
    expect(compareRules(never, always)).toMatchObject({ relation: 'implies', secondOnly: [{}] });
    expect(sampleTraces(never)).toEqual([]);
  });

  it('takes automata for the rules that they are of', () => {
    const [one, other] = ['!a W b', '!a U b'].map((rule) => parseFormula(rule));
    expect(distinguish(buildAutomaton(one), buildAutomaton(other))).toEqual(distinguish(one, other));
    expect(canonicalKey(buildAutomaton(one))).toBe(canonicalKey(one));
  });

  it('refuses what would take too long, with the sizes', () => {
    const [one, other] = ['G (a -> F<=400 b)', 'G (c -> F<=400 d)'].map((rule) => parseFormula(rule));
    const constraints = [other];
    expect(() => compareRules(one, one, { constraints, maxTuples: 1000 })).toThrow(NotSupportedError);
    expect(() => compareRules(one, one, { constraints, maxTuples: 1000 })).toThrow(/402, 402, 402 states/);
    expect(() => compareRules(one, other, { maxTuples: 0 })).toThrow(/maxTuples is 0/);
    expect(() => sampleTraces(one, { count: -1 })).toThrow(/count is -1/);
  });
});

sharedData('language/lang2ltl-lifted.json', (path) => {
  it('tells the formulas of robot missions apart, each pair by a trace on which one alone holds', () => {
    const rules = [...new Set(recordsOf(path).map(({ rule }) => rule))].map((rule) => parseFormula(rule));
    expect(rules.length).toBeGreaterThanOrEqual(30);
    const automata = rules.map((rule) => buildAutomaton(rule));
    const keys = automata.map((automaton) => canonicalKey(automaton));
    for (let i = 0; i < rules.length; i++) {
      for (let j = 0; j < i; j++) {
        const found = distinguish(automata[i], automata[j]);
        expect(found === null).toBe(keys[i] === keys[j]);
        if (found === null) continue;
        expect([holds(rules[i], found.trace), holds(rules[j], found.trace)]).toEqual(
          found.holds === 'first' ? [true, false] : [false, true],
        );
      }
    }
  });
});

sharedData('language/fret-templates.json', (path) => {
  it("finds the form over the future and that over the past, at the last step, of FRET's templates equivalent", () => {
    const records = recordsOf(path);
    // COMPARE_ALL=1 tries all of them; every eighth says as much of the comparison.
    const tried = process.env.COMPARE_ALL === '1' ? records : records.filter((_, i) => i % 8 === 1);
    // What has a deadline after each trigger remembers many steps of the past: the default limit refuses five of them.
    const options = { maxStates: 3_000_000 };
    const different = tried.filter(({ rule, pastRule }) => {
      const atLast = parseFormula(`G ((X true) | (${pastRule}))`);
      return distinguish(parseFormula(rule), atLast, options) !== null;
    });
    expect(different.map(({ id }) => id)).toEqual([]);
  });
});

sharedData('language/dwyer-patterns.json', (path) => {
  it('finds the two published formulas that are wrong after q, and shows why by a trace', () => {
    const records = recordsOf(path);
    expect(records).toHaveLength(55);
    // Where the pattern is of every position, after q means that it holds from each q on.
    const wrong = records.flatMap(({ id, pattern, scope, rule }) => {
      const everywhere = records.find((one) => one.pattern === pattern && one.scope === 'globally')?.rule;
      if (scope !== 'after q' || !everywhere?.startsWith('(G ')) return [];
      const { firstOnly, secondOnly } = compareRules(
        parseFormula(rule),
        parseFormula(`G (q -> (${everywhere}))`),
      );
      return firstOnly || secondOnly ? [{ id, firstOnly, lasting: secondOnly?.map(trueOf) }] : [];
    });
    // p is answered by s and t in time, only not at once.
    expect(wrong).toEqual([
      { id: 'dac-response-chain-1-2-2', firstOnly: null, lasting: [['p', 'q'], ['s'], ['t']] },
      { id: 'dac-constrained-chain-2', firstOnly: null, lasting: [['p', 'q'], ['s'], ['t']] },
    ]);
  });
});

function trueOf(step: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(step)
    .filter((name) => step[name])
    .sort();
}

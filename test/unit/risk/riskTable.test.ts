import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError, InvalidModelError } from '../../../bindings/base/errors.js';
import { type RiskEntry, type RuleRiskTable, riskTable } from '../../../bindings/rules/risk/index.js';
import { dtmcFromRows } from '../../../bindings/solvers/model/index.js';
import { expectFraction } from '../../oracle/brackets.js';
import { learnFor, runs, specify, word } from './learnt.js';

async function tableOf(rule: string, options = {}): Promise<RuleRiskTable> {
  const specification = specify(`learning: { smoothing: 0 }\nrules:\n  r: ${rule}`);
  const { model } = await learnFor(specification);
  return riskTable(specification, model, options).rules[0];
}

/** The entry of the chain state of a letter, in the automaton's only state that a run can be in there. */
function entryOf({ entries }: RuleRiskTable, letter: string): RiskEntry {
  const found = entries.filter(({ description }) => description.startsWith(`${letter};`));
  expect(found.length).toBe(1);
  return found[0];
}

describe('a risk table', () => {
  it('brackets the exact risk of every state, worst first', async () => {
    const table = await tableOf("{ formula: 'G !c', threshold: 0.5 }");
    expect(table.entries.map(({ description, verdict }) => `${description[0]} ${verdict}`)).toEqual([
      'c violated',
      'b open',
      'a open',
    ]);
    const [inC, inB, inA] = table.entries;
    expect([inC.lower, inC.upper]).toEqual([1, 1]);
    expectFraction(inB, 3, 5);
    expectFraction(inA, 2, 5);
    expectFraction(table.start, 2, 5);
    expect(table).toMatchObject({ name: 'r', formula: 'G !c', evaluation: 'trace', horizonSteps: null });
  });

  it('gives a state that was never left the widest bounds, and lists it with the worst', async () => {
    const specification = specify(
      "learning: { smoothing: 0 }\nrules:\n  r: { formula: 'G !c', threshold: 0.5 }",
    );
    const cut = { ...word('d'), complete: false };
    const { model } = await learnFor(specification, {}, [...runs, cut]);
    const { entries, start } = riskTable(specification, model).rules[0];
    expect(
      entries.slice(0, 2).map(({ verdict, draws, lower, upper }) => ({ verdict, draws, lower, upper })),
    ).toEqual([
      { verdict: 'violated', draws: 2, lower: 1, upper: 1 },
      { verdict: 'open', draws: 0, lower: 0, upper: 1 },
    ]);
    expect(start.lower).toBeLessThanOrEqual(1 / 3);
    expect(start.upper).toBeGreaterThanOrEqual(1 / 2);
  });

  it('holds what the data say of each state', async () => {
    const table = await tableOf("{ formula: 'G !c', threshold: 0.5 }");
    const draws = Object.fromEntries(table.entries.map(({ description, draws }) => [description[0], draws]));
    expect(draws).toEqual({ a: 12, b: 6, c: 2 });
  });

  it('counts an obligation that the end of a run breaks', async () => {
    const table = await tableOf("{ formula: 'F c', threshold: 0.5 }");
    const open = table.entries.filter(({ verdict }) => verdict === 'open');
    expect(open.map(({ description }) => description[0])).toEqual(['a', 'b']);
    expectFraction(open[0], 3, 5);
    expectFraction(open[1], 2, 5);
  });

  it('bounds the risk within a horizon, and within others on request', async () => {
    const table = await tableOf("{ formula: 'G !c', threshold: 0.5, horizonSteps: 1 }", { horizons: [2] });
    const open = table.entries.filter(({ verdict }) => verdict === 'open');
    expectFraction(open[0], 1, 3);
    expectFraction(open[1], 0, 1);
    expectFraction(open[0].horizons!['2'], 1, 3);
    expectFraction(open[1].horizons!['2'], 1, 6);
  });

  it('gives a PCTL rule the risk of its bad event from the state, without history', async () => {
    const upperBound = await tableOf("{ formula: 'P<0.5 [ F c ]' }");
    expect(upperBound.evaluation).toBe('state');
    expectFraction(entryOf(upperBound, 'a'), 2, 5);
    expectFraction(entryOf(upperBound, 'b'), 3, 5);
    expectFraction(entryOf(upperBound, 'c'), 1, 1);
    const lowerBound = await tableOf("{ formula: 'P>=0.5 [ F c ]' }");
    expectFraction(entryOf(lowerBound, 'a'), 3, 5);
    expectFraction(entryOf(lowerBound, 'c'), 0, 1);
  });

  it('marks states without data, whatever smoothing makes of them', async () => {
    const specification = specify(
      "learning: { smoothing: 1, states: valid }\nrules:\n  r: { formula: 'G !c', threshold: 0.5 }",
    );
    const { model } = await learnFor(specification);
    const table = riskTable(specification, model);
    expect(table.states).toBe(8);
    const unseen = table.rules[0].entries.filter(({ description }) => description.startsWith('a, b;'));
    expect(unseen.map(({ draws, verdict }) => [draws, verdict])).toEqual([[0, 'open']]);
  });

  it('refuses a model that was learnt with another abstraction, naming the first difference', async () => {
    const rules = "rules:\n  r: { formula: 'G !c', threshold: 0.5 }";
    const { model } = await learnFor(specify(`constraints: { state: '!(a && b)' }\n${rules}`));
    const refused: [string, string][] = [
      [rules, 'constraints.state is absent in the specification, !(a && b) in the model'],
      [`constraints: { state: '!(b && c)' }\n${rules}`, 'constraints.state is !(b && c)'],
      [
        `constraints: { state: '!(a && b)', end: '!a' }\n${rules}`,
        'constraints.end is !a in the specification, absent',
      ],
      [`  d: 'x == "d"'\n${rules}`, 'predicate 4 is "d" in the specification, absent in the model'],
    ];
    for (const [rest, words] of refused) {
      const other = specify(rest);
      expect(() => riskTable(other, model)).toThrow(InvalidArgumentError);
      expect(() => riskTable(other, model)).toThrow(words);
    }
    const renamed = specify(rules);
    const changed = {
      ...renamed,
      abstraction: {
        predicates: renamed.abstraction.predicates.map((p, i) =>
          i === 1 ? { ...p, expression: 'x == "B"' } : p,
        ),
      },
    };
    expect(() => riskTable(changed, model)).toThrow(
      'predicate "b" is x == "B" in the specification, x == "b" in the model',
    );
  });

  it('goes with rules, thresholds and strategies that have changed since', async () => {
    const { model } = await learnFor(specify("rules:\n  r: { formula: 'G !c', threshold: 0.5 }"));
    const later = specify("rules:\n  s: { formula: 'F c', minimumSafe: 0.9, strategy: inspect }");
    expect(riskTable(later, model).rules.map(({ name }) => name)).toEqual(['s']);
  });

  it('refuses a model that was not learnt', () => {
    const specification = specify("rules:\n  r: { formula: 'G !c', threshold: 0.5 }");
    const model = dtmcFromRows([[[1, 1]], [[2, 1]], [[2, 1]]]);
    expect(() => riskTable(specification, model)).toThrow(InvalidModelError);
    expect(() => riskTable(specification, model)).toThrow('not learnt by Foreguard');
  });
});

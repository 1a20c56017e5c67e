import { describe, expect, it } from 'vitest';
import { InvalidArgumentError, NotSupportedError } from '../../../bindings/errors.js';
import { checkGuardFile, createGuard, type GuardFile, loadGuard } from '../../../bindings/guard/index.js';
import { guardFile, never, response, ruleOf } from './guardFiles.js';

const file = guardFile([ruleOf(response, [0.1, 0.2, 0.3, 0.4])]);

/** The file with the value at a path such as `rules.0.upper.3` replaced (or removed, if undefined). */
function changed(path: string, value: unknown): unknown {
  const copy = structuredClone(file) as unknown as Record<string, never>;
  const keys = path.split('.');
  const last = keys.pop() as string;
  let at: Record<string, unknown> = copy;
  for (const key of keys) at = at[key] as Record<string, unknown>;
  at[last] = value;
  return copy;
}

describe('a guard file', () => {
  it('is accepted as it is, and after a round trip through JSON decides alike', async () => {
    expect(checkGuardFile(file)).toBe(file);
    const text = JSON.stringify(file);
    expect(JSON.parse(text)).toEqual(file);
    const loaded = await loadGuard(text);
    expect(loaded.step({ a: true, b: false })).toEqual(createGuard(file).step({ a: true, b: false }));
  });

  const refused: [path: string, value: unknown, words: string][] = [
    ['format', 'something', 'foreguard compile'],
    ['predicates', {}, 'a list'],
    ['predicates.0.name', 7, 'predicates[0].name is 7, expected text'],
    ['constraints.state', true, 'constraints.state'],
    ['states.words', 2, '1 for 2 predicates'],
    ['states.draws.0', -1, 'a count'],
    ['states.draws.1', Number.NaN, 'states.draws[1] is NaN'],
    ['states.valuations', [0, 1, 2], '3 entries, expected 4'],
    ['states.valuations.0', 4, 'from 0 to 3'],
    ['states.valuations.1', 0, 'no other state'],
    ['seen.rowStart', [0, 2, 4, 5], '4 entries, expected 5'],
    ['seen.rowStart', [0, 2, 1, 5, 5], 'at least 2'],
    ['seen.rowStart.0', 1, 'expected 0'],
    ['seen.rowStart.4', 4, 'at least 5'],
    ['seen.columns.0', 4, 'from 0 to 3'],
    ['seen.columns.1', 0, 'columns ascend'],
    ['seen.columns', [0, 1, 0, 2, 0, 1], 'the number of columns'],
    ['rules', [], 'at least one rule'],
    ['rules.1', file.rules[0], 'a name that no other rule has'],
    ['rules.0.evaluation', 'both', 'one of trace, state'],
    ['rules.0.evaluation', 'state', 'no history'],
    ['rules.0.levels', [], 'at least one level'],
    ['rules.0.levels.0.threshold.value', 1.5, 'a probability in [0, 1]'],
    ['rules.0.levels.0.threshold.value', Number.NaN, 'is NaN'],
    ['rules.0.levels.0.threshold.compare', '>=', 'risk>='],
    ['rules.0.levels.0.strategy', { kind: 'replace' }, 'action is undefined'],
    ['rules.0.levels.0.strategy', 'stop', 'an object'],
    ['rules.0.levels.0.strategy', { kind: 'allow' }, 'one of stop'],
    ['rules.0.escalate', [{ kind: 'reflect' }], 'another strategy'],
    ['rules.0.maxReflections', 1.5, 'a whole number'],
    ['rules.0.horizonSteps', -1, 'a whole number'],
    ['rules.0.upper.0', Number.NaN, 'rules[0].upper[0] is NaN'],
    ['rules.0.upper.0', null, 'rules[0].upper[0] is null'],
    ['rules.0.upper.0', 1.1, 'a probability'],
    ['rules.0.lower.0', 0.11, 'at most upper[0]'],
    ['rules.0.lower', [0], '1 entries, expected 16'],
    ['rules.0.lower.3', 0.5, 'the rule is violated there'],
    ['rules.0.horizons', { soon: {} }, 'numbers of steps'],
    ['rules.0.horizons', { 3: { lower: [], upper: [] } }, 'horizons.3.lower is 0 entries'],
    ['rules.0.automaton.predicates.0', 'c', 'one of a, b'],
    ['rules.0.automaton.initial', 4, 'from 0 to 3'],
    ['rules.0.automaton.verdict.0', 3, '0, 1 or 2'],
    ['rules.0.automaton.accepting.0', 2, 'from 0 to 1'],
    ['rules.0.automaton.roots.0', 9, 'a node below 4'],
    ['rules.0.automaton.roots.0', -5, 'a state q below 4'],
    ['rules.0.automaton.roots.3', -1, 'a state with a verdict stays'],
    ['rules.0.automaton.nodes.0', 2, 'from 0 to 1'],
    ['rules.0.automaton.nodes.1', 0, 'ascend along every path'],
    ['rules.0.automaton.nodes', [1], 'three for each node'],
    ['rules.0.monitor', {}, 'rules[0].monitor.predicates'],
    ['onUnknown', 'ignore', 'one of rule'],
    ['onUnknown', 'allow', 'unsafeAllowUnknown'],
    ['onUnknown', 'report', 'unsafeAllowUnknown'],
    ['unsafeAllowUnknown', 'yes', 'true or false'],
    ['decideOn', 'lower', 'one of upper'],
    ['samplingPeriodSeconds', 0, 'positive'],
    ['samplingPeriodSeconds', undefined, 'a finite number'],
    ['periodTolerance', -0.1, 'from 0 up'],
  ];
  for (const [path, value, words] of refused) {
    it(`is refused with ${path} = ${JSON.stringify(value)}`, () => {
      const bad = changed(path, value);
      expect(() => checkGuardFile(bad)).toThrow(InvalidArgumentError);
      expect(() => checkGuardFile(bad)).toThrow(words);
    });
  }

  it('is refused if the state of a satisfied rule is at risk', () => {
    const satisfied = ruleOf({ ...never, verdict: [0, 2], accepting: [0, 1] }, [0, 0, 0, 0]);
    const upper = satisfied.upper.map((value, i) => (i === 1 ? 0.1 : value));
    expect(() => checkGuardFile(guardFile([{ ...satisfied, upper }]))).toThrow('the rule is satisfied there');
  });

  it('is refused in another version', () => {
    expect(() => checkGuardFile(changed('version', 2))).toThrow(NotSupportedError);
  });

  it('is refused where it decides on confidence bounds that it lacks, or that cannot be', () => {
    const rule = ruleOf(never, [0.1, 0.2, 0.3, 0.4]);
    const confident = (confidenceUpper: unknown, delta: unknown = 0.05): unknown => ({
      ...guardFile([
        {
          ...rule,
          ...(confidenceUpper === undefined ? {} : { confidenceUpper: confidenceUpper as number[] }),
        },
      ]),
      decideOn: 'confidenceUpper',
      confidence: { delta },
    });
    const { upper } = rule;
    expect(() => checkGuardFile(confident(upper))).not.toThrow();
    expect(() => checkGuardFile({ ...guardFile([rule]), decideOn: 'confidenceUpper' })).toThrow(
      'rules[0].confidenceUpper is undefined, expected a list',
    );
    expect(() => checkGuardFile(confident([0.1]))).toThrow('confidenceUpper is 1 entries, expected 8');
    expect(() => checkGuardFile(confident(upper.map(() => 0.5)))).toThrow(
      'confidenceUpper[1] is 0.5, expected 1, for the rule is violated there',
    );
    expect(() => checkGuardFile(confident(upper.map(() => 1.5)))).toThrow('a probability in [0, 1]');
    expect(() => checkGuardFile(confident(upper, 0))).toThrow(
      'confidence.delta is 0, expected a probability',
    );
    const horizons = { 3: { lower: rule.lower, upper } };
    expect(() =>
      checkGuardFile({
        ...(confident(upper) as GuardFile),
        rules: [{ ...rule, confidenceUpper: upper, horizons }],
      }),
    ).toThrow('horizons.3.confidenceUpper is undefined');
  });

  it('is refused as text that is not JSON, and as something else', async () => {
    await expect(loadGuard('{"format": ')).rejects.toThrow(InvalidArgumentError);
    await expect(loadGuard('[]')).rejects.toThrow('expected an object');
    expect(() => checkGuardFile(null)).toThrow('the file is null');
  });

  it('names the predicate that cannot be compiled', () => {
    const bad = { ...file, predicates: [{ name: 'a', expression: 'a &&' }, file.predicates[1]] } as GuardFile;
    expect(() => createGuard(bad)).toThrow('predicate "a"');
  });

  it('loads the engine for regular expressions where a predicate uses them', async () => {
    const predicates = [{ name: 'a', expression: 'name.matches("^a+$")' }, file.predicates[1]];
    const guard = await loadGuard({ ...file, predicates });
    expect(guard.step({ name: 'aaa', b: true }).state).toBe(3);
    expect(guard.step({ name: 'aab', b: true }).state).toBe(2);
  });
});

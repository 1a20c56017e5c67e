import { describe, expect, it } from 'vitest';
import { InvalidArgumentError, NotSupportedError } from '../../../bindings/base/errors.js';
import { toBase64 } from '../../../bindings/runtime/guard/base64.js';
import {
  checkGuardFile,
  createGuard,
  type GuardFile,
  loadGuard,
} from '../../../bindings/runtime/guard/index.js';
import { guardFile, never, response, ruleOf } from './guardFiles.js';

const file = guardFile([ruleOf(response, [0.1, 0.2, 0.3, 0.4])]);

/** The file with the value at a path such as `rules.0.levels.0` replaced (or removed, if undefined). */
function changed(path: string, value: unknown, of: unknown = file): unknown {
  const copy = structuredClone(of) as unknown as Record<string, never>;
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
    ['learntPredicates', 0, 'at least 1'],
    ['learntPredicates', 3, 'from 0 to 2'],
    ['learntPredicates', 1, 'states.valuations'],
    ['learntPredicates', '2', 'learntPredicates'],
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
    ['rules.0.shieldChooses', 1, 'true or false'],
    ['rules.0.tables', [], 'an object'],
    ['rules.0.tables.risk', [0.1], 'rules[0].tables.risk is [0.1], expected text'],
    ['rules.0.tables.risk', 'AAAA', '3 bytes, expected 48'],
    ['rules.0.tables.risk', '?', 'other text, expected base64'],
    ['rules.0.tables.risk', toBase64(new Uint8Array(48).fill(255)), 'bounds in [0, 1]'],
    ['rules.0.tables.groupOf', [0, 0, 0], '3 entries, expected 4'],
    ['rules.0.tables.groupOf.1', 1, 'from 0 to 0'],
    ['rules.0.tables.groups.0', [0], 'two for each run'],
    ['rules.0.tables.groups.0', [0, 2, 1, 1], 'runs ascend'],
    ['rules.0.tables.groups.0', [0, 0], 'at least 1 state'],
    ['rules.0.tables.groups.0', [0, 5], 'from 0 to 4'],
    ['rules.0.tables.groups.0', [0, 4], 'without a verdict'],
    ['rules.0.tables.horizons', { soon: {} }, 'numbers of steps'],
    ['rules.0.tables.horizons', { 3: { risk: '' } }, 'horizons.3.risk is 0 bytes, expected 48'],
    ['rules.0.tables.least', { bounds: file.rules[0].tables!.risk, upper: '' }, 'where least is'],
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
    ['onUntried', 'block', 'no actions'],
    ['onUntried', 'ignore', 'one of rule'],
    ['onUnreadable', 'allow', 'one of rule, stop, block, inspect, reflect'],
    ['onUnreadable', 'report', 'one of rule, stop, block, inspect, reflect'],
    ['onUnreadable', null, 'one of rule'],
    ['tools', [], 'an object'],
    ['tools', { handOver: true }, 'tools.handOver is true, expected an object'],
    ['tools', { handOver: { safe: 'yes' } }, 'true or false'],
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

  it('is refused where a rule with tables reads what no state is made of, or rules alone have learnt predicates', () => {
    const { tables, ...rule } = file.rules[0];
    const empty = {
      ...file,
      learntPredicates: 1,
      states: { words: 1, valuations: [], draws: [] },
      seen: { rowStart: [0], columns: [] },
    };
    expect(() => checkGuardFile({ ...empty, rules: [rule] })).not.toThrow();
    expect(() =>
      checkGuardFile({ ...empty, rules: [{ ...rule, tables: { ...tables, groupOf: [] } }] }),
    ).toThrow('rules[0].automaton.predicates[1] is "b", expected one of a');
    expect(() => checkGuardFile({ ...empty, modelHash: null, rules: [rule] })).toThrow('has no model');
  });

  it('is refused where bounds that a budget rests on are no probabilities', () => {
    const { risk, ...tables } = file.rules[0].tables!;
    const withLeast = (upper: number): unknown =>
      changed('rules.0.tables', {
        ...tables,
        risk,
        most: risk,
        least: { bounds: risk, upper: toBase64(new Uint8Array(new Float64Array(12).fill(upper).buffer)) },
      });
    expect(() => checkGuardFile(withLeast(0.5))).not.toThrow();
    for (const wrong of [-0.1, 1.1, Number.NaN])
      expect(() => checkGuardFile(withLeast(wrong))).toThrow('least.upper, entry 0, is');
  });

  it('is refused in another version, which says how to come to this one', () => {
    expect(() => checkGuardFile(changed('version', 3))).toThrow(NotSupportedError);
    const limited = changed('tools', { handOver: { safe: true, limit: 3 } });
    expect(() => checkGuardFile(limited)).toThrow(NotSupportedError);
    expect(() => checkGuardFile(limited)).toThrow('tools.handOver has "limit"');
    expect(() => checkGuardFile(changed('version', 1))).toThrow(
      'version is 1, and this release reads version 2; compile the guard again, with `foreguard compile`',
    );
  });

  it.each(['forbidden', 'rules.0.clocks', 'rules.0.tables.proved', 'rules.0.tables.horizons.3.exact'])(
    'is refused with %s, of a later release: left out it might allow what it forbids',
    (path) => {
      const copy = {
        ...file,
        rules: [ruleOf(response, [0.1, 0.2, 0.3, 0.4], { horizons: { 3: [0, 0, 0, 0] } })],
      };
      expect(() => checkGuardFile(changed(path, [], copy))).toThrow(NotSupportedError);
      expect(() => checkGuardFile(changed(path, [], copy))).toThrow('does not know and will not leave out');
    },
  );

  it('is refused where it decides on confidence bounds that it lacks, or that cannot be', () => {
    const confident = (delta: unknown): unknown => ({
      ...guardFile([ruleOf(never, [0.1, 0.2, 0.3, 0.4], { confidence: [0.2, 0.3, 0.4, 0.5] })]),
      decideOn: 'confidenceUpper',
      confidence: { delta },
    });
    const lacking = (horizons: Record<string, number[]>, confidence?: number[]): unknown => ({
      ...(confident(0.05) as GuardFile),
      rules: [ruleOf(never, [0.1, 0.2, 0.3, 0.4], { horizons, ...(confidence && { confidence }) })],
    });
    expect(() => checkGuardFile(confident(0.05))).not.toThrow();
    expect(() => checkGuardFile(lacking({}))).toThrow(
      'rules[0].tables.confidenceUpper is undefined, expected text, for the guard decides on it',
    );
    expect(() => checkGuardFile(confident(0))).toThrow('confidence.delta is 0, expected a probability');
    const inSteps = lacking({ 3: [0, 0, 0, 0] }, [0.2, 0.3, 0.4, 0.5]) as GuardFile;
    expect(() => checkGuardFile(inSteps)).not.toThrow();
    const [rule] = inSteps.rules;
    const { risk } = rule.tables!;
    const bare = { ...inSteps, rules: [{ ...rule, tables: { ...rule.tables, horizons: { 3: { risk } } } }] };
    expect(() => checkGuardFile(bare)).toThrow('horizons.3.confidenceUpper is undefined');
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

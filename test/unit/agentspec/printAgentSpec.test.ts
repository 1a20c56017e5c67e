import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import {
  type AgentSpecRule,
  parseAgentSpec,
  printAgentSpec,
} from '../../../bindings/runtime/agentspec/index.js';
import { sharedData } from '../../shared.js';

/** Rules without the places of their parts. */
function bare(rules: readonly AgentSpecRule[]): unknown {
  return JSON.parse(JSON.stringify(rules, (key, value) => (key === 'place' ? undefined : value)));
}

const word = fc
  .stringMatching(/^[A-Za-z0-9_.:é*?'-]{1,12}$/)
  .filter((text) => !/^(rule|trigger|check|enforce|end)$/.test(text));
const name = word.filter((text) => !/^(true|false)$/i.test(text));
const text = fc.oneof(word, fc.string(), fc.string({ unit: 'binary' }));
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const parameters = fc.array(fc.oneof(text, number), { maxLength: 3 });
const rule: fc.Arbitrary<AgentSpecRule> = fc.record({
  id: word,
  triggers: fc.array(text, { minLength: 1, maxLength: 3 }),
  conditions: fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('constant' as const), value: fc.boolean() }),
      fc.record({
        kind: fc.constant('predicate' as const),
        name,
        arguments: parameters,
        negated: fc.boolean(),
      }),
    ),
    { minLength: 1, maxLength: 4 },
  ),
  enforcements: fc.array(
    fc.oneof(
      fc.record({ name: word, arguments: parameters, value: fc.constant(null) }),
      fc.record({ name: word, arguments: fc.constant([]), value: number }),
    ),
    { minLength: 1, maxLength: 3 },
  ),
});

describe('printed rules', () => {
  it('are read as the same rules', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), (rules) => {
        const { rules: again, skipped } = parseAgentSpec(printAgentSpec(rules));
        expect(skipped).toEqual([]);
        expect(bare(again)).toEqual(bare(rules));
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it('look as the published ones', () => {
    const [parsed] = parseAgentSpec(
      'rule @ask trigger turn on | Binance.Deposit check is_candle & !near(2.0) enforce user_inspection("why?") real:a:b = 1.0 end',
    ).rules;
    expect(printAgentSpec([parsed])).toBe(
      'rule @ask\ntrigger\n  turn on | Binance.Deposit\ncheck\n  is_candle\n  !near(2)\nenforce\n  user_inspection("why?")\n  real:a:b = 1\nend\n',
    );
  });

  it('have no names that cannot be read', () => {
    const [valid] = parseAgentSpec('rule @r trigger t check p enforce stop end').rules;
    const predicate = { kind: 'predicate' as const, arguments: [], negated: false };
    for (const wrong of [
      { ...valid, id: 'two words' },
      { ...valid, id: 'end' },
      { ...valid, triggers: [] },
      { ...valid, conditions: [{ ...predicate, name: 'True' }] },
      { ...valid, conditions: [{ ...predicate, name: 'p\nenforce\nnone\nend' }] },
      { ...valid, enforcements: [{ name: '', arguments: [], value: 1 }] },
    ]) {
      expect(() => printAgentSpec([wrong])).toThrow(InvalidArgumentError);
    }
  });
});

sharedData('agentspec-rules', (folder) => {
  it('published rules stay the same', () => {
    for (const file of [
      'manual/toolemu.ar',
      'manual/pythonrepl.ar',
      'manual/embodied.ar',
      'apollo/S9.rule',
    ]) {
      const { rules } = parseAgentSpec(readFileSync(`${folder}/${file}`, 'utf8'));
      expect(rules.length).toBeGreaterThan(1);
      expect(bare(parseAgentSpec(printAgentSpec(rules)).rules)).toEqual(bare(rules));
    }
  });
});

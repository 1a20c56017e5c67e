import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { policyEffect } from '../../../bindings/proofs/policyProof/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { checkGuardFile, createGuard } from '../../../bindings/runtime/guard/index.js';
import { foreguard } from '../cli/command.js';
import { learnFor } from './learnt.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-proven-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RULES = `version: 1
predicates: { send: 'action.name == "send"', read: 'action.name == "read"', big: 'action.arguments.size > 5' }
rules:
  small: { formula: 'G !(send & big)', threshold: 0.3 }
  once: { formula: 'G !(read & X read)', threshold: 0.3 }
learning: { smoothing: 0 }
`;
const POLICIES = `inputs: { size: { integer: [0, 9] } }
policies:
  mail: { tools: [send], permit: { small: 'size <= 5' } }
  files: { tools: [read], permit: { always: 'size >= 0' } }
`;
const call = (name: string, size: number) => ({ state: {}, action: { name, arguments: { size } } });
const RUNS = [
  [call('send', 9), call('read', 1)],
  [call('read', 1), call('read', 2), call('send', 1)],
].map((steps, id) => ({ id: `${id}`, steps }));

async function compiled(text: string) {
  const specification = parseSpecification(text);
  const { model } = await learnFor(specification, {}, RUNS);
  const effect = await policyEffect(specification, model);
  return { specification, model, effect, file: compileGuard(specification, model, { policies: effect }) };
}

describe('rules that no session under the policies can break', () => {
  it('have no tables, and name the policies that keep them', async () => {
    const { specification, model, effect, file } = await compiled(RULES + POLICIES);
    expect([...effect.proven]).toEqual([['small', ['mail']]]);
    const [small, once] = file.rules;
    expect(small).toMatchObject({ provenBy: ['mail'] });
    expect(small.tables).toBeUndefined();
    expect(once).not.toHaveProperty('provenBy');
    const recorded = compileGuard(specification, model);
    expect(once.tables).toEqual(recorded.rules[1].tables);
    expect(recorded.rules[0].tables).toBeDefined();
    expect(checkGuardFile(JSON.parse(JSON.stringify(file)))).toEqual(file);
  });

  it('are enforced all the same, and explained', async () => {
    // Nothing is left to predict.
    const { file } = await compiled(RULES.replace(/ {2}once.*\n/, '') + POLICIES);
    const guard = createGuard(file);
    const kept = guard.step({}, { action: { name: 'send', arguments: { size: 1 } } });
    expect(guard.explain(kept)).toContain(
      'Its risk is 0: it is proved that no calls break it which the policy "mail" permits.',
    );
    guard.reset();
    const step = guard.step({}, { action: { name: 'send', arguments: { size: 9 } } });
    expect(step).toMatchObject({ decision: 'block', rule: 'small' });
  });

  it('are none where a call that breaks them is or may be permitted, or policies do not matter', async () => {
    for (const [from, to] of [
      ["'size <= 5'", "'size <= 6'"],
      ["'size <= 5'", "'size * size * size <= 125 || size == 7'"],
      ['tools: [send]', 'tools: [sends]'],
    ]) {
      const text = (RULES + POLICIES).replace(from, to);
      const { effect } = await compiled(to.includes('sends') ? `${text}uncoveredTools: permit\n` : text);
      expect([...effect.proven.keys()], to).toEqual([]);
    }
    const always = RULES.replace("'G !(send & big)'", "'G (send | !send)'");
    await expect(compiled(always + POLICIES)).rejects.toThrow();
  });

  it('are refused in files with tables, or without policies', async () => {
    const { file } = await compiled(RULES + POLICIES);
    const { policies: _, ...bare } = file;
    expect(() => checkGuardFile(bare as typeof file)).toThrow('no policies');
    const both = { ...file, rules: [{ ...file.rules[1], provenBy: ['mail'] }] };
    expect(() => checkGuardFile(both)).toThrow('what is proved of a rule needs no risk');
  });

  it('are told by risk and compile', async () => {
    const [spec, traces, model, guard] = ['s.yaml', 't.jsonl', 'm.umb', 'g.json'].map((one) =>
      join(folder, one),
    );
    writeFileSync(spec, RULES + POLICIES);
    writeFileSync(traces, RUNS.map((run) => JSON.stringify(run)).join('\n'));
    await foreguard('learn', '-s', spec, '-t', traces, '-o', model);
    const { out } = await foreguard('risk', '-s', spec, '-m', model);
    expect(out).toContain(
      'rule "small" has risk 0: no calls break it that its policies permit, which is proved (by mail)',
    );
    expect(out).not.toContain('small: G !(send & big)');
    const json = JSON.parse((await foreguard('risk', '-s', spec, '-m', model, '--json')).out);
    expect(json.proven).toEqual([{ name: 'small', provenBy: ['mail'] }]);
    expect(json.rules.map(({ name }: { name: string }) => name)).toEqual(['once']);
    expect((await foreguard('risk', '-s', spec, '-m', model, '--joint', 'small')).err).toContain(
      'policies keep them',
    );
    expect((await foreguard('compile', '-s', spec, '-m', model, '-o', guard)).code).toBe(0);
    expect(JSON.parse(readFileSync(guard, 'utf8')).rules[0].provenBy).toEqual(['mail']);
  });
});

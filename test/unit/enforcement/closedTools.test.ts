import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { loadGuard } from '../../../bindings/runtime/guard/index.js';

const TOOLS = ['read', 'write', 'drop'];

async function sessionOf(rule: string, more: object = {}) {
  const guard = await loadGuard(
    compileRules(
      parseSpecification(`version: 1
predicates:
  reads: 'action.name == "read"'
  writes: 'action.name == "write"'
  drops: 'action.name == "drop"'
  wild: 'action.name == "write" && action.arguments.wild == true'
rules: { r: { formula: '${rule}', strategy: block } }`),
    ),
  );
  const session = createSession({ judges: [guard], tools: TOOLS, onFault: 'block', ...more });
  let id = 0;
  const check = (name: string, wild: boolean) => session.check({ id: `${id++}`, name, arguments: { wild } });
  /** Whether a call ran; another is proposed while it runs, and given up or run after it. */
  const call = async (
    name: string,
    wild = false,
    beside?: { name: string; runs: boolean },
  ): Promise<boolean> => {
    const verdict = await check(name, wild);
    const other = beside && (await check(beside.name, false));
    if (other && other.run !== null && !beside.runs) await session.withdraw(other);
    if (verdict.run !== null) await session.ran(verdict, { result: 'done' });
    if (other && other.run !== null && beside.runs) await session.ran(other, { result: 'done' });
    return verdict.run !== null;
  };
  return { session, call };
}

describe('tools of which no call will be permitted', () => {
  it.each([
    ['G !drops', ['drop']],
    ['G !(drops | reads)', ['read', 'drop']],
    ['G !wild', []],
    ['G (drops -> O reads)', []],
    ['!drops U reads', []],
    ['G true', []],
  ])('are, at the beginning under %s', async (rule, expected) => {
    expect((await sessionOf(rule)).session.closed).toEqual(expected);
  });

  it('become so in the course of a run', async () => {
    const { session, call } = await sessionOf('G !(writes & Y (O (writes & Y (O writes))))');
    expect([await call('write'), session.closed]).toEqual([true, []]);
    expect([await call('write'), session.closed]).toEqual([true, ['write']]);
    expect(await call('write')).toBe(false);
    expect(session.closed).toEqual(['write']);
  });

  it('are not named while a call is running, that may be given up', async () => {
    const { session } = await sessionOf('G !(writes & Y (O writes))', { maxPending: 6 });
    const verdict = await session.check({ id: 'a', name: 'write', arguments: {} });
    expect(session.closed).toEqual([]);
    await session.withdraw(verdict);
    expect(session.closed).toEqual([]);
  });

  it('are none where everything runs, or a person may permit it', async () => {
    expect((await sessionOf('G !drops', { shadow: true })).session.closed).toEqual([]);
    const asking = await loadGuard(
      compileRules(
        parseSpecification(
          `{version: 1, predicates: {drops: 'action.name == "drop"'}, rules: {r: {formula: G !drops, strategy: inspect}}}`,
        ),
      ),
    );
    const ask = async () => ({ approved: true, by: 'Ada' });
    expect(createSession({ judges: [asking], tools: TOOLS, ask }).closed).toEqual([]);
  });

  it('never run, whatever else is called', async () => {
    const atom = fc.constantFrom('reads', 'writes', 'drops', 'wild');
    const { formula } = fc.letrec<{ formula: string }>((tie) => ({
      formula: fc.oneof(
        { maxDepth: 3 },
        atom,
        tie('formula').map((one) => `(!(${one}))`),
        tie('formula').map((one) => `(Y (${one}))`),
        tie('formula').map((one) => `(O (${one}))`),
        fc.tuple(tie('formula'), tie('formula')).map(([one, other]) => `(${one} & ${other})`),
        fc.tuple(tie('formula'), tie('formula')).map(([one, other]) => `(${one} -> ${other})`),
      ),
    }));
    const tool = fc.constantFrom(...TOOLS);
    const beside = fc.option(fc.record({ name: tool, runs: fc.boolean() }), { nil: undefined });
    const calls = fc.array(fc.tuple(tool, fc.boolean(), beside), { maxLength: 8 });
    let closedOnes = 0;
    await fc.assert(
      fc.asyncProperty(formula, calls, async (one, made) => {
        const { session, call } = await sessionOf(`G (${one})`, { maxPending: 6 });
        for (const [name, wild, other] of made) {
          const closed = session.closed.includes(name);
          if (closed) closedOnes++;
          expect((await call(name, wild, other)) && closed).toBe(false);
        }
      }),
      { numRuns: 150 },
    );
    expect(closedOnes).toBeGreaterThan(10);
  });
});

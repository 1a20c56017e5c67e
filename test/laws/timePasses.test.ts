import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { buildAutomaton, VIOLATED } from '../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../bindings/languages/logic/index.js';
import { createSession, type ToolCall } from '../../bindings/runtime/enforcement/index.js';
import { createGuard, type Guard, type GuardFile, Monitor } from '../../bindings/runtime/guard/index.js';
import { guardFile, ruleOf } from '../unit/guard/guardFiles.js';

const FORMULAS = [
  'G !b',
  'G (a -> F<=2 b)',
  'G (a -> G<=3 !b)',
  '!b U a',
  'F<=4 b',
  'G (b -> O<=2 a)',
  'G (a -> X !b)',
];

type Resample = 'error' | 'hold' | 'skip';
type State = { readonly a: boolean; readonly b: boolean };

/** A call: after how many periods, in which world, and what becomes of it; `vetoed` is by a reactive rule, `unknown` a tool that there is not. */
const proposed = fc.record({
  state: fc.record({ a: fc.boolean(), b: fc.boolean() }),
  periods: fc.constantFrom(0, 0.5, 1, 1, 2, 3, 20),
  fate: fc.constantFrom('runs', 'runs', 'comes back', 'given up', 'refused', 'vetoed', 'unknown'),
});

const example = fc
  .record({
    formula: fc.constantFrom(...FORMULAS),
    calls: fc.array(proposed, { minLength: 2, maxLength: 8 }),
  })
  .map((one) => ({ ...one, automaton: buildAutomaton(parseFormula(one.formula)) }));

const fileOf = (
  formula: string,
  automaton: ReturnType<typeof buildAutomaton>,
  resample: Resample,
): GuardFile =>
  guardFile(
    [
      ruleOf(automaton, [0.1, 0.1, 0.1, 0.1], {
        formula,
        strategy: { kind: 'block' },
        afterViolation: { kind: 'block' },
      }),
    ],
    { samplingPeriodSeconds: 2, resample },
  );

const bits = ({ a, b }: State): number => Number(a) + 2 * Number(b);

/** What the rule has read by definition: steps a period apart from the first on, that a call came in or that are held. */
class Definition {
  readonly #monitor: Monitor;
  readonly #holds: boolean;
  #first: number | null = null;
  #last = -1;
  #before = 0;

  constructor(monitor: Monitor, resample: Resample) {
    this.#monitor = monitor;
    this.#holds = resample === 'hold';
  }

  /** @param now in periods */
  see(state: State, now: number): number {
    this.#first ??= now;
    const index = Math.floor(now - this.#first);
    if (index > this.#last) {
      const held = this.#last < 0 || !this.#holds ? 0 : index - this.#last - 1;
      for (let i = 0; i < held; i++) this.#monitor.advance(Uint32Array.of(this.#before));
      this.#before = bits(state);
      this.#monitor.advance(Uint32Array.of(this.#before));
      this.#last = index;
    }
    return this.#monitor.verdict;
  }
}

/** Under `error` what a guard makes of the same steps, each an observation: those in time, and those after a call has come back. */
class Steps {
  readonly #guard: Guard;
  #last = Number.NEGATIVE_INFINITY;

  constructor(file: GuardFile) {
    this.#guard = createGuard(file);
  }

  see(state: State, now: number, isBehind: boolean): number {
    if (isBehind || now - this.#last >= 1) {
      this.#guard.step(state, { time: 7 + 2 * now });
      this.#last = now;
    }
    return this.#guard.rules[0].verdict;
  }
}

describe.each(['error', 'hold', 'skip'] as const)('time passes, under resample: %s', (resample) => {
  it('while calls run, and after those that were refused, given up or vetoed', async () => {
    const count = { violated: 0, beside: 0 };
    await fc.assert(
      fc.asyncProperty(example, async ({ formula, automaton, calls }) => {
        const file = fileOf(formula, automaton, resample);
        const guard = createGuard(file);
        const definition = new Definition(new Monitor(automaton, ['a', 'b']), resample);
        const steps = new Steps(file);
        let now = 0;
        let state: State = calls[0].state;
        const session = createSession({
          guard,
          tools: ['look'],
          state: () => state,
          time: () => 7 + 2 * now,
          onFault: 'block',
          maxPending: 6,
          rules: [
            {
              strategies: [{ kind: 'block' }],
              decide: (_: unknown, { arguments: given }: ToolCall) => ({
                strategy: (given as { fate: string }).fate === 'vetoed' ? { kind: 'block' } : null,
                rule: 'veto',
                note: null,
                values: {},
              }),
              decideOn() {},
            } as never,
          ],
        });
        let running = 0;
        let isBehind = true;
        for (const [i, { state: next, periods, fate }] of calls.entries()) {
          if (i > 0) now += periods;
          // Under error a state that is new is a step, also before its time: an unknown one, of other laws.
          state = resample === 'error' && periods < 1 ? state : next;
          const name = fate === 'unknown' ? 'nope' : 'look';
          const found = await session.check({ id: String(i), name, arguments: { fate } });
          if (fate === 'unknown') continue;
          if (running > 0) count.beside++;
          const verdict = resample === 'error' ? steps.see(state, now, isBehind) : definition.see(state, now);
          isBehind = false;
          expect(guard.rules[0].verdict).toBe(verdict);
          if (verdict === VIOLATED) {
            count.violated++;
            expect(found.run).toBeNull();
          }
          if (session.stopped !== null) break;
          if (found.run === null) continue;
          if (fate === 'runs' && running < 6) running++;
          else if (fate === 'comes back' && running === 0) {
            await session.ran(found, { result: 1 });
            isBehind = true;
          } else await session.withdraw(found);
        }
      }),
      { numRuns: 300 },
    );
    expect(count.violated).toBeGreaterThan(25);
    expect(count.beside).toBeGreaterThan(20);
  });
});

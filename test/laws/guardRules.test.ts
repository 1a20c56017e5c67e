import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError, InvalidModelError, NotSupportedError } from '../../bindings/base/errors.js';
import { Counter, readLearntChain } from '../../bindings/estimation/learning/index.js';
import {
  type Automaton,
  bindAutomaton,
  buildAutomaton,
  SATISFIED,
  VIOLATED,
} from '../../bindings/languages/automaton/index.js';
import { printFormula } from '../../bindings/languages/logic/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../bindings/rules/risk/index.js';
import { parseSpecification, type Specification } from '../../bindings/rules/specification/index.js';
import { createGuard, type GuardFile, Monitor } from '../../bindings/runtime/guard/index.js';
import { violationRisk } from '../../bindings/solvers/checker/index.js';
import type { Dtmc, Transition } from '../../bindings/solvers/model/index.js';
import { holds, type Position } from '../oracle/ltlf.js';
import { chainView } from './chains.js';
import { nestedFormula, predicates } from './formulas.js';

type AtEnd = 'strong' | 'weak';

const position = (bits: number): Position =>
  Object.fromEntries(predicates.map((name, i) => [name, ((bits >> i) & 1) === 1]));

interface World {
  readonly specification: Specification;
  readonly file: GuardFile;
  readonly model: Dtmc;
  /** Of all states but `start` and `end`. */
  readonly valuations: Uint32Array;
}

/** A guard of one rule, learnt from runs over the three predicates; rules that nothing can violate are no test. */
function worldOf(formula: string, atEnd: AtEnd, runs: readonly (readonly number[])[]): World {
  const specification = parseSpecification(
    JSON.stringify({
      version: 1,
      predicates: Object.fromEntries(predicates.map((name) => [name, name])),
      rules: { rule: { formula, atEnd, threshold: 0.5, strategy: 'block', afterViolation: 'inspect' } },
      onUnknown: 'stop',
    }),
  );
  const counter = new Counter(new Abstraction(specification.abstraction), specification.learning);
  runs.forEach((run, i) => {
    counter.add({ id: `${i}`, steps: run.map((bits) => ({ state: position(bits) })) });
  });
  const { model } = counter.finish();
  try {
    const { valuations, end } = readLearntChain(model);
    const file = compileGuard(specification, model);
    return { specification, file, model, valuations: valuations.subarray(1, end) };
  } catch (error) {
    const isNoTest = [InvalidArgumentError, InvalidModelError, NotSupportedError].some(
      (kind) => error instanceof kind,
    );
    if (isNoTest) fc.pre(false);
    throw error;
  }
}

/** The learnt chain, begun with a prefix that is taken for certain: its risk at the start is P[violation | prefix]. */
function riskAfter({ specification, model, valuations }: World, prefix: readonly number[], atEnd: AtEnd) {
  const states = valuations.length;
  const shift = prefix.length;
  const learnt = Array.from({ length: states }, (_, s): Transition[] =>
    Array.from(model.columns.subarray(model.rowStart[s + 1], model.rowStart[s + 2]), (t, i) => [
      t + shift,
      model.values[model.rowStart[s + 1] + i],
    ]),
  );
  const last = valuations.indexOf(prefix[shift - 1]);
  const copies = prefix.map((_, i): Transition[] => (i + 1 < shift ? [[i + 2, 1]] : learnt[last]));
  const rows: Transition[][] = [[[1, 1]], ...copies, ...learnt, [[states + shift + 1, 1]]];
  return violationRisk({
    chain: chainView(rows, [...prefix, ...valuations], predicates),
    automaton: buildAutomaton(specification.rules[0].formula),
    atEnd,
  }).start;
}

/** Where the automaton is after a whole prefix. */
function stateAfter(automaton: Automaton, prefix: readonly number[]): { q: number; violated: boolean } {
  const stepper = bindAutomaton(automaton, predicates);
  const q = prefix.reduce((state, bits) => stepper.step(state, Uint32Array.of(bits)), automaton.initial);
  return { q, violated: automaton.verdict[q] === VIOLATED };
}

const runs = fc.array(fc.array(fc.nat(7), { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
const atEnds = fc.constantFrom<AtEnd>('strong', 'weak');
const small = nestedFormula.filter((formula) => printFormula(formula).length < 120);

describe('a guard with a rule of operators in each other, past ones too', () => {
  it('says at each step what the whole prefix says: verdict, risk, and what follows a violation', () => {
    let violations = 0;
    fc.assert(
      fc.property(
        small,
        atEnds,
        runs,
        fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
        (formula, atEnd, learnt, picks) => {
          const world = worldOf(printFormula(formula), atEnd, learnt);
          const guard = createGuard(world.file);
          const automaton = buildAutomaton(formula);
          const prefix: number[] = [];
          // A rule that no run keeps is broken before the first step.
          let before = automaton.verdict[automaton.initial] === VIOLATED;
          for (const pick of picks) {
            prefix.push(world.valuations[pick % world.valuations.length]);
            const result = guard.step(position(prefix.at(-1)!));
            const [{ violated, violatedAtEnd }] = guard.rules;
            const trace = prefix.map(position);
            const context = `${printFormula(formula)} after ${prefix}`;
            // The automaton, anew from the first step; what ends here, by definition.
            expect(violated, context).toBe(stateAfter(automaton, prefix).violated);
            expect(violatedAtEnd, context).toBe(atEnd === 'weak' ? violated : !holds(formula, trace));
            const { lower, upper } = riskAfter(world, prefix, atEnd);
            expect(result.lower, context).toBeLessThanOrEqual(upper);
            expect(result.upper, context).toBeGreaterThanOrEqual(lower);
            if (violated) {
              violations++;
              expect(result, context).toMatchObject({
                risk: 1,
                decision: before ? 'inspect' : 'block',
                reason: before ? 'after-violation' : 'violated',
              });
            } else expect(result.decision, context).toBe(result.risk < 0.5 ? 'allow' : result.decision);
            if (violated && !before) {
              // Beyond repair: nothing that may follow makes it good.
              for (let bits = 0; bits < 8; bits++)
                expect(holds(formula, [...trace, position(bits)]), context).toBe(false);
            }
            before = violated;
          }
        },
      ),
      { numRuns: 80 },
    );
    expect(violations).toBeGreaterThan(20);
  });

  it('gives equal risk at the same state and automaton state, however it came there: 1 after violated, 0 after satisfied', () => {
    let again = 0;
    const histories = fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), {
      minLength: 2,
      maxLength: 8,
    });
    fc.assert(
      fc.property(small, atEnds, runs, histories, (formula, atEnd, learnt, all) => {
        const world = worldOf(printFormula(formula), atEnd, learnt);
        const guard = createGuard(world.file);
        const automaton = buildAutomaton(formula);
        const stepper = bindAutomaton(automaton, predicates);
        const risks = new Map<string, number>();
        for (const picks of all) {
          guard.reset();
          let q = automaton.initial;
          for (const pick of picks) {
            const bits = world.valuations[pick % world.valuations.length];
            q = stepper.step(q, Uint32Array.of(bits));
            const { risk } = guard.step(position(bits));
            const [place, context] = [`${bits}/${q}`, `${printFormula(formula)} in ${bits}/${q}`];
            if (automaton.verdict[q] === VIOLATED) expect(risk, context).toBe(1);
            if (automaton.verdict[q] === SATISFIED) expect(risk, context).toBe(0);
            if (risks.has(place)) again++;
            expect(risk, context).toBe(risks.get(place) ?? risk);
            risks.set(place, risk);
          }
        }
      }),
      { numRuns: 60 },
    );
    expect(again).toBeGreaterThan(100);
  });

  it('keeps the true state among those it may be in, whatever it could not read', () => {
    const seen = fc.record({ bits: fc.nat(7), known: fc.nat(7) });
    let sets = 0;
    fc.assert(
      fc.property(small, fc.array(seen, { minLength: 1, maxLength: 12 }), (formula, steps) => {
        const automaton = buildAutomaton(formula);
        const stepper = bindAutomaton(automaton, predicates);
        const monitor = new Monitor(automaton, predicates);
        let truth = automaton.initial;
        for (const { bits, known } of steps) {
          truth = stepper.step(truth, Uint32Array.of(bits));
          if (known === 7) monitor.advance(Uint32Array.of(bits));
          // What cannot be read means nothing, whatever is in its place.
          else monitor.advancePartially(Uint32Array.of(bits ^ (~known & 5)), Uint32Array.of(known));
          monitor.decide();
          if (automaton.verdict[truth] === VIOLATED) {
            expect(monitor.violated || monitor.mayBeViolated, printFormula(formula)).toBe(true);
            return;
          }
          expect(monitor.violated, printFormula(formula)).toBe(false);
          expect(monitor.has(truth), printFormula(formula)).toBe(true);
          if (monitor.state < 0) sets++;
        }
      }),
      { numRuns: 600 },
    );
    expect(sets).toBeGreaterThan(8);
  });

  it('gives no less risk than the true prefix has, after steps it could not read whole', () => {
    fc.assert(
      fc.property(
        small,
        atEnds,
        runs,
        fc.array(fc.record({ pick: fc.nat(), lost: fc.constantFrom(null, null, ...predicates) }), {
          minLength: 2,
          maxLength: 8,
        }),
        (formula, atEnd, learnt, steps) => {
          const world = worldOf(printFormula(formula), atEnd, learnt);
          const guard = createGuard(world.file);
          const automaton = buildAutomaton(formula);
          const prefix: number[] = [];
          for (const { pick, lost } of steps) {
            prefix.push(world.valuations[pick % world.valuations.length]);
            const state: Record<string, unknown> = { ...position(prefix.at(-1)!) };
            if (lost !== null) delete state[lost];
            const result = guard.step(state);
            const { lower, upper } = riskAfter(world, prefix, atEnd);
            // A violation that could not be seen is decided at its step, and then forgotten.
            if (stateAfter(automaton, prefix).violated && !guard.rules[0].violated) return;
            const context = `${printFormula(formula)} after ${prefix}`;
            expect(result.upper, context).toBeGreaterThanOrEqual(lower);
            expect(result.lower, context).toBeLessThanOrEqual(upper);
            if (lost !== null) expect(result.decision, context).not.toBe('allow');
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

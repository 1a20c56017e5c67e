import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { Counter, readLearntChain } from '../../bindings/estimation/learning/index.js';
import { bindAutomaton, buildAutomaton } from '../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../bindings/languages/logic/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';
import { createGuard } from '../../bindings/runtime/guard/index.js';
import { violationRisk } from '../../bindings/solvers/checker/index.js';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import { countedProduct } from '../oracle/countedProduct.js';
import type { Rational } from '../oracle/rational.js';
import { exactWindowedUntil } from '../oracle/windowedUntil.js';
import { brackets, learntChains } from './chains.js';
import { predicates } from './formulas.js';

/** The probability that more than `most` counted states come, from every state with every number. */
function risks({ chain, exceeded }: ReturnType<typeof countedProduct>): readonly Rational[] {
  const target = BitSet.where(chain.states, (s) => s === exceeded);
  return exactWindowedUntil(chain, BitSet.full(chain.states), target, 0, null);
}

describe('the risk of a counter', () => {
  it('is the probability that the count exceeds its bound, at every state of the chain with every count so far', () => {
    let nodes = 0;
    fc.assert(
      fc.property(learntChains(5, false), fc.nat(4), ({ valuations, view }, most) => {
        const counts = (s: number): boolean => s > 0 && s < view.end && (valuations[s - 1] & 1) === 1;
        const product = countedProduct(view, counts, most);
        const exact = risks(product);
        const automaton = buildAutomaton(parseFormula(`G count(a) <= ${most}`));
        const { lower, upper, start } = violationRisk({ chain: view, automaton, atEnd: 'strong' });
        expect(brackets(start.lower, exact[product.indexOf(0, 0)], start.upper)).toBe(true);
        const stepper = bindAutomaton(automaton, predicates);
        let q = automaton.initial;
        for (let count = 0; count <= most; count++) {
          for (let s = 1; s < view.end; s++) {
            const entry = s * automaton.states + q;
            if (Number.isNaN(upper[entry])) continue;
            nodes++;
            const context = `state ${s}, count ${count} of ${most}`;
            expect(brackets(lower[entry], exact[product.indexOf(s, count)], upper[entry]), context).toBe(
              true,
            );
          }
          q = stepper.step(q, Uint32Array.of(1), 0);
        }
      }),
      { numRuns: 300 },
    );
    expect(nodes).toBeGreaterThan(1000);
  });

  it('comes of a model that has no counter: a learnt guard knows it after every prefix', () => {
    let raised = 0;
    const run = fc.array(fc.nat(3), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        fc.array(run, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
        (learnt, most, picks) => {
          const specification = parseSpecification(`
version: 1
predicates: { writes: 'has(action.name) && action.name == "write"', busy: busy }
rules: { fewWrites: { formula: 'G count(writes) <= ${most}', threshold: 0.5, strategy: report } }
learning: { smoothing: 0 }`);
          const step = (bits: number) => ({
            state: { busy: bits > 1 },
            action: { name: bits % 2 === 1 ? 'write' : 'read', arguments: {} },
          });
          const counter = new Counter(new Abstraction(specification.abstraction), specification.learning);
          for (const [id, one] of learnt.entries()) counter.add({ id: `${id}`, steps: one.map(step) });
          const { model } = counter.finish();
          const { valuations, end } = readLearntChain(model);
          // The model is one of two predicates, however far the rule counts.
          expect(end - 1).toBe(new Set(learnt.flat()).size);
          const product = countedProduct(model, (s) => s > 0 && s < end && (valuations[s] & 1) === 1, most);
          const exact = risks(product);
          const guard = createGuard(compileGuard(specification, model));
          let count = 0;
          for (const pick of picks) {
            const s = 1 + (pick % (end - 1));
            const bits = valuations[s];
            count += bits & 1;
            const { state, action } = step(bits);
            const { lower, upper } = guard.step(state, { action });
            const context = `${count} writes of ${most}`;
            if (count > most) expect([lower, upper], context).toEqual([1, 1]);
            else {
              const value = exact[product.indexOf(s, count)];
              expect(brackets(lower, value, upper), context).toBe(true);
              expect(upper - lower, context).toBeLessThan(1e-5);
              if (value.compare(0) > 0) raised++;
            }
          }
        },
      ),
      { numRuns: 200 },
    );
    expect(raised).toBeGreaterThan(100);
  });
});

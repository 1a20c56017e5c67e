import { createReadStream, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compilePredicate, parseExpression } from '../../../bindings/languages/expression/index.js';
import { deriveAbstraction, parseFormula } from '../../../bindings/languages/logic/index.js';
import { Readability } from '../../../bindings/observations/abstraction/index.js';
import { readTraces, type Trace } from '../../../bindings/observations/trace/index.js';
import { robustness } from '../../../bindings/study/robustness/index.js';
import { holds } from '../../oracle/ltlf.js';
import { sharedData } from '../../shared.js';

sharedData('apollo/trace.json', (recording) => {
  sharedData('traffic-laws/laws.json', (path) => {
    it('the robustness of every law on a recorded drive has the sign of its truth, codes being distances or truths', async () => {
      const laws: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'));
      const traces: Trace[] = [];
      for await (const trace of readTraces(createReadStream(recording), { source: recording }))
        traces.push(trace);
      const [trace] = traces;
      const { steps } = trace;
      expect(steps).toHaveLength(68);
      const undecided: string[] = [];
      const notJudged: string[] = [];
      const atLimit: string[] = [];
      for (const [name, text] of Object.entries(laws)) {
        const formula = parseFormula(text, { name });
        const { predicates, formulas } = deriveAbstraction([formula]);
        if (new Readability(predicates).unread(trace).size > 0) {
          notJudged.push(name);
          continue;
        }
        const read = predicates.map((predicate) => ({
          name: predicate.name,
          holds: compilePredicate(parseExpression(predicate.expression)),
        }));
        const positions = steps.map((step) =>
          Object.fromEntries(read.map((predicate) => [predicate.name, predicate.holds(step.state, step)])),
        );
        const truth = holds(formulas[0], positions);
        const distance = robustness(formula, steps, { equality: 'distance' });
        if (distance === 0) undecided.push(name);
        else expect(distance > 0, name).toBe(truth);
        // The codes of a recording are whole numbers, and what is compared by order is rarely at its limit.
        const margin = robustness(formula, steps);
        if (margin === 0) atLimit.push(name);
        else expect(margin > 0, name).toBe(truth);
        const decided = robustness(formula, steps, { equality: 'truth' });
        if (decided !== 0) expect(decided > 0, name).toBe(truth);
        // The predicates by name come to the same as the comparisons in place.
        expect(robustness(formulas[0], steps, { predicates }), name).toBe(margin);
      }
      expect(notJudged).toEqual(['rule44', 'rule45', 'rule46_3']);
      expect(undecided.length).toBeGreaterThan(0);
      expect(undecided.length).toBeLessThan(Object.keys(laws).length / 2);
      expect(atLimit).toEqual([]);
    });
  });
});

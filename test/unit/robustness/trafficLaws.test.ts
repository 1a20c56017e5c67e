import { createReadStream, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compilePredicate, parseExpression } from '../../../bindings/expression/index.js';
import { deriveAbstraction, parseFormula } from '../../../bindings/logic/index.js';
import { robustness } from '../../../bindings/robustness/index.js';
import { readTraces, type Trace } from '../../../bindings/trace/index.js';
import { holds } from '../../oracle/ltlf.js';
import { sharedData } from '../../shared.js';

sharedData('apollo/trace.json', (recording) => {
  sharedData('traffic-laws/laws.json', (path) => {
    it('the robustness of every law on a recorded drive has the sign of its truth, codes being distances or truths', async () => {
      const laws: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'));
      const traces: Trace[] = [];
      for await (const trace of readTraces(createReadStream(recording), { source: recording }))
        traces.push(trace);
      const [{ steps }] = traces;
      expect(steps).toHaveLength(68);
      const undecided: string[] = [];
      for (const [name, text] of Object.entries(laws)) {
        const formula = parseFormula(text, { name });
        const { predicates, formulas } = deriveAbstraction([formula]);
        const read = predicates.map((predicate) => ({
          name: predicate.name,
          holds: compilePredicate(parseExpression(predicate.expression)),
        }));
        const positions = steps.map((step) =>
          Object.fromEntries(read.map((predicate) => [predicate.name, predicate.holds(step.state, step)])),
        );
        const truth = holds(formulas[0], positions);
        const distance = robustness(formula, steps);
        if (distance === 0) undecided.push(name);
        else expect(distance > 0, name).toBe(truth);
        const decided = robustness(formula, steps, { equality: 'truth' });
        if (decided !== 0) expect(decided > 0, name).toBe(truth);
        // The predicates by name come to the same as the comparisons in place.
        expect(robustness(formulas[0], steps, { predicates }), name).toBe(distance);
      }
      expect(undecided.length).toBeLessThan(Object.keys(laws).length / 2);
    });
  });
});

import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError, UndecidedError } from '../../bindings/base/errors.js';
import { buildAutomaton } from '../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../bindings/languages/logic/index.js';
import { compileGuard, riskTable } from '../../bindings/rules/risk/index.js';
import { checkProperty, stateRisk, violationRisk } from '../../bindings/solvers/checker/index.js';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import { createDtmc } from '../../bindings/solvers/model/index.js';
import { haddadMonmege } from '../kernel/chains.js';
import { chainView } from '../laws/chains.js';
import { learnFor, specify } from '../unit/risk/learnt.js';

/** The true value is 0.7; value iteration stops near 0.18, where one sweep changes little. */
const slow = createDtmc({
  ...haddadMonmege(20),
  initial: [20],
  labels: new Map([['goal', BitSet.of(41, [0])]]),
});
const options = { method: 'value-iteration' } as const;
const check = (text: string, model = slow) => checkProperty(model, parseFormula(text), options);

describe('plain value iteration', () => {
  it('gives an estimate, and no bounds but those of any probability', () => {
    for (const path of ['F goal', 'F>=2 goal', 'G !goal']) {
      const result = check(`P=? [ ${path} ]`);
      if (result.kind !== 'probability') expect.unreachable();
      expect(result).toMatchObject({ lower: 0, upper: 1, accuracy: 'estimated', method: 'value-iteration' });
      expect(Math.min(...result.solution.upper) - Math.max(...result.solution.lower)).toBe(1);
      expect(result.value).toBeGreaterThan(0);
    }
  });

  it('decides no threshold', () => {
    for (const text of [
      'P>=0.6 [ F goal ]',
      'P<0.6 [ F goal ]',
      'P<=0.1 [ G !goal ]',
      'P>0.5 [ F>=2 goal ]',
    ]) {
      expect(() => check(text), text).toThrow(UndecidedError);
      expect(() => check(text), text).toThrow(
        /in \[0, 1\]; method 'value-iteration' promises nothing; use another/,
      );
    }
    expect(checkProperty(slow, parseFormula('P>=0.6 [ F goal ]')).value).toBe(true);
    expect(checkProperty(slow, parseFormula('P>=0.7 [ F goal ]')).value).toBe(true);
    expect(checkProperty(slow, parseFormula('P>0.7 [ F goal ]')).value).toBe(false);
  });

  it('leaves to the graph what the graph decides', () => {
    expect(check('P>0 [ F goal ]')).toMatchObject({ value: true, accuracy: 'exact', method: 'graph' });
    expect(check('P>=1 [ F goal ]').value).toBe(false);
    expect(check('P>=0 [ F goal ]').value).toBe(true);
  });

  it('is refused where a risk is asked for', async () => {
    const specification = specify("rules:\n  r: { formula: 'G !c', threshold: 0.5 }");
    const { model } = await learnFor(specification);
    const chain = chainView([[[1, 1]], [[2, 1]], [[2, 1]]], [0], ['a']);
    const automaton = buildAutomaton(parseFormula('G !a'));
    for (const refused of [
      () => stateRisk(slow, parseFormula('P<0.1 [ F goal ]'), options),
      () => violationRisk({ chain, automaton, atEnd: 'strong' }, options),
      () => riskTable(specification, model, options),
      () => compileGuard(specification, model, options),
    ]) {
      expect(refused).toThrow(InvalidArgumentError);
      expect(refused).toThrow(/value-iteration/);
    }
  });
});

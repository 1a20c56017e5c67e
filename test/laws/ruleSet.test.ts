import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { sampleTraces } from '../../bindings/languages/automaton/compare/index.js';
import { type Formula, printFormula } from '../../bindings/languages/logic/index.js';
import { type CheckedRule, checkRules, type RuleFinding } from '../../bindings/rules/ruleSet/index.js';
import { holds, type Position } from '../oracle/ltlf.js';
import { countFormula, nestedFormula, responseFormula, ruleFormula } from './formulas.js';

const place = { line: 1, column: 1, offset: 0 };
const names = ['a', 'b'] as const;
const LONGEST = 4;

/** All traces over a and b of up to four steps. */
const traces: readonly (readonly Position[])[] = Array.from({ length: LONGEST }, (_, i) => i + 1).flatMap(
  (length) =>
    Array.from({ length: 4 ** length }, (_, bits) =>
      Array.from({ length }, (_, step) =>
        Object.fromEntries(names.map((name, i) => [name, ((bits >> (2 * step + i)) & 1) === 1])),
      ),
    ),
);

const overTwo = (formula: Formula): Formula => JSON.parse(JSON.stringify(formula).replaceAll('"c"', '"b"'));
const drawn = fc.oneof(ruleFormula, nestedFormula, countFormula, responseFormula).map(overTwo);
const never = (name: string): Formula => ({
  kind: 'unary',
  operator: 'G',
  operand: { kind: 'not', operand: { kind: 'predicate', name, place }, place },
  window: null,
  place,
});
const small = fc.oneof(drawn, responseFormula.map(overTwo), fc.constantFrom(...names).map(never));
/** One to four rules, now and then one that two others imply. */
const ruleSet: fc.Arbitrary<readonly CheckedRule[]> = fc
  .tuple(fc.array(small, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([formulas, joins]) =>
    joins && formulas.length > 1
      ? [...formulas, { kind: 'and', left: formulas[0], right: formulas[1], place } as const]
      : formulas,
  )
  .map((formulas) => formulas.map((formula, i) => ({ name: `r${i}`, formula })));

const negated = (operand: Formula): Formula => ({ kind: 'not', operand, place });
const TRUE: Formula = { kind: 'constant', value: true, place };
const all = (formulas: readonly Formula[]): Formula =>
  formulas.reduce<Formula>((left, right) => ({ kind: 'and', left, right, place }), TRUE);

/** A run that satisfies all of them: the first that the enumeration finds, or a longer one that the project finds and the oracle confirms. */
function runOf(formulas: readonly Formula[]): readonly Position[] | null {
  const found = traces.find((trace) => formulas.every((formula) => holds(formula, trace)));
  if (found !== undefined) return found;
  const [sampled] = sampleTraces(all(formulas), { count: 1 });
  if (sampled === undefined) return null;
  expect(sampled.length).toBeGreaterThan(LONGEST);
  for (const formula of formulas) expect(holds(formula, sampled)).toBe(true);
  return sampled;
}

/** All that a formula becomes if one occurrence of a part is replaced by a constant, with the text of the part, and of the parts that contain it. */
function* mutants(
  formula: Formula,
  rebuild: (by: Formula) => Formula = (by) => by,
  around: readonly string[] = [],
): Generator<{ part: string; around: readonly string[]; value: boolean; formula: Formula }> {
  for (const key of ['operand', 'left', 'right'] as const) {
    const inner = (formula as unknown as Record<string, Formula | undefined>)[key];
    if (inner === undefined) continue;
    const replace = (by: Formula): Formula => rebuild({ ...formula, [key]: by } as Formula);
    const part = printFormula(inner);
    if (inner.kind !== 'constant')
      for (const value of [false, true])
        yield { part, around, value, formula: replace({ kind: 'constant', value, place }) };
    yield* mutants(inner, replace, [...around, part]);
  }
}

const counts = new Map<string, number>();

describe('what is found about a set of rules', () => {
  afterAll(() => {
    if (process.env.RULE_SET_RUNS) console.log(Object.fromEntries(counts));
  });

  it('holds on every run that trying all finds, and nothing is left out', () => {
    fc.assert(
      fc.property(ruleSet, fc.option(drawn, { freq: 2 }), (rules, constraint) => {
        const assumed = constraint === null ? [] : [constraint];
        fc.pre(runOf(assumed) !== null);
        const { findings, undecided } = checkRules(rules, { constraints: assumed });
        expect(undecided).toEqual([]);
        const formulaOf = (name: string): Formula =>
          (rules.find((rule) => rule.name === name) as CheckedRule).formula;
        for (const finding of findings) {
          counts.set(finding.kind, (counts.get(finding.kind) ?? 0) + 1);
          expectTrue(finding, formulaOf, assumed, holds, traces);
        }
        const of = (...kinds: RuleFinding['kind'][]): RuleFinding[] =>
          findings.filter(({ kind }) => kinds.includes(kind));
        const odd = of('unsatisfiable', 'tautology').flatMap((finding) => finding.rules);
        for (const { name, formula } of rules) {
          if (odd.includes(name)) continue;
          expect(runOf([...assumed, formula])).not.toBeNull();
          expect(runOf([...assumed, negated(formula)])).not.toBeNull();
        }
        const left = [...odd, ...of('conflict').flatMap((finding) => finding.rules)];
        const free = rules.filter(({ name }) => !left.includes(name));
        expect(runOf([...assumed, ...free.map(({ formula }) => formula)])).not.toBeNull();
        for (const rule of free) {
          const others = [...assumed, ...free.filter((one) => one !== rule).map(({ formula }) => formula)];
          const mine = findings.filter((finding) => finding.rules.includes(rule.name));
          const isRedundant = mine.some(({ kind }) => kind === 'redundant');
          expect(runOf([...others, negated(rule.formula)]) === null).toBe(isRedundant);
          const parts = mine.flatMap(({ part }) => (part === null ? [] : [part]));
          const isIn = (text: string): boolean => parts.some((part) => text === part || text.includes(part));
          for (const { part, around, formula } of mutants(rule.formula)) {
            if (isRedundant || [part, ...around].some(isIn) || parts.some((one) => one.includes(part)))
              continue;
            const differs =
              runOf([...others, rule.formula, negated(formula)]) ??
              runOf([...others, negated(rule.formula), formula]);
            if (differs === null)
              expect(
                parts,
                `${part} of ${printFormula(rule.formula)} beside ${others.map(printFormula)}`,
              ).toEqual([part]);
          }
        }
      }),
      { numRuns: Number(process.env.RULE_SET_RUNS ?? 60) },
    );
  });

  it('holds of rules with a weak end, which forgive what is still due', () => {
    // Two more steps decide these rules, so that continuations can be tried.
    const short = responseFormula
      .filter(
        (formula) =>
          !JSON.stringify(formula).includes('"to":"3"') && !JSON.stringify(formula).includes('"to":"4"'),
      )
      .map(overTwo);
    const weakSet = fc
      .array(fc.oneof(short, fc.constantFrom(...names).map(never)), { minLength: 1, maxLength: 3 })
      .map((formulas) => formulas.map((formula, i) => ({ name: `r${i}`, formula, atEnd: 'weak' as const })));
    const tried = traces.filter(({ length }) => length < LONGEST);
    const forgives = (formula: Formula, trace: readonly Position[]): boolean =>
      holds(formula, trace) || traces.some((more) => more.length <= 2 && holds(formula, [...trace, ...more]));
    fc.assert(
      fc.property(weakSet, (rules) => {
        const formulaOf = (name: string): Formula =>
          (rules.find((rule) => rule.name === name) ?? rules[0]).formula;
        for (const finding of checkRules(rules).findings) expectTrue(finding, formulaOf, [], forgives, tried);
      }),
      { numRuns: Number(process.env.RULE_SET_RUNS ?? 40) },
    );
  });
});

/** Asserts that no trace of the enumeration speaks against a finding, and that each rule that it names is needed. */
function expectTrue(
  { kind, rules, because, under, part, value, needs, text }: RuleFinding,
  formulaOf: (name: string) => Formula,
  constraints: readonly Formula[],
  keepsRule: (formula: Formula, trace: readonly Position[]) => boolean,
  tried: readonly (readonly Position[])[],
): void {
  const [formula] = rules.map(formulaOf);
  const assumed = under.length === 0 ? [] : constraints;
  const others = because.map(formulaOf);
  /** The traces that satisfy the constraints and keep the rules. */
  const keeps = (kept: readonly Formula[]): (readonly Position[])[] =>
    tried.filter(
      (trace) => assumed.every((one) => holds(one, trace)) && kept.every((one) => keepsRule(one, trace)),
    );
  const breaks = (trace: readonly Position[]): boolean => !keepsRule(formula, trace);
  const needed = (trace: readonly Position[], without: string, ofAll: readonly string[]): void => {
    for (const one of assumed) expect(holds(one, trace), text).toBe(true);
    for (const one of ofAll) expect(keepsRule(formulaOf(one), trace), text).toBe(one !== without);
  };
  switch (kind) {
    case 'unsatisfiable':
      expect(keeps([formula]), text).toEqual([]);
      break;
    case 'tautology':
      expect(keeps([]).filter(breaks), text).toEqual([]);
      break;
    case 'conflict':
      expect(rules.length, text).toBeGreaterThan(1);
      expect(keeps(rules.map(formulaOf)), text).toEqual([]);
      expect(needs.map(({ rule }) => rule)).toEqual(rules);
      for (const { rule, trace } of needs) needed(trace, rule, rules);
      break;
    case 'redundant':
      expect(because.length, text).toBeGreaterThan(0);
      expect(keeps(others).filter(breaks), text).toEqual([]);
      for (const { rule, trace } of needs) {
        needed(trace, rule, because);
        expect(breaks(trace), text).toBe(true);
      }
      break;
    case 'neverTriggered': {
      const triggers = triggersOf(formula, part as string);
      expect(triggers.length, text).toBeGreaterThan(0);
      const isTriggered = (trace: readonly Position[]): boolean =>
        trace.some((_, i) => holds(triggers[0], trace, i));
      expect(keeps([...others, formula]).filter(isTriggered), text).toEqual([]);
      for (const { rule, trace } of needs) {
        needed(trace, rule, because);
        expect(!breaks(trace) && isTriggered(trace), text).toBe(true);
      }
      break;
    }
    case 'vacuous': {
      const context = keeps(others);
      const same = [...mutants(formula)].filter(
        (mutant) =>
          mutant.part === part &&
          mutant.value === value &&
          context.every((trace) => keepsRule(mutant.formula, trace) === !breaks(trace)),
      );
      expect(same.length, text).toBeGreaterThan(0);
      for (const { rule, trace } of needs) needed(trace, rule, because);
      break;
    }
    default:
      throw new Error(`not expected here: ${text}`);
  }
}

/** The left sides of implications that print as `text`. */
function triggersOf(formula: Formula, text: string): Formula[] {
  const found: Formula[] = [];
  const visit = (part: Formula): void => {
    if (part.kind === 'implies' && printFormula(part.left) === text) found.push(part.left);
    for (const key of ['operand', 'left', 'right'] as const) {
      const inner = (part as unknown as Record<string, Formula | undefined>)[key];
      if (inner !== undefined) visit(inner);
    }
  };
  visit(formula);
  return found;
}

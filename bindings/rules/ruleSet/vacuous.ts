import type { Demand } from '../../languages/automaton/compare/index.js';
import { buildAutomaton } from '../../languages/automaton/index.js';
import { type Formula, printFormula } from '../../languages/logic/index.js';
import type { RuleFinding } from './finding.js';
import type { Limits, Member, RuleMember } from './members.js';
import { type Occurrence, occurrencesIn, wholeOf } from './occurrences.js';
import { type Reasons, reasons } from './reasons.js';

type Vacuity = Omit<RuleFinding, 'text' | 'kind'> & { readonly kind: 'neverTriggered' | 'vacuous' };

/**
 * The parts of a rule that play no role: implications that are never triggered, and parts that `true` or `false` could stand for. Only the largest ones are
 * given: what is inside of a part that plays no role plays none either. Each is found by itself; if one is replaced, another may begin to matter.
 *
 * @param isImplied Whether the others imply the rule, so that it may be made weaker anyhow: then parts are only replaced such that it becomes stronger.
 * @see Beer, Ben-David, Eisner, Rodeh (2001), doi:10.1023/A:1008779610539
 * @throws NotSupportedError if an automaton or a question is too large
 */
export function vacuousParts(
  rule: RuleMember,
  others: readonly Member[],
  isImplied: boolean,
  limits: Limits,
): Vacuity[] {
  const found: Vacuity[] = [];
  const add = (
    kind: Vacuity['kind'],
    part: Formula,
    value: boolean | null,
    { because, under, needs }: Reasons,
  ): void => {
    const text = printFormula(part);
    found.push({
      kind,
      rules: [rule.name],
      because,
      under,
      part: text,
      value,
      needs,
      trace: null,
      otherwise: null,
    });
  };
  const visit = (occurrence: Occurrence): void => {
    const { part } = occurrence;
    if (part.kind === 'implies' && occurrence.polarity === 1) {
      const why = neverHolds(part.left, rule, others, limits);
      if (why !== null) {
        add('neverTriggered', part.left, null, why);
        return;
      }
    }
    for (const inner of occurrencesIn(occurrence)) {
      if (inner.part.kind === 'constant') continue;
      const replaced = replacement(inner, rule, others, isImplied, limits);
      if (replaced === null) visit(inner);
      else add('vacuous', inner.part, replaced.value, replaced.why);
    }
  };
  visit(wholeOf(rule.formula));
  return found;
}

/** Why a formula holds at no step of a run that keeps the rule. */
function neverHolds(
  formula: Formula,
  { automaton }: RuleMember,
  others: readonly Member[],
  { samplingPeriod, maxStates, maxTuples }: Limits,
): Reasons | null {
  const { place } = formula;
  const sometime: Formula = { kind: 'unary', operator: 'F', operand: formula, window: null, place };
  const held = buildAutomaton(sometime, { samplingPeriod, ...(maxStates !== undefined && { maxStates }) });
  return reasons(
    others,
    [
      [
        { automaton, accepts: true },
        { automaton: held, accepts: true },
      ],
    ],
    maxTuples,
  );
}

/** The truth value that a part can be replaced with, and why. */
function replacement(
  { part, polarity, replaced }: Occurrence,
  rule: RuleMember,
  others: readonly Member[],
  isImplied: boolean,
  { maxTuples }: Limits,
): { readonly value: boolean; readonly why: Reasons } | null {
  for (const value of [false, true]) {
    // A part of positive polarity that becomes false makes the rule stronger, and so does one of negative polarity that becomes true.
    const isStronger = polarity === (value ? -1 : 1);
    const isWeaker = polarity === (value ? 1 : -1);
    if (isImplied && !isStronger) continue;
    const automaton = rule.automatonOf(replaced({ kind: 'constant', value, place: part.place }));
    const between = (keeps: boolean): Demand[] => [
      { automaton: rule.automaton, accepts: keeps },
      { automaton, accepts: !keeps },
    ];
    const asked = [...(isWeaker ? [] : [between(true)]), ...(isStronger ? [] : [between(false)])];
    const why = reasons(others, asked, maxTuples);
    if (why !== null) return { value, why };
  }
  return null;
}

import { InvalidArgumentError } from '../../base/errors.js';
import {
  type ComparedTrace,
  compareRules,
  type RuleComparison,
  sampleTraces,
} from '../../languages/automaton/compare/index.js';
import type { AtEnd } from '../../languages/automaton/index.js';
import { deriveAbstraction, parseFormula } from '../../languages/logic/index.js';
import { allPredicates, shownPredicate } from '../../rules/specification/index.js';
import { constraintFormula } from '../../runtime/explanation/index.js';
import { loadSpecification } from './inputs.js';
import { requireKnown } from './requireKnown.js';
import { type Outcome, table } from './terminal.js';

interface CompareCommandOptions {
  readonly first: string;
  readonly second: string;
  readonly spec?: string;
  readonly atEnd: AtEnd;
}

/** `foreguard compare`: how two rules stand to each other, with the shortest run on which only one of them holds. */
export async function compare({ first, second, spec, atEnd }: CompareCommandOptions): Promise<Outcome> {
  const specification = spec === undefined ? null : await loadSpecification(spec);
  const known = specification === null ? [] : allPredicates(specification);
  const written = [
    parseFormula(first, { name: 'first rule' }),
    parseFormula(second, { name: 'second rule' }),
  ];
  if (specification !== null)
    for (const [i, formula] of written.entries())
      requireKnown(formula, i === 0 ? 'first rule' : 'second rule', specification);
  const { formulas, predicates } = deriveAbstraction(written, known);
  const constraint =
    specification === null ? null : constraintFormula(specification.abstraction.constraints ?? {});
  const options = {
    atEnd,
    constraints: constraint === null ? [] : [constraint],
    samplingPeriod: specification?.samplingPeriod ?? null,
  };
  if (constraint !== null && sampleTraces(constraint, { count: 1 }).length === 0)
    throw new InvalidArgumentError(
      `${spec}: no run satisfies the constraints, so that every two rules are the same; expected constraints that some run satisfies`,
    );
  const comparison = compareRules(formulas[0], formulas[1], options);
  const notes = predicates.length > 1 ? [INDEPENDENT] : [];
  return {
    json: { first, second, atEnd, ...comparison, predicates, notes },
    text: [
      describe(comparison, specification === null ? (name) => name : shownPredicate(specification)),
      ...notes.map((note) => `note: ${note}`),
    ].join('\n\n'),
    exitCode: comparison.relation === 'equivalent' ? 0 : 1,
  };
}

const INDEPENDENT =
  'each comparison is a predicate of its own here, so that a run may have x > 5 and not x > 3; constraints of a specification can rule it out';

const sentences: Readonly<Record<RuleComparison['relation'], string>> = {
  equivalent: 'equivalent: the rules hold on the same runs',
  implies: 'different: the first rule implies the second, but not the other way round',
  implied: 'different: the second rule implies the first, but not the other way round',
  different: 'different: neither rule implies the other',
};

function describe(
  { relation, firstOnly, secondOnly }: RuleComparison,
  shown: (name: string) => string,
): string {
  return [
    sentences[relation],
    ...(firstOnly === null
      ? []
      : [`The first rule holds here, the second does not:\n${steps(firstOnly, shown)}`]),
    ...(secondOnly === null
      ? []
      : [`The second rule holds here, the first does not:\n${steps(secondOnly, shown)}`]),
  ].join('\n\n');
}

/** A trace as a table: a row for each step, a column for each predicate. */
function steps(trace: ComparedTrace, shown: (name: string) => string): string {
  const names = Object.keys(trace[0]);
  return table(
    ['step', ...names.map(shown)],
    trace.map((step, i) => [`${i}`, ...names.map((name) => (step[name] ? 'yes' : 'no'))]),
  );
}

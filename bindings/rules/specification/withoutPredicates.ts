import { freePaths, parseExpression } from '../../languages/expression/index.js';
import { predicatesOf } from '../../languages/logic/index.js';
import type { Specification } from './specification.js';

/** The part of a specification that remains if some of its predicates cannot be read. */
export interface Remainder {
  /** The specification without those predicates and without the rules and constraints that read one; its hash is that of the whole. */
  readonly specification: Specification;
  /** The rules left out, each with the removed predicates that it reads. */
  readonly rules: ReadonlyMap<string, readonly string[]>;
  /** The constraints left out: `state`, `transition`, `end`. */
  readonly constraints: readonly string[];
}

/** Removes the named predicates from a specification, with the rules and constraints that read them. */
export function withoutPredicates(specification: Specification, names: ReadonlySet<string>): Remainder {
  const rules = new Map<string, readonly string[]>();
  for (const { name, formula } of specification.rules) {
    const unread = predicatesOf(formula).filter((predicate) => names.has(predicate));
    if (unread.length > 0) rules.set(name, unread);
  }
  const { predicates, constraints = {} } = specification.abstraction;
  const kept = Object.entries(constraints).filter(
    ([, source]) => source === undefined || !readsAny(source, names),
  );
  const abstraction = {
    ...specification.abstraction,
    predicates: predicates.filter(({ name }) => !names.has(name)),
    ...(specification.abstraction.constraints && { constraints: Object.fromEntries(kept) }),
  };
  return {
    specification: {
      ...specification,
      abstraction,
      exactPredicates: specification.exactPredicates.filter(({ name }) => !names.has(name)),
      rules: specification.rules.filter(({ name }) => !rules.has(name)),
    },
    rules,
    constraints: Object.keys(constraints).filter((kind) => !kept.some(([one]) => one === kind)),
  };
}

/** Whether a constraint names one of the predicates, as `open`, `from.open` or `to.open`. */
function readsAny(source: string, names: ReadonlySet<string>): boolean {
  return freePaths(parseExpression(source)).some(({ path }) =>
    path.split('.').some((part) => names.has(part)),
  );
}

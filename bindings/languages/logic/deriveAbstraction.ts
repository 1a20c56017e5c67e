import { parseExpression, printExpression } from '../expression/index.js';
import type { Formula } from './formula.js';
import { isPlainName } from './reserved.js';
import { mapChildren, predicatesOf } from './walk.js';

/** The predicates that formulas use, and the formulas over these predicates. */
export interface DerivedAbstraction {
  /** One per distinct comparison, in order of appearance. */
  readonly predicates: readonly { readonly name: string; readonly expression: string }[];
  /** The given formulas, in their order, with every comparison replaced by its predicate. */
  readonly formulas: readonly Formula[];
}

/**
 * Derives the minimal abstraction of rules: a predicate for every inline comparison, so that `G (speed > 0.5 -> ...)` needs no separate predicate.
 *
 * Names are derived from the comparison (`speed > 0.5` becomes `speedAbove0_5`) and differ from each other, from the predicates that the
 * formulas name, and from known predicates. Comparisons that print the same share a predicate.
 *
 * @param known Existing predicates; default none. Their names are not used for new predicates, and a comparison that prints the same as the
 * expression of a known predicate becomes that predicate.
 * @see Pro2Guard, "minimal abstraction from the rule"
 */
export function deriveAbstraction(
  formulas: readonly Formula[],
  known: Iterable<string | { readonly name: string; readonly expression: string }> = [],
): DerivedAbstraction {
  const used = new Set(formulas.flatMap(predicatesOf));
  const nameOf = new Map<string, string>();
  for (const predicate of known) {
    const { name, expression } =
      typeof predicate === 'string' ? { name: predicate, expression: null } : predicate;
    used.add(name);
    if (expression === null) continue;
    const canonical = printExpression(parseExpression(expression));
    if (!nameOf.has(canonical)) nameOf.set(canonical, name);
  }
  const predicates: { name: string; expression: string }[] = [];
  const replace = (formula: Formula): Formula => {
    if (formula.kind !== 'comparison') return mapChildren(formula, replace);
    const canonical = printExpression(formula.expression);
    let name = nameOf.get(canonical);
    if (name === undefined) {
      name = unusedName(readableName(formula.source), used);
      used.add(name);
      nameOf.set(canonical, name);
      predicates.push({ name, expression: formula.source });
    }
    return { kind: 'predicate', name, place: formula.place };
  };
  return { formulas: formulas.map(replace), predicates };
}

const relationNames: Readonly<Record<string, string>> = {
  '<': 'Below',
  '<=': 'AtMost',
  '>': 'Above',
  '>=': 'AtLeast',
  '==': 'Is',
  '!=': 'IsNot',
};

function readableName(source: string): string {
  const words = source
    .replace(/-(?=\d)/g, ' minus ')
    .replace(/<=|>=|==|!=|<|>/g, (relation) => ` ${relationNames[relation]} `)
    .replace(/(\d)\.(?=\d)/g, '$1_')
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '');
  const name = words.map((word, i) => (i === 0 ? word : word[0].toUpperCase() + word.slice(1))).join('');
  const short = name.slice(0, 48);
  return isPlainName(short) ? short : `is${short[0]?.toUpperCase() ?? ''}${short.slice(1)}`;
}

function unusedName(name: string, used: ReadonlySet<string>): string {
  if (!used.has(name)) return name;
  for (let number = 2; ; number++) if (!used.has(`${name}_${number}`)) return `${name}_${number}`;
}

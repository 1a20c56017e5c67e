import { children, type Formula } from '../../logic/index.js';
import { not, predicate } from '../core/index.js';
import { GRAINS, skeletonOf } from './atoms.js';
import type { Clauses } from './clauses.js';
import { type Assignment, assignmentsOf, keyUnder, letterTableOf } from './letterTable.js';
import { PATTERNS, type Pattern } from './patterns.js';

/** Largest number of steps of a pattern; a formula with larger windows is said by its structure. */
const MAX_NUMBER = 12;

/** The sentence of the first pattern that the formula is equivalent to, without capital and full stop; null if there is none. */
export function sayPattern(formula: Formula, clauses: Clauses): string | null {
  const tried = new Set<string>();
  const numbers = numbersOf(formula);
  for (const grain of GRAINS) {
    const skeleton = skeletonOf(formula, grain);
    const signature = JSON.stringify(skeleton.atoms);
    if (tried.has(signature)) continue;
    tried.add(signature);
    const table = letterTableOf(skeleton.formula);
    if (table === null) continue;
    const { variables } = table;
    const atoms = variables.map((name) => skeleton.atoms[Number(name)]);
    let best: Found | null = null;
    for (const assignment of assignmentsOf(variables.length)) {
      const denials = assignment.negated.filter(Boolean).length;
      if (best !== null && denials > best.denials) break;
      const key = keyUnder(table, assignment);
      for (const number of [null, ...numbers]) {
        const index = knownPatterns(variables.length, number).get(key);
        if (index !== undefined && (best === null || index < best.index))
          best = { index, number, assignment, denials };
      }
    }
    if (best !== null)
      return fill(PATTERNS[best.index], best.number, partsOf(best.assignment, atoms), clauses);
  }
  return null;
}

interface Found {
  readonly index: number;
  readonly number: number | null;
  readonly assignment: Assignment;
  readonly denials: number;
}

const known = new Map<string, ReadonlyMap<string, number>>();

/** The patterns with so many parts, and with this number or without one, by the keys of their automata. */
function knownPatterns(parts: number, number: number | null): ReadonlyMap<string, number> {
  const name = `${parts} ${number}`;
  let patterns = known.get(name);
  if (patterns === undefined) {
    patterns = keysOf(parts, number);
    known.set(name, patterns);
  }
  return patterns;
}

function keysOf(parts: number, number: number | null): ReadonlyMap<string, number> {
  const keys = new Map<string, number>();
  const places = Array.from({ length: parts }, (_, place) => predicate(String(place)));
  const inOrder = { variables: places.map((_, i) => i), negated: places.map(() => false) };
  PATTERNS.forEach((pattern, index) => {
    if (pattern.parts !== parts || !takes(pattern, number)) return;
    const table = letterTableOf(pattern.formula(places, number ?? 0));
    if (table === null || table.variables.length !== parts) return;
    const order = table.variables.map(Number);
    const key = keyUnder(table, {
      ...inOrder,
      variables: inOrder.variables.map((place) => order.indexOf(place)),
    });
    if (!keys.has(key)) keys.set(key, index);
  });
  return keys;
}

function takes({ numbers }: Pattern, number: number | null): boolean {
  if (number === null || numbers === 'none') return number === null && numbers === 'none';
  return numbers === 'given' || number <= 3;
}

/** The numbers that patterns may have: those of the formula's windows and counts and their neighbours, and 1 to 3. */
function numbersOf(formula: Formula): number[] {
  const numbers = new Set([1, 2, 3]);
  const visit = (part: Formula): void => {
    const window = 'window' in part ? part.window : null;
    const found = [window?.from, window?.to, part.kind === 'count' ? part.times : null];
    for (const text of found) {
      const number = Number(text ?? Number.NaN);
      if (!Number.isSafeInteger(number) || number > MAX_NUMBER) continue;
      for (const near of [number - 1, number, number + 1]) if (near > 0) numbers.add(near);
    }
    children(part).forEach(visit);
  };
  visit(formula);
  return [...numbers].sort((a, b) => a - b);
}

function partsOf({ variables, negated }: Assignment, atoms: readonly Formula[]): Formula[] {
  return variables.map((variable, place) => (negated[place] ? not(atoms[variable]) : atoms[variable]));
}

function fill(
  { sentence }: Pattern,
  number: number | null,
  parts: readonly Formula[],
  clauses: Clauses,
): string {
  return sentence.replace(
    /\{(\d|k)(?: (\w+))?\}( \w+)?/g,
    (_, slot: string, form: string | undefined, after = '') => {
      if (slot === 'k')
        return `${number}${number === 1 ? after.replace(/(step|stretche)s$/, '$1').replace(/stretche$/, 'stretch') : after}`;
      const part = parts[Number(slot)];
      const said =
        form === 'never' || form === 'always'
          ? clauses.adverb(form, part)
          : form === 'if'
            ? clauses.condition(part)
            : clauses.part(part);
      return `${said}${after}`;
    },
  );
}

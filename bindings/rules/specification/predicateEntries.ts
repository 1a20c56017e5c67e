import { isMap, type Node } from 'yaml';
import { createLexicon, type PredicateWords } from '../../languages/english/index.js';
import type { SpecificationDocument } from './document.js';

const KEYS = ['when', 'say', 'not', 'also'] as const;

/** The node of a predicate's expression, which stands alone or as `when` beside the predicate's words. */
export function expressionNode(
  document: SpecificationDocument,
  name: string,
  value: Node | null,
): Node | null {
  if (!isMap(value)) return value;
  const when = document.entries(value, `predicate "${name}"`, KEYS).get('when');
  if (when === undefined)
    document.problem(value, `predicate "${name}" has words, but no expression`, 'when: EXPRESSION');
  return when?.value ?? null;
}

/** The words of those predicates that have some. Words that two predicates share are a problem. */
export function parseWords(
  document: SpecificationDocument,
  node: Node | null,
): Readonly<Record<string, PredicateWords>> {
  const words: Record<string, PredicateWords> = {};
  const names: Record<string, PredicateWords> = {};
  const before = document.problems.length;
  for (const [name, { value }] of document.entries(node, 'predicates')) {
    names[name] = {};
    if (!isMap(value)) continue;
    const what = `predicate "${name}"`;
    const entries = document.entries(value, what, KEYS);
    const text = (key: 'say' | 'not'): string | undefined => {
      const entry = entries.get(key);
      return entry && document.text(entry.value, `${what}: ${key}`);
    };
    const [say, not] = [text('say'), text('not')];
    const also = entries.get('also');
    const others =
      also &&
      document.items(also.value, `${what}: also`).map((item) => document.text(item, `${what}: also`) ?? name);
    const own = {
      ...(say !== undefined && { say }),
      ...(not !== undefined && { not }),
      ...(others && { also: others }),
    };
    if (Object.keys(own).length === 0) continue;
    words[name] = own;
    // Each alone at first, so that its own faults are told at its place.
    document.attempt(value, () => createLexicon({ [name]: own }));
  }
  if (document.problems.length === before)
    document.attempt(node, () => createLexicon({ ...names, ...words }));
  return words;
}

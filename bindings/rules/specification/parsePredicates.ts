import type { Node } from 'yaml';
import { checkPredicate, parseExpression } from '../../languages/expression/index.js';
import { checkPredicateName, type PredicateDefinition } from '../../observations/abstraction/index.js';
import type { Entry, SpecificationDocument } from './document.js';
import { expressionNode } from './predicateEntries.js';

/** `predicates: { doorOpen: 'door.isOpen' }`. */
export function parsePredicates(document: SpecificationDocument, node: Node | null): PredicateDefinition[] {
  return parseNamedPredicates(document, document.entries(node, 'predicates'), true);
}

/** @param speak whether predicates may have words, beside their expression as `when` */
export function parseNamedPredicates(
  document: SpecificationDocument,
  entries: ReadonlyMap<string, Entry>,
  speak: boolean,
): PredicateDefinition[] {
  const predicates: PredicateDefinition[] = [];
  for (const [name, { key, value }] of entries) {
    document.attempt(key, () => checkPredicateName(name));
    // A predicate that cannot be read keeps its name, so that its uses are not reported as well.
    const before = document.problems.length;
    const source = speak ? expressionNode(document, name, value) : value;
    const found =
      document.problems.length > before ? undefined : document.text(source, `predicate "${name}"`);
    const expression = found ?? 'false';
    predicates.push({ name, expression });
    document.attempt(source, () =>
      checkPredicate(parseExpression(expression, { name: `predicate "${name}"` })),
    );
  }
  return predicates;
}

import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import { SpecificationDocument } from './document.js';
import { parsePredicates } from './parsePredicates.js';

/**
 * Reads predicates that could be added to a specification from YAML or JSON text: a mapping with `predicates`, name to expression. Other
 * keys are ignored, so a specification is also a pool.
 *
 * @param options.source name of the file, for messages; default `pool`
 * @throws ParseError with file, line and column of every problem
 */
export function parsePool(text: string, options: { source?: string } = {}): PredicateDefinition[] {
  const document = new SpecificationDocument(text, options.source ?? 'pool');
  const top = document.entries(document.root, 'a pool of predicates');
  const predicates = parsePredicates(document, top.get('predicates')?.value ?? null);
  document.throwProblems();
  return predicates;
}

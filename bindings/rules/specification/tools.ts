import { isScalar, type Node } from 'yaml';
import { ParseError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { type Place, parseExpression } from '../../languages/expression/index.js';
import {
  argumentsRead,
  type PredicateDefinition,
  toolsNamed,
  toolsProposed,
} from '../../observations/abstraction/index.js';
import type { SpecificationDocument } from './document.js';
import type { ToolSpecification } from './specification.js';

const TYPE =
  /^(?:text|number|integer|boolean|map|any|list(?: of (?:text|number|integer|boolean|list|map|any))?)\??$/;
const EXPECTED_TYPE =
  'text, number, integer, boolean, map, any, list or list of one of these, with ? at the end if it may be left out';

/** `tools: { send: { arguments: { to: text, cc: list of text? } }, look: { safe: true } }` */
export function parseTools(
  document: SpecificationDocument,
  node: Node | null,
): ReadonlyMap<string, ToolSpecification> {
  const tools = new Map<string, ToolSpecification>();
  for (const [name, { value }] of document.entries(node, 'tools')) {
    const what = `tool "${name}"`;
    // `send:` with nothing behind it lists the name alone.
    const isEmpty = value === null || (isScalar(value) && value.value === null);
    const fields = isEmpty ? null : document.entries(value, what, ['arguments', 'safe']);
    const given = fields?.get('arguments');
    const safe = fields?.get('safe');
    const types = new Map<string, string>();
    if (given)
      for (const [argument, entry] of document.entries(given.value, `${what}: arguments`)) {
        const type = document.text(entry.value, `${what}: argument "${argument}"`);
        if (type === undefined) continue;
        checkType(document, entry.value, `${what}: argument "${argument}"`, type);
        types.set(argument, type);
      }
    tools.set(name, {
      arguments: given ? types : null,
      safe: (safe && document.boolean(safe.value, `${what}: safe`)) ?? null,
    });
  }
  return tools;
}

/** Reports what is no type in words. @returns whether it is one */
export function checkType(
  document: SpecificationDocument,
  node: Node | null,
  what: string,
  type: string,
): boolean {
  if (TYPE.test(type)) return true;
  document.problem(node, `${what} has the type "${type}"; expected ${EXPECTED_TYPE}`, EXPECTED_TYPE);
  return false;
}

/**
 * Reports the tools and arguments that a predicate reads and `tools` does not list.
 *
 * @param isWhole whether the node's text is the predicate, so that places within it can be told
 */
export function checkTools(
  document: SpecificationDocument,
  node: Node | null,
  { name, expression: source }: PredicateDefinition,
  tools: ReadonlyMap<string, ToolSpecification>,
  isWhole = true,
): void {
  const expression = parseExpression(source, { name: `predicate "${name}"` });
  const report = (place: Place, found: string, wrong: string, known: readonly string[]): void => {
    const nearest = nearestName(wrong, known);
    const shown = known.slice(0, 10).join(', ') + (known.length > 10 ? ', …' : '');
    const message = `${found}; ${nearest === undefined ? `known: ${shown || 'none'}` : `did you mean "${nearest}"?`}`;
    if (isWhole)
      document.attempt(node, () => {
        throw new ParseError(message, { source: expression.name, line: place.line, column: place.column });
      });
    else document.problem(node, message);
  };
  const names = [...tools.keys()];
  for (const { name: tool, place } of toolsNamed(expression))
    if (!tools.has(tool)) report(place, `found the tool "${tool}", which tools does not list`, tool, names);
  const proposed = toolsProposed(expression);
  const about = proposed.length === 0 ? names : proposed;
  const known = about.map((tool) => tools.get(tool)?.arguments ?? null);
  // Nothing is known of the arguments of a tool that lists none.
  if (known.includes(null)) return;
  const listed = [...new Set(known.flatMap((types) => [...(types?.keys() ?? [])]))];
  for (const { name: argument, place } of argumentsRead(expression)) {
    if (listed.includes(argument)) continue;
    const whose = about.length > 3 ? 'any of its tools' : about.map((tool) => `"${tool}"`).join(', ');
    report(place, `found action.arguments.${argument}, which is no argument of ${whose}`, argument, listed);
  }
}

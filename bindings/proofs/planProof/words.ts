import { type Expression, printExpression } from '../../languages/expression/index.js';

/** A name in words. */
export function quoted(name: string): string {
  return `\`${name}\``;
}

export function printed(expression: Expression): string {
  return `\`${printExpression(expression)}\``;
}

/** Parts of a sentence, as a list with "and". */
export function list(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}

import type { ToolContract } from './contract.js';

/**
 * The values that conditions of a contract read: the arguments of a call, with null for each that is optional and left out, and its result.
 *
 * @param result left out before the call
 */
export function boundValues(
  { arguments: declared }: Pick<ToolContract, 'arguments'>,
  given: Readonly<Record<string, unknown>>,
  result?: unknown,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, { optional }] of declared) if (optional) values[name] = null;
  for (const [name, value] of Object.entries(given)) if (value !== undefined) values[name] = value;
  if (result !== undefined) values.result = result;
  return values;
}

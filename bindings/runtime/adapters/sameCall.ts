import { canonicalJson } from '../../base/canonicalJson.js';
import type { ToolCall } from '../enforcement/index.js';

/** Whether two calls are of the same tool with the same arguments, whatever their ids. Compares canonical forms: histories return from stores and clients with their keys in another order. */
export function isSameCall(one: ToolCall, other: ToolCall): boolean {
  if (one.name !== other.name) return false;
  if (one.arguments === other.arguments) return true;
  try {
    return canonicalJson(one.arguments) === canonicalJson(other.arguments);
  } catch {
    return false;
  }
}

import { printable, printableName } from '../../base/words.js';
import type { Inspection } from './inspection.js';
import type { ToolCall } from './toolCall.js';

/** A call as people are shown it: one line, whatever its name and its arguments hold. */
export function shownCall({ name, arguments: given }: Pick<ToolCall, 'name' | 'arguments'>): string {
  return `${printableName(name)} ${printable(`${JSON.stringify(given)}`)}`;
}

/** A question and its call as people are shown them: a line each. */
export function shownQuestion({ question, call }: Pick<Inspection, 'question' | 'call'>): [string, string] {
  return [printable(question), shownCall(call)];
}

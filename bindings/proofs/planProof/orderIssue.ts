import type { OrderAutomaton } from './events.js';
import type { Edge } from './graph.js';
import type { Issue } from './issues.js';
import type { OrderAnswer } from './order.js';
import type { PathStep } from './verdict.js';
import { quoted } from './words.js';

/** What stands against a rule of order; null if all paths keep to it. */
export function orderIssue(found: OrderAnswer, rule: OrderAutomaton): Issue | null {
  if (found.kind === 'kept') return null;
  const common = { kind: 'order' as const, rule: rule.name };
  if (found.kind === 'unknown') {
    const text = `Rule ${quoted(rule.name)} is not proved: ${found.reason}.`;
    return { ...common, step: null, path: [], values: [], isCertain: false, text };
  }
  const { path, atEnd, values, isFeasible } = found;
  const calls = path.flatMap(({ letter }) => (letter === null ? [] : [letter.step]));
  const last = calls.at(-1) ?? null;
  const way =
    calls.length === 0 ? 'without any call' : `with the calls ${calls.slice(-MOST_SHOWN).join(' → ')}`;
  const reason = rule.message === null ? '' : ` (${rule.message})`;
  const where = atEnd ? `at the end of the plan, ${way}` : `at step ${last}, ${way}`;
  const text = isFeasible
    ? `Rule ${quoted(rule.name)}${reason} is broken ${where}.`
    : `Rule ${quoted(rule.name)}${reason} is not proved: it may be broken ${where}.`;
  return { ...common, step: atEnd ? null : last, path: stepsOf(path), values, isCertain: isFeasible, text };
}

/** Most calls of a path that are named. */
const MOST_SHOWN = 12;

function stepsOf(path: readonly Edge[]): PathStep[] {
  return path.flatMap(({ step }) => (step === null ? [] : [step]));
}

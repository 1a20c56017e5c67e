import { InvalidArgumentError } from '../../base/errors.js';
import { isConstant, isWord } from './reader.js';
import type { AgentSpecRule, Argument, Condition, Enforcement } from './rule.js';

/**
 * Prints rules as text that parses to the same rules, with one predicate and one enforcement per line.
 *
 * @throws InvalidArgumentError if an id, predicate or enforcement has a name that cannot be written, or a part of a rule is missing
 */
export function printAgentSpec(rules: readonly AgentSpecRule[]): string {
  return rules.map(printRule).join('\n');
}

function printRule({ id, triggers, conditions, enforcements }: AgentSpecRule): string {
  if (triggers.length === 0 || conditions.length === 0 || enforcements.length === 0) {
    throw new InvalidArgumentError(
      `rule @${id} needs a trigger, a condition (such as true) and an enforcement`,
    );
  }
  const parts = [
    'trigger',
    `  ${triggers.map(printTrigger).join(' | ')}`,
    'check',
    ...conditions.map((condition) => `  ${printCondition(condition)}`),
    'enforce',
    ...enforcements.map((enforcement) => `  ${printEnforcement(enforcement)}`),
    'end',
  ];
  return `rule @${name('a rule', id)}\n${parts.join('\n')}\n`;
}

function printTrigger(trigger: string): string {
  return trigger.split(' ').every(isWord) ? trigger : JSON.stringify(trigger);
}

function printCondition(condition: Condition): string {
  if (condition.kind === 'constant') return String(condition.value);
  if (isConstant(condition.name)) {
    throw new InvalidArgumentError(
      `a predicate is named ${condition.name}, which reads as a constant; rename it`,
    );
  }
  return `${condition.negated ? '!' : ''}${printCall(condition)}`;
}

/** Prints an enforcement as rules write it. */
export function printEnforcement(enforcement: Enforcement): string {
  if (enforcement.value === null) return printCall(enforcement);
  return `${name('a setting', enforcement.name)} = ${enforcement.value}`;
}

/** Prints a predicate or enforcement with its arguments, such as `trafficlight_color(2)`. */
export function printCall(call: { readonly name: string; readonly arguments: readonly Argument[] }): string {
  const text = name('a predicate or enforcement', call.name);
  return call.arguments.length === 0 ? text : `${text}(${call.arguments.map(printArgument).join(', ')})`;
}

function printArgument(argument: Argument): string {
  if (typeof argument === 'number') return String(argument);
  return /^[A-Za-z_][\w.]*$/.test(argument) ? argument : JSON.stringify(argument);
}

function name(what: string, text: string): string {
  if (isWord(text)) return text;
  throw new InvalidArgumentError(
    `${what} is named ${JSON.stringify(text)}, which cannot be written; expected one word without brackets, quotes and | & ! = , that is not a keyword`,
  );
}

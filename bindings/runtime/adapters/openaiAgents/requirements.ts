import { InvalidArgumentError } from '../../../base/errors.js';
import type { Session } from '../../enforcement/index.js';
import type { Decision } from '../../guard/index.js';
import type { FunctionTool, OpenAIAgent } from './sdk.js';
import { ADVICE, unguardedIn } from './unguarded.js';

/** Refuses an agent with tools that the guard does not see: it can withhold only the agent's function tools. */
export function refuseUnguarded(agent: OpenAIAgent, allowed: readonly string[]): void {
  const unguarded = unguardedIn(agent);
  const surplus = allowed.find((one) => !unguarded.some(({ name }) => name === one));
  if (surplus !== undefined) {
    const there = unguarded.map(({ name }) => name).join(', ') || 'none';
    throw new InvalidArgumentError(
      `unguarded: agent "${agent.name}" has nothing unguarded of the name "${surplus}"; it has ${there}`,
    );
  }
  const found = unguarded.filter(({ name }) => !allowed.includes(name));
  if (found.length === 0) return;
  const advice = [...new Set(found.map(({ kind }) => ADVICE[kind]))].join(', ');
  throw new InvalidArgumentError(
    `agent "${agent.name}": ${found.map(({ kind, name }) => `${kind} "${name}"`).join(', ')} would run unguarded. Only function tools can be guarded: ${advice}, or name what may run unguarded in \`unguarded\``,
  );
}

/**
 * Refuses tools that could not return the guard's messages: for an output schema the SDK asks the tool's `errorFunction` to phrase the message, and ends the
 * run if there is none.
 */
export function requirePlainOutput(
  { name, outputSchema, errorFunction }: FunctionTool,
  session: Session,
): void {
  if (outputSchema === undefined) return;
  const told: readonly Decision[] =
    typeof errorFunction === 'function' ? ['replace'] : ['replace', 'block', 'reflect', 'inspect'];
  if (session.edits && session.strategies.has('inspect'))
    throw new InvalidArgumentError(
      `tool "${name}" has an output schema, and people may change its arguments (edits: true): what the agent is told of that would not fit. Leave the schema or edits out`,
    );
  const untold = told.filter((decision) => session.strategies.has(decision));
  if (untold.length === 0) return;
  throw new InvalidArgumentError(
    `tool "${name}" has an output schema, and the guard may decide ${untold.join(', ')}: what it tells the agent would not fit. Leave the schema out${untold.includes('replace') ? '' : ', or give the tool an errorFunction'}`,
  );
}

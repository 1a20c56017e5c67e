import { InvalidArgumentError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { describeValue, nearestName, refuseUnknownOptions } from '../../base/suggest.js';
import {
  carryOut,
  type DecidingSession,
  type DecisionRange,
  guardedCall,
  type RunTool,
  requireStrategies,
  type ToolCall,
  toldAgent,
  type Verdict,
  WithheldError,
} from '../enforcement/index.js';

/** The tools of a program, by name. */
export type PlainTools = {
  /** Takes its arguments as one object, and may give a promise. */
  readonly [name: string]: (args: never) => unknown;
};

/** The same functions, checked before they run; where calls are not thrown for, they may also give text for the agent. */
export type GuardedTools<T extends PlainTools, Told = never> = {
  readonly [Name in keyof T]: (...args: Parameters<T[Name]>) => Promise<Awaited<ReturnType<T[Name]>> | Told>;
};

/** Decides on calls and carries the decisions out; people are asked by the session's own `ask`. */
export type PlainSession = DecidingSession &
  DecisionRange & {
    /** Names of the declared tools, where they are known. */
    readonly tools?: readonly string[];
  };

/** What became of one call of a turn. */
export interface ToolAnswer {
  readonly call: ToolCall;
  readonly verdict: Verdict;
  /** For the agent: the tool's result; text instead where the call was withheld or replaced; undefined where the tool threw. */
  readonly content: unknown;
  /** What the tool threw. */
  readonly error?: unknown;
}

/**
 * Puts a guard before tools that a program calls by itself: each call is decided by the session, and runs, waits for a person, is replaced or
 * withheld as it says. Calls made side by side are decided one after another, each with the ones before it in mind.
 *
 * @param options.onWithheld what a call gives that was withheld or replaced: `throw` (default) throws WithheldError, `message` returns the text
 * for the agent, a replacement's result included
 * @returns functions of the same type, though always of promises; they throw what the tools throw
 * @throws InvalidArgumentError where the guard may have a person asked, and the session cannot ask; where a tool is no function, or one that the
 * session does not have, since each of its calls would be a fault
 */
export function guardTools<T extends PlainTools>(
  session: PlainSession,
  tools: T,
  options?: { readonly onWithheld?: 'throw' },
): GuardedTools<T>;
export function guardTools<T extends PlainTools>(
  session: PlainSession,
  tools: T,
  options: { readonly onWithheld: 'message' },
): GuardedTools<T, string>;
export function guardTools(
  session: PlainSession,
  tools: PlainTools,
  options: { readonly onWithheld?: 'throw' | 'message' } = {},
): GuardedTools<PlainTools, string> {
  refuseUnknownOptions('guardTools', options, { onWithheld: true });
  const { onWithheld = 'throw' } = options;
  if (onWithheld !== 'throw' && onWithheld !== 'message')
    throw new InvalidArgumentError(`onWithheld is ${describeValue(onWithheld)}; expected throw or message`);
  const run = runnerOf(session, tools);
  const guarded =
    (name: string) =>
    async (args: unknown = {}) => {
      const call = { id: nextId(session), name, arguments: args as ToolCall['arguments'] };
      const carried = await guardedCall(session, call, run);
      const told = toldAgent(carried);
      if (told !== null && onWithheld === 'message') return told;
      if (told !== null) throw new WithheldError(carried.verdict, carried.ran ? carried.result : undefined);
      return carried.ran ? carried.result : undefined;
    };
  return Object.fromEntries(Object.keys(tools).map((name) => [name, guarded(name)]));
}

/**
 * Puts a guard before the calls that a model proposes, for programs that run them turn by turn. Names and arguments are as the model gave them: a
 * tool that is not declared is a fault for the session to decide.
 *
 * @returns runs the calls of one turn: all are decided, in their order, before the first runs; then those permitted run side by side. Where more are permitted than others
 * can be judged beside, these run first, and the rest are decided as they come back. It gives one answer a call, in their order; what tools throw is in it
 * @throws InvalidArgumentError as `guardTools`
 */
export function guardCalls(
  session: PlainSession,
  tools: PlainTools,
): (calls: readonly ToolCall[]) => Promise<ToolAnswer[]> {
  const run = runnerOf(session, tools);
  const answer = async (decided: Verdict): Promise<ToolAnswer> => {
    const { call } = decided;
    try {
      const carried = await carryOut(session, decided, run);
      const content = toldAgent(carried) ?? (carried.ran ? carried.result : undefined);
      return { call, verdict: carried.verdict, content };
    } catch (error) {
      return { call, verdict: decided, content: undefined, error };
    }
  };
  return async (calls) => {
    const answers: Promise<ToolAnswer>[] = [];
    let decided: Promise<Verdict>[] = [];
    const runDecided = async (): Promise<void> => {
      const verdicts = await Promise.all(decided);
      decided = [];
      answers.push(...verdicts.map(answer));
    };
    for (const call of calls) {
      if (session.isFull === true) await runDecided();
      decided.push(session.decide(call, { wait: true }));
    }
    await runDecided();
    return Promise.all(answers);
  };
}

function runnerOf(session: PlainSession, tools: PlainTools): RunTool<unknown> {
  requireStrategies(session, 'a hand-written loop', ['block', 'reflect', 'replace', 'stop']);
  requireTools(session, tools);
  return (call) => {
    if (Object.hasOwn(tools, call.name)) return tools[call.name](call.arguments as never);
    throw new InvalidArgumentError(
      `tool "${call.name}" is permitted, but not among the guarded ones, which are ${Object.keys(tools).join(', ')}: guard it with them`,
    );
  };
}

function requireTools({ tools: declared }: PlainSession, tools: PlainTools): void {
  if (!isObject(tools))
    throw new InvalidArgumentError(
      `the tools are ${describeValue(tools)}; expected an object that has each function by its name`,
    );
  for (const [name, tool] of Object.entries<unknown>(tools)) {
    if (typeof tool !== 'function')
      throw new InvalidArgumentError(`tool "${name}" is ${describeValue(tool)}; expected a function`);
    if (declared === undefined || declared.includes(name)) continue;
    const meant = nearestName(name, declared);
    throw new InvalidArgumentError(
      `tool "${name}" is none of the session's, which are ${declared.join(', ') || 'none'}; ${meant === undefined ? 'declare it there' : `did you mean ${meant}?`}`,
    );
  }
}

const counts = new WeakMap<DecidingSession, number>();

/** Calls that a program makes by itself have no ids of their own. */
function nextId(session: DecidingSession): string {
  const count = (counts.get(session) ?? 0) + 1;
  counts.set(session, count);
  return `call-${count}`;
}

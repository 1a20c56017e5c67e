import { InvalidArgumentError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { describeValue, nearestName, refuseUnknownOptions } from '../../base/suggest.js';
import { printable } from '../../base/words.js';
import {
  type AskTool,
  carryOut,
  type DecidingSession,
  type DecisionRange,
  guardedCall,
  type RunTool,
  requireCallScope,
  requireStrategies,
  type ToolCall,
  toldAgent,
  turnRefusal,
  type Verdict,
  WithheldError,
  withheldBeside,
} from '../enforcement/index.js';

export type { AskTool, AskToolDefinition } from '../enforcement/index.js';

/** The tools of a program, by name. */
export type PlainTools = {
  /** Takes its arguments as one object, and may return a promise. */
  readonly [name: string]: (args: never) => unknown;
};

/** The same functions, checked before they run; with `onWithheld: 'message'` they may also return text for the agent. */
export type GuardedTools<T extends PlainTools, Told = never> = {
  readonly [Name in keyof T]: (...args: Parameters<T[Name]>) => Promise<Awaited<ReturnType<T[Name]>> | Told>;
};

/** Decides on calls and carries the decisions out; the session's own `ask` asks people. */
export type PlainSession = DecidingSession &
  DecisionRange & {
    /** Names of the declared tools, if known. */
    readonly tools?: readonly string[];
  };

/** The outcome of one call of a turn. */
export interface ToolAnswer {
  readonly call: ToolCall;
  readonly verdict: Verdict;
  /** For the agent: the tool's result; text instead if the call was withheld or replaced; undefined if the tool threw. */
  readonly content: unknown;
  /** The error that the tool threw. */
  readonly error?: unknown;
}

/**
 * Guards tools that a program calls itself: the session decides on each call, which then runs, waits for a person, is replaced, or is withheld. Concurrent
 * calls are decided one after another, each with regard to those before it.
 *
 * @param options.onWithheld the result of a withheld or replaced call: `throw` (default) throws WithheldError, `message` returns the text for the agent,
 * including a replacement's result
 * @returns functions of the same types, but always returning promises; they throw the errors of the tools
 * @throws InvalidArgumentError if the guard may ask a person and the session cannot; if a tool is not a function, or is unknown to the session, because each of
 * its calls would be a fault
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
  requireCallScope(session, 'guardTools');
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
 * Guards the calls that a model proposes, for programs that run them turn by turn. Names and arguments are as the model gave them: an undeclared tool is a
 * fault for the session to decide.
 *
 * @returns a function that runs the calls of one turn: all are decided, in their order, before the first runs; then the permitted ones run concurrently. If
 * the maximum number of calls is permitted and more remain, the permitted ones run first, and the rest are decided as they come back. The function returns one
 * answer per call, in their order, including errors of tools. If a call is refused with the scope `turn`, none of them runs
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
  if (session.scope === 'turn')
    return async (calls) => Promise.all((await wholeTurn(session, calls)).map(answer));
  return async (calls) => {
    const turn = crypto.randomUUID();
    const answers: Promise<ToolAnswer>[] = [];
    let decided: Promise<Verdict>[] = [];
    const runDecided = async (): Promise<void> => {
      const verdicts = await Promise.all(decided);
      decided = [];
      answers.push(...verdicts.map(answer));
    };
    for (const call of calls) {
      if (session.isFull === true) await runDecided();
      decided.push(session.decide(call, { wait: true, turn }));
    }
    await runDecided();
    return Promise.all(answers);
  };
}

/** Decides on all calls of a turn, of which none runs if one is refused with the scope `turn`: none may run before all are decided. */
async function wholeTurn(session: PlainSession, calls: readonly ToolCall[]): Promise<Verdict[]> {
  const turn = crypto.randomUUID();
  const verdicts = await Promise.all(calls.map((call) => session.decide(call, { turn })));
  const refused = turnRefusal(session, verdicts);
  if (refused === undefined) return verdicts;
  const withheld: Verdict[] = [];
  for (const verdict of verdicts) withheld.push(await withheldBeside(session, verdict, refused));
  return withheld;
}

function runnerOf(session: PlainSession, tools: PlainTools): RunTool<unknown> {
  requireStrategies(session, 'a hand-written loop', ['inspect']);
  requireTools(session, tools);
  return (call) => {
    if (Object.hasOwn(tools, call.name)) return tools[call.name](call.arguments as never);
    throw new InvalidArgumentError(
      `tool "${printable(call.name)}" is permitted, but not among the guarded ones, which are ${Object.keys(tools).join(', ')}: guard it with them`,
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

/** Makes an id, because calls of a program have none of their own. */
function nextId(session: DecidingSession): string {
  const count = (counts.get(session) ?? 0) + 1;
  counts.set(session, count);
  return `call-${count}`;
}

/**
 * The tools with which an agent asks about the rules (`askTools` of `foreguard/ask`) as functions by their names, to be called beside the guarded ones. They
 * take anything, and answer in words.
 */
export function askFunctions(
  questions: readonly AskTool[],
): Readonly<Record<string, (args?: unknown) => Promise<string>>> {
  return Object.fromEntries(questions.map((one) => [one.name, (args?: unknown) => one.answer(args)]));
}

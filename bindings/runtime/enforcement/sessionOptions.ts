import { InvalidArgumentError } from '../../base/errors.js';
import { describeValue, refuseUnknownOptions } from '../../base/suggest.js';
import type { ReactiveRules } from '../agentspec/index.js';
import { type Decision, type Guard, type Judge, MAX_PENDING, type Strategy } from '../guard/index.js';
import type { Detector } from './detectors.js';
import { historyFields } from './historyFields.js';
import { hashInputs } from './inputs.js';
import type { Ask } from './inspection.js';
import { type GivenJudge, type Judging, judgesOf } from './judgesOf.js';
import type { SessionObserver } from './observer.js';
import type { Principal } from './principal.js';
import type { RunLog, RunRecord } from './record.js';
import type { ToolCall } from './toolCall.js';
import type { TraceSink } from './traceSink.js';

/** A tool that the agent may call. */
export interface DeclaredTool {
  /** Says in words why no call of the tool may run as things are, such as that its definition has changed; null if calls may run. */
  readonly refused?: () => string | null;
  /** Checks the arguments of a call, for example against the tool's schema: the complaint in words, or null if there is none. */
  readonly check?: (args: Readonly<Record<string, unknown>>) => string | null;
  /**
   * Whether its calls are taken to raise no risk, as of a tool that the specification declares safe; read whenever a call is judged. Default: what the guard
   * files say. It adds to them: a tool with `safe: false` in a guard file is not safe for that guard.
   */
  readonly safe?: boolean;
}

/** The call that runs instead, if a guard replaces a call. */
export type Replacement = Omit<ToolCall, 'id'> | ((call: ToolCall) => Omit<ToolCall, 'id'>);

/** Options of a session: how one run of an agent is guarded. */
export interface SessionOptions {
  /**
   * What judges the calls: guards, learnt (`compileGuard`) or of rules alone (`compileRules`), rules that look only at the present (`bindAgentSpec`), and
   * judges of your own. The most severe decision applies, of equals the first. A guard follows this run alone until the session has ended; the session resets
   * it. For concurrent runs: `guard.fork()`.
   */
  readonly judges?: readonly GivenJudge[];
  /** A guard, as the first of `judges`. */
  readonly guard?: Guard;
  /**
   * Who is asking: `principal` of every state, which no `state` may have a field of that name beside. Read once, into a frozen copy. Default: nobody is told,
   * and predicates that read `principal` fail.
   */
  readonly principal?: Principal;
  /** The declared tools; a call of any other tool is a fault. */
  readonly tools: readonly string[] | Readonly<Record<string, DeclaredTool>>;
  /** Observes the agent's world. Default: the state derived from the agent's calls and their results, as `ToolHistory` keeps it. */
  readonly state?: () => unknown;
  /** Seconds since an arbitrary moment; required if the guard has a sampling period. */
  readonly time?: () => number;
  /** Asks a person, if the decision is `inspect` and the framework does not ask itself. */
  readonly ask?: Ask;
  /** Milliseconds that a person has to answer; default 5 minutes. */
  readonly askTimeoutMs?: number;
  /**
   * Detectors by their names, which look at arguments or results before the next decision, and whose answers predicates read: `action.detected.NAME`,
   * `lastDetected.NAME`. Each that a guard declares is required.
   */
  readonly detectors?: Readonly<Record<string, Detector>>;
  /** Whether a person's answer may carry other arguments, with which the call is judged again and run (`Answer.arguments`); default false. */
  readonly edits?: boolean;
  /** Milliseconds that an observation of the world may take; default 10 seconds. */
  readonly stateTimeoutMs?: number;
  /** The calls that run for `replace: NAME`, by name. */
  readonly replacements?: Readonly<Record<string, Replacement>>;
  /** Rules that look only at the present, as the last of `judges`. */
  readonly rules?: readonly ReactiveRules[];
  /** Number of reflections that reactive rules, and judges that leave counting to the session (`escalate`), may demand before the run stops; default 2. */
  readonly maxReflections?: number;
  /** Receives the records; a decision that cannot be recorded is a fault. */
  readonly log?: RunLog;
  /** Receives the run as a trace, which `readTraces` reads: `openTraceFile` gives a file. */
  readonly record?: TraceSink;
  /** Fields to hide in records, questions and recordings, by name or path: see `createRedaction`. */
  readonly redact?: readonly string[];
  /** Key for the hashes of inputs in records: see `hashInputs`. */
  readonly hashKey?: string | Uint8Array;
  readonly observers?: readonly SessionObserver[];
  /** The decision after a fault around the guard; default `stop`. */
  readonly onFault?: 'stop' | 'block';
  /** Shadow mode: decisions are made and recorded but not enforced; default false. */
  readonly shadow?: boolean;
  /** SHA-256 of the expected guard file, as in records of earlier runs: the hash of the first judge. Another is refused. */
  readonly guardHash?: string;
  /** Name of the run, unique to it; default random. */
  readonly id?: string;
  /** Milliseconds since 1970; default: the clock. */
  readonly now?: () => number;
  /** Maximum length of the JSON of a call's arguments, in characters; default 1,048,576. */
  readonly maxArguments?: number;
  /**
   * Maximum number of calls that may be running when another is decided, from 0 (one call after another) to 6. Default: 6 if all that judges are guards that
   * know actions (`learning.model: mdp`), policies over arguments alone, and judges that say so (`needs.pending`), else 0: a guard of a Markov chain, and rules
   * that look at the present, do not know the effects of calls, and judge a call beside others as if they did nothing. A call beyond the maximum waits until one has come back, if the adapter runs calls itself (`guardTools`, `guardCalls`, MCP). A framework that decides all
   * calls of a turn before the first one runs cannot wait: there the call is blocked (`calls-running`).
   */
  readonly maxPending?: number;
  /**
   * Whether a call id is let through once in a run, and blocked from then on (`repeated-call`), unless its call was given up; default false. Processes that share
   * a run need it: see `continueRun`. A call without an outcome may have run; `settle` tells what became of it.
   */
  readonly once?: boolean;
  /** Records of the run so far, which this session continues; requires `state` if judges read results of calls. */
  readonly resume?: readonly RunRecord[];
}

/**
 * Checks the options of a session.
 * @throws InvalidArgumentError for options that do not exist, or do not fit together
 */
export function checkOptions(options: SessionOptions): void {
  refuseUnknownOptions('createSession', options, KINDS);
  const { resume, state, record, shadow = false, replacements = {} } = options;
  requireKinds(options);
  if (!isJudged(options) && !(shadow && record !== undefined))
    throw new InvalidArgumentError(
      'createSession needs what judges calls: guard, of loadGuard or createGuard, or judges, a list of guards and of what bindAgentSpec gives; only with record and shadow: true, where nothing is guarded, it needs none',
    );
  const judges = judgesOf(options);
  const twice = judges.find((judge, i) => judges.indexOf(judge) < i);
  if (twice !== undefined)
    throw new InvalidArgumentError(`a ${twice.name} is given twice, and follows one run once; leave one out`);
  if (options.hashKey !== undefined) hashInputs(null, { hashKey: options.hashKey });
  for (const { name, decisions, idleDecisions = [] } of judges) {
    for (const strategy of [...decisions, ...idleDecisions]) {
      if (strategy.kind !== 'replace' || Object.hasOwn(replacements, strategy.action)) continue;
      throw new InvalidArgumentError(
        `the ${name} may replace a call by "${strategy.action}", which is not among replacements (${Object.keys(replacements).join(', ') || 'none'}); say which tool that is, with which arguments`,
      );
    }
  }
  for (const judge of judges) requireClock(judge, options);
  if (record !== undefined && resume !== undefined && resume.length > 0) {
    throw new InvalidArgumentError(
      'the trace of a resumed run would begin in its middle: its recording ended, as cut, with the process that began it; leave record out, or begin a new run',
    );
  }
  if (resume !== undefined && state === undefined && historyFields(options).has('lastResult')) {
    throw new InvalidArgumentError(
      'a run is resumed from its records, which hold no results of calls, and its judges read lastResult; give `state`, which observes the world as it is now',
    );
  }
}

/** @throws InvalidArgumentError if a judge needs a clock that the session does not have */
function requireClock({ needs }: Judge, { time }: SessionOptions): void {
  if (needs?.clock === undefined || time !== undefined) return;
  throw new InvalidArgumentError(
    `${needs.clock}; give time, a function that returns seconds, such as () => Date.now() / 1000`,
  );
}

/**
 * Checks the type of every option. A wrong type would surface mid-run, or never: with `shadow: 'false'` every call would run, and `redact: 'password'` would
 * hide nothing.
 */
function requireKinds(options: SessionOptions): void {
  for (const [name, [expected, fits]] of Object.entries(KINDS)) {
    const value: unknown = options[name as keyof SessionOptions];
    if (value === undefined && name !== 'tools') continue;
    if (!fits(value))
      throw new InvalidArgumentError(`${name} is ${describeValue(value)}; expected ${expected}`);
  }
}

type Kind = readonly [expected: string, fits: (value: unknown) => boolean];

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isList = (fits: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(fits);
const has = (method: string) => (value: unknown) =>
  isObject(value) && isFunction((value as Readonly<Record<string, unknown>>)[method]);

const aFunction: Kind = ['a function', isFunction];
const milliseconds: Kind = [
  `milliseconds from 1 to ${2 ** 31 - 1}`,
  (value) => (value as number) > 0 && (value as number) < 2 ** 31,
];

/** All options with the type that each must have. */
const KINDS: Readonly<Record<keyof SessionOptions, Kind>> = {
  guard: ['what loadGuard or createGuard gives', has('propose')],
  judges: [
    'a list of what loadGuard, createGuard and bindAgentSpec give, or of judges of your own',
    isList((item) => has('propose')(item) || has('decide')(item) || has('begin')(item)),
  ],
  principal: ['plain data such as { id: "ada", roles: ["admin"] }', isObject],
  tools: [
    'a list of names, or an object that has each tool by its name',
    (value) => isList(isText)(value) || (!Array.isArray(value) && isObject(value)),
  ],
  state: aFunction,
  time: aFunction,
  now: aFunction,
  ask: aFunction,
  askTimeoutMs: milliseconds,
  stateTimeoutMs: milliseconds,
  detectors: ['an object that has each detector by its name', isObject],
  onFault: ['stop or block: a fault never lets a call run', (value) => value === 'stop' || value === 'block'],
  guardHash: ['text', isText],
  replacements: ['an object that has each replacement by its name', isObject],
  rules: ['a list of what bindAgentSpec gives', isList(has('decide'))],
  log: ['what has append(record), such as openAuditFile gives', has('append')],
  record: ['what has begin(run), such as openTraceFile gives', has('begin')],
  redact: ['a list of fields', isList(isText)],
  hashKey: ['text or bytes', (value) => isText(value) || value instanceof Uint8Array],
  observers: ['a list of observers', isList(isObject)],
  shadow: ['true or false', (value) => typeof value === 'boolean'],
  edits: ['true or false', (value) => typeof value === 'boolean'],
  once: ['true or false', (value) => typeof value === 'boolean'],
  id: ['text', isText],
  maxReflections: ['an integer from 0', (value) => Number.isSafeInteger(value) && (value as number) >= 0],
  maxArguments: ['an integer from 1', (value) => Number.isSafeInteger(value) && (value as number) >= 1],
  maxPending: [
    `an integer from 0 to ${MAX_PENDING}`,
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_PENDING,
  ],
  resume: ['a list of records, such as readRun gives', isList(isObject)],
};

/** Whether anything judges the calls. */
function isJudged(options: Judging): boolean {
  return judgesOf(options).length > 0;
}

/** All strategies that the judges may ever use on calls, except for faults around them. */
function everyStrategy(options: Judging): Strategy[] {
  return judgesOf(options).flatMap(({ decisions }) => decisions);
}

/**
 * Maximum number of running calls when another is decided: what all judges can judge one beside, unless the session allows more. One that does not say sees the
 * world without what running calls change of it, and judges none beside others. If nothing judges, any number.
 */
export function mostPending(options: Judging & Pick<SessionOptions, 'maxPending'>): number {
  const judges = judgesOf(options);
  if (options.maxPending !== undefined) return options.maxPending;
  if (judges.length === 0) return Number.POSITIVE_INFINITY;
  return Math.min(MAX_PENDING, ...judges.map(({ needs }) => needs?.pending ?? 0));
}

/** The decisions that the session may make, including those for faults around the guards. */
export function possibleDecisions(options: SessionOptions): ReadonlySet<Decision> {
  const decisions = new Set<Decision>(['allow', ...everyStrategy(options).map(({ kind }) => kind)]);
  if (options.shadow === true) return new Set(['allow', 'report']);
  decisions.add(options.onFault ?? 'stop');
  // Nothing runs after the end, nor if it cannot be carried out otherwise; and a person may refuse.
  decisions.add('stop');
  if (decisions.has('inspect')) decisions.add('block');
  return decisions;
}

import { InvalidArgumentError } from '../../base/errors.js';
import { describeValue, nearestName, refuseUnknownOptions } from '../../base/suggest.js';
import { withTimeout } from '../../base/withTimeout.js';
import { plainData } from '../../observations/trace/index.js';
import { areAnswers, DETECTED_ON, type DetectorAnswer, type DetectorDeclaration } from '../guard/index.js';
import {
  type Detected,
  type DetectorValue,
  detectedOf,
  type RecordedDetected,
  recordOf,
  type Undetected,
} from './detected.js';
import { detectedText } from './detectedText.js';
import { judgesOf } from './judgesOf.js';
import type { ReadCall } from './readCall.js';
import type { SessionOptions } from './sessionOptions.js';
import { IDLE, type ToolCall, type ToolOutcome } from './toolCall.js';

/** What a detector is told beside the text. */
export interface DetectorSubject {
  readonly tool: string;
  /** The arguments, or the result as plain data; frozen. Null after a failure, whose message is the text. */
  readonly value: unknown;
  /** Aborted once the time is over. */
  readonly signal: AbortSignal;
}

/** A detector: a function, or a library's, that looks at a text and answers with a few bits, which predicates read. */
export interface Detector {
  /**
   * Looks at a text: all texts, numbers and names of fields in the arguments or the result, each in a line of its own. The text is not redacted.
   * What it answers is recorded, the text is not.
   */
  readonly detect: (text: string, subject: DetectorSubject) => DetectorValue | PromiseLike<DetectorValue>;
  /** What it looks at. Default: what guards declare, else `arguments`. */
  readonly on?: DetectorDeclaration['on'];
  /** What it answers. Default: what guards declare, else `boolean`. */
  readonly answer?: DetectorAnswer;
  /** The tools whose calls it looks at; of others it says nothing. Default: all. */
  readonly tools?: readonly string[];
  /** Milliseconds that an answer may take; default 1000. */
  readonly timeoutMs?: number;
}

type Configured = Pick<SessionOptions, 'detectors' | 'guard' | 'judges' | 'rules'>;
type Settled = Detector & DetectorDeclaration & { readonly name: string; readonly timeoutMs: number };

const TIMEOUT_MS = 1000;

/**
 * The detectors of a session, with what its guards declare of them filled in.
 * @throws InvalidArgumentError if one is none, differs from what a guard declares, or is missing
 */
export function detectorsOf(options: Configured): readonly Settled[] {
  const { detectors = {} } = options;
  const declared = declarationsOf(options);
  for (const name of declared.keys()) {
    if (Object.hasOwn(detectors, name)) continue;
    const nearest = nearestName(name, Object.keys(detectors));
    throw new InvalidArgumentError(
      `a guard reads the detector "${name}", which the session does not have; ${nearest === undefined ? `give detectors: { ${name}: { detect: (text) => … } }` : `did you mean it by "${nearest}"?`}`,
    );
  }
  return Object.entries(detectors).map(([name, detector]) => settled(name, detector, declared.get(name)));
}

function declarationsOf(options: Configured): Map<string, DetectorDeclaration> {
  const declared = new Map<string, DetectorDeclaration>();
  for (const { needs } of judgesOf(options))
    for (const [name, declaration] of Object.entries(needs?.detectors ?? {})) {
      const known = declared.get(name) ?? declaration;
      requireSame(name, known, declaration, 'another guard says');
      declared.set(name, declaration);
    }
  return declared;
}

function settled(name: string, detector: Detector, declared: DetectorDeclaration | undefined): Settled {
  const where = `detectors.${name}`;
  if (typeof detector !== 'object' || detector === null || typeof detector.detect !== 'function')
    throw new InvalidArgumentError(
      `${where} is ${describeValue(detector)}; expected { detect: (text) => true or false }`,
    );
  refuseUnknownOptions(where, detector, {
    detect: true,
    on: true,
    answer: true,
    tools: true,
    timeoutMs: true,
  });
  const { detect, tools, timeoutMs = TIMEOUT_MS } = detector;
  const { on = declared?.on ?? 'arguments', answer = declared?.answer ?? 'boolean' } = detector;
  const refuse = (option: string, value: unknown, expected: string): never => {
    throw new InvalidArgumentError(`${where}.${option} is ${describeValue(value)}; expected ${expected}`);
  };
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31))
    refuse('timeoutMs', timeoutMs, `milliseconds from 1 to ${2 ** 31 - 1}`);
  if (!DETECTED_ON.includes(on)) refuse('on', on, DETECTED_ON.join(' or '));
  if (answer !== 'boolean' && answer !== 'number' && !(Array.isArray(answer) && areAnswers(answer)))
    refuse('answer', answer, 'boolean, number, or a list of a few different short texts');
  if (tools !== undefined && !(Array.isArray(tools) && tools.every((tool) => typeof tool === 'string')))
    refuse('tools', tools, 'a list of names');
  if (declared !== undefined) requireSame(name, declared, { on, answer }, 'the session says');
  return { name, detect, on, answer, timeoutMs, ...(tools && { tools }) };
}

function requireSame(
  name: string,
  declared: DetectorDeclaration,
  other: DetectorDeclaration,
  who: string,
): void {
  const words = ({ on, answer }: DetectorDeclaration): string => `${JSON.stringify(answer)} on ${on}`;
  if (words(declared) === words(other)) return;
  throw new InvalidArgumentError(
    `a guard declares that the detector "${name}" answers ${words(declared)}, and ${who} ${words(other)}; they have to agree`,
  );
}

/** Asks the detectors of a session, each once about a call and once about its result. */
export class Detectors {
  readonly #all: readonly Settled[];
  /** The calls of this session that were asked about, by what was proposed and by what came of it: none is asked about again. */
  readonly #asked = new WeakMap<ToolCall, Promise<ReadCall>>();

  /** @throws as `detectorsOf` */
  constructor(options: Configured) {
    this.#all = detectorsOf(options);
  }

  /** What `read` has given of a call, if it was asked about, by this session; undefined if not. */
  known(call: ToolCall): Promise<ReadCall> | undefined {
    return this.#all.length === 0 ? undefined : this.#asked.get(call);
  }

  /**
   * Asks about the arguments of a call, unless that has been done, and returns the call with the answers. Questions about several calls, and of several detectors,
   * are asked at the same time. Never rejects.
   */
  read(read: ReadCall): Promise<ReadCall> {
    const { call, fault } = read;
    if (this.#all.length === 0) return Promise.resolve(read);
    const known = this.#asked.get(call);
    if (known !== undefined) return known;
    const asked = call === IDLE || fault !== null ? [] : this.#of(call.name, 'arguments');
    const answered =
      asked.length === 0
        ? Promise.resolve(read)
        : this.#ask(asked, call.name, call.arguments).then((found) => {
            const whole = { ...read, call: Object.freeze({ ...call, detected: detectedOf(found) }) };
            this.#asked.set(whole.call, Promise.resolve(whole));
            return whole;
          });
    this.#asked.set(call, answered);
    return answered;
  }

  /** Asks about the result of a call; undefined if no detector looks at it. Never rejects. */
  async ofResult({ name }: ToolCall, outcome: ToolOutcome): Promise<RecordedDetected | undefined> {
    const asked = this.#of(name, 'results');
    if (asked.length === 0) return undefined;
    const failed = 'error' in outcome;
    const came = failed ? messageIn(outcome.error) : outcome.result;
    const parts = [came, outcome.shown ?? null].map((one) => [one, plainData(one)]);
    // What predicates cannot read, no detector can judge.
    if (parts.some(([, value]) => value === undefined)) return unknown(asked, 'invalid');
    const [[, value]] = parts;
    return this.#ask(asked, name, failed ? null : value, parts.flatMap(textsOf).join('\n'));
  }

  /** What is known of a call of which only records tell, and which may lack answers. */
  recalled(name: string, recorded: RecordedDetected): Detected | undefined {
    const found = { ...unknown(this.#of(name), 'not-recorded'), ...recorded };
    return Object.keys(found).length === 0 ? undefined : detectedOf(found);
  }

  #of(tool: string, on?: DetectorDeclaration['on']): readonly Settled[] {
    return this.#all.filter(
      (one) => (on === undefined || one.on === on) && (one.tools?.includes(tool) ?? true),
    );
  }

  async #ask(
    asked: readonly Settled[],
    tool: string,
    value: unknown,
    text = detectedText(value),
  ): Promise<RecordedDetected> {
    const answers = await Promise.all(
      asked.map(async (one) => [one.name, await answerOf(one, text, { tool, value })]),
    );
    return Object.fromEntries(answers);
  }
}

async function answerOf(
  { detect, answer, timeoutMs }: Settled,
  text: string,
  subject: Omit<DetectorSubject, 'signal'>,
): Promise<DetectorValue | { readonly unreadable: Undetected }> {
  const began = performance.now();
  const isLate = (): boolean => performance.now() - began > timeoutMs;
  let found: unknown;
  // The timer decides whether the time is over: it may end a little before the clock says so.
  let ended: AbortSignal | undefined;
  try {
    found = await withTimeout(timeoutMs, (signal) => {
      ended = signal;
      return detect(text, { ...subject, signal });
    });
  } catch {
    return { unreadable: isLate() || ended?.aborted === true ? 'late' : 'threw' };
  }
  // One that answers at once can only be told afterwards that it took too long.
  if (isLate()) return { unreadable: 'late' };
  const fits =
    answer === 'boolean'
      ? typeof found === 'boolean'
      : answer === 'number'
        ? Number.isFinite(found)
        : answer.includes(found as string);
  return fits ? (found as DetectorValue) : { unreadable: 'invalid' };
}

/** What an agent reads of a failure: the whole message of an error, or what was thrown. */
function messageIn(error: unknown): unknown {
  try {
    return error instanceof Error ? String(error.message) : error;
  } catch {
    return error;
  }
}

/** The texts of what came and of the data that it was read as: text that is JSON is read by agents as it stands, where a field may stand twice. */
function textsOf([came, value]: readonly unknown[]): string[] {
  if (typeof came !== 'string') return value === null ? [] : [detectedText(value)];
  return value === came ? [came] : [came, detectedText(value)];
}

function unknown(asked: readonly Settled[], unreadable: Undetected): RecordedDetected {
  return Object.fromEntries(asked.map(({ name }) => [name, { unreadable }]));
}

/** The answers about a call and about its result, together. */
export function together(
  call: Detected | undefined,
  result: RecordedDetected | undefined,
): Detected | undefined {
  if (call === undefined && result === undefined) return undefined;
  return result === undefined ? call : detectedOf({ ...(call && recordOf(call)), ...result });
}

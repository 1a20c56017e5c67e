import { InvalidArgumentError, InvalidDataError, ParseError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { findSyntaxFault } from './jsonSyntax.js';
import { readLineBlocks, type UnreadableLine } from './lineBlocks.js';
import type { ResamplePolicy } from './resamplePolicy.js';

/** A trace that a reader left out, and why. */
export interface SkippedTrace {
  readonly source: string;
  /** The line it starts on, from 1. */
  readonly line: number;
  /** `malformed`: not JSON or not UTF-8; `too-long`: above the limit; `invalid`: JSON but no trace; `empty`: no steps. */
  readonly reason: 'malformed' | 'too-long' | 'invalid' | 'empty';
  /** What was left out, if it was no trace: a message of an MCAP file. */
  readonly what?: 'message';
  /** The message that the ParseError would have had, without advice to skip. */
  readonly message: string;
}

/** An assumption that a reader made about a recording. */
export interface TraceNote {
  readonly source: string;
  readonly message: string;
}

/** Options for reading traces of any format. */
export interface ReadOptions {
  /** File name for messages. */
  source: string;
  /** Skip traces that cannot be read instead of throwing. Default false. */
  skipInvalid?: boolean;
  /** Called for each trace that `skipInvalid` skips. */
  onSkipped?: (skipped: SkippedTrace) => void;
  /**
   * How steps in JSON lines whose times descend are treated. Default `error`: such a trace cannot be read. Under `hold` and `skip` the
   * trace is passed on unchanged, and `resample`, learning or a guard leaves out the steps that are out of order.
   */
  resample?: ResamplePolicy;
  /** Called with each assumption that a reader had to make about a recording, a sentence each. */
  onNote?: (note: TraceNote) => void;
  /**
   * Longest line in bytes (for a format that is one JSON document: its length). Default 268,435,456 (256 MB); at most
   * 536,870,888, the longest text that every engine can hold.
   */
  maxLineBytes?: number;
}

const DEFAULT_LINE_BYTES = 2 ** 28;
const LONGEST_TEXT = 2 ** 29 - 24;

/** The reason why a value is not a trace; the reader adds its place in the file. */
export class TraceFault extends InvalidDataError {
  readonly reason: SkippedTrace['reason'];
  /** Lines between the start of the value and the fault. */
  readonly lineOffset: number;
  readonly column: number;
  readonly expected: string | undefined;

  constructor(
    message: string,
    details: {
      reason?: SkippedTrace['reason'];
      lineOffset?: number;
      column?: number;
      expected?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.reason = details.reason ?? 'invalid';
    this.lineOffset = details.lineOffset ?? 0;
    this.column = details.column ?? 1;
    this.expected = details.expected;
  }
}

/** The limit in `options`, or its default. @throws InvalidArgumentError if it is not between 4 and 536,870,888. */
export function lineLimit(options: ReadOptions): number {
  const { maxLineBytes = DEFAULT_LINE_BYTES } = options;
  if (Number.isInteger(maxLineBytes) && maxLineBytes >= 4 && maxLineBytes <= LONGEST_TEXT)
    return maxLineBytes;
  throw new InvalidArgumentError(
    `maxLineBytes is ${maxLineBytes}; expected a whole number from 4 to ${LONGEST_TEXT}, the longest text that every JavaScript engine can hold`,
  );
}

/** Returns the result of `read`. If `read` throws a TraceFault, throws a ParseError with the place, or reports a skip if `skipInvalid` is set. */
export function readOrSkip<T>(
  read: () => T,
  line: number,
  options: ReadOptions,
  what?: SkippedTrace['what'],
): T | undefined {
  try {
    return read();
  } catch (fault) {
    if (!(fault instanceof TraceFault)) throw fault;
    const { source, skipInvalid = false, onSkipped } = options;
    const error = new ParseError(fault.message, {
      source,
      line: line + fault.lineOffset,
      column: fault.column,
      ...(fault.expected === undefined ? {} : { expected: fault.expected }),
      cause: fault.cause,
    });
    if (!skipInvalid) throw error;
    // Who skips needs no advice to skip.
    const message = error.message.replace(`. ${CUT_SHORT}`, '');
    onSkipped?.({ source, line, reason: fault.reason, message, ...(what !== undefined && { what }) });
    return undefined;
  }
}

/**
 * Reads one JSON value per line and converts each, in constant memory: one batch for each block of lines. Blank lines are skipped.
 *
 * @param convert throws TraceFault if the value is invalid. It may modify the value, which has no other owner.
 * @throws ParseError with source, line and column, unless `skipInvalid` is set.
 */
export async function* readJsonValues<T>(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
  convert: (value: unknown, line: number) => T,
): AsyncGenerator<T[]> {
  const maxLineBytes = lineLimit(options);
  let line = 0;
  for await (const block of readLineBlocks(chunks, maxLineBytes)) {
    if (typeof block === 'object') {
      line++;
      readOrSkip(() => refuse(block, maxLineBytes), line, options);
      continue;
    }
    const batch: T[] = [];
    for (const text of block.split('\n')) {
      line++;
      if (text.charCodeAt(0) !== OPENING_BRACE && text.trim() === '') continue;
      const item = readOrSkip(() => convert(parseJson(text), line), line, options);
      if (item !== undefined) batch.push(item);
    }
    if (batch.length > 0) yield batch;
  }
}

const OPENING_BRACE = 0x7b;

/** JSON.parse, with the place of the fault in the error. @throws TraceFault */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notJson(text, cause);
  }
}

/** Numbers that Python and JavaScript print but JSON lacks; strings are matched in order to skip them. */
const STRING_OR_BARE_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\w.])(?:-?NaN|Infinity)(?!\w)/gs;

/**
 * Like `parseJson`, but if the text is not JSON, reads `NaN`, `Infinity` and `-Infinity` outside strings as the numbers they name: Python
 * writes them by default, and so do simulators.
 *
 * @throws TraceFault
 */
export function parseJsonWithNaN(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const replaced = (by: (token: string) => string): string =>
      text.replace(STRING_OR_BARE_NUMBER, (token) => (token.startsWith('"') ? token : by(token)));
    // The replacement has the same length, so that faults keep their places.
    const blank = replaced((token) => '0'.padEnd(token.length));
    if (findSyntaxFault(blank) !== undefined) throw notJson(blank, cause);
    let mark = 'NaN';
    while (text.includes(`"${mark}"`)) mark += '!';
    // JSON can express infinity as a number beyond the doubles, but not NaN.
    const standard = replaced((token) => (token.endsWith('NaN') ? `"${mark}"` : '1e999'));
    return JSON.parse(standard, (_, value: unknown) => (value === mark ? Number.NaN : value));
  }
}

function notJson(text: string, cause: unknown): TraceFault {
  const fault = findSyntaxFault(text);
  if (fault === undefined)
    return new TraceFault(`not JSON: ${(cause as Error).message}`, { reason: 'malformed', cause });
  const { position, found, expected } = fault;
  const bareNumber = /^"(-?(?:NaN|Infinity))\b/.exec(found)?.[1];
  const advice =
    bareNumber !== undefined
      ? adviceOn(bareNumber)
      : text.slice(0, position).trim() === ''
        ? 'Is this a file of traces?'
        : CUT_SHORT;
  return new TraceFault(`not JSON: found ${found}, expected ${expected}. ${advice}`, {
    reason: 'malformed',
    lineOffset: text.slice(0, position).split('\n').length - 1,
    column: position - text.lastIndexOf('\n', position - 1),
    expected,
    cause,
  });
}

const CUT_SHORT = 'If the text was cut short, skip invalid traces to read the rest';

/** Advice on what to write instead of the bare numbers that Python's json.dumps writes. */
function adviceOn(bareNumber: string): string {
  const instead = bareNumber.endsWith('NaN')
    ? 'leave out the field that was not measured, and say why in notRecorded of the trace'
    : `write ${bareNumber.startsWith('-') ? '-' : ''}1e999, which is read as ${bareNumber}`;
  return `JSON has no ${bareNumber}: ${instead}; only recordings in the formats apollo and mcap may have it bare`;
}

function refuse({ reason, bytes }: UnreadableLine, maxLineBytes: number): never {
  if (reason === 'not UTF-8') {
    throw new TraceFault(
      `a line of ${bytes} bytes is not UTF-8; convert the file, or skip invalid traces to read the rest`,
      {
        reason: 'malformed',
        expected: 'UTF-8',
      },
    );
  }
  throw new TraceFault(
    `a line of ${bytes} bytes, but lines may have at most ${maxLineBytes}. Does the file have line breaks? ` +
      'Cut the trace into several, raise maxLineBytes, or skip invalid traces to read the rest',
    { reason: 'too-long', expected: `a line of at most ${maxLineBytes} bytes` },
  );
}

/** The fault of finding `found` at `place`. */
export function unexpected(place: string, found: unknown, expected: string): TraceFault {
  return new TraceFault(`${place} is ${describe(found)}; expected ${expected}`, { expected });
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isObject(value)) return `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'no keys'}`;
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

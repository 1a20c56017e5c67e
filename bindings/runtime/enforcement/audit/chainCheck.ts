import { type AuditEntry, type ChainHead, NO_LINES, type Sha256 } from './entry.js';
import { type FileLine, MAX_LINE_BYTES } from './fileLines.js';

/**
 * The fault of a line:
 * - `altered`: the line was changed after it was written, as its hash or its form shows
 * - `out-of-place`: the line is whole, but lines before it are missing, or it was moved or copied
 * - `broken-chain`: the line is whole and in its place, but the line before is not the one it was written after
 * - `torn`: the file ends in the middle of the line, as after a crash
 * - `missing`: the file ends before the line
 * - `other-head`: the chain is whole, but its head is not the one that was kept
 */
export interface ChainFault {
  readonly kind: 'altered' | 'out-of-place' | 'broken-chain' | 'torn' | 'missing' | 'other-head';
  /** From 1. */
  readonly line: number;
  readonly expected: string;
  readonly found: string;
}

const PLACE =
  /^\{"hash":"([0-9a-f]{64})","previous":"([0-9a-f]{64})","record":\{.*\},"sequence":(\d{1,16})\}$/s;
const HASHED_FROM = '{"hash":"",'.length + 64;

/** Checks a chain line by line. */
export class ChainCheck {
  /** The head of the lines that were correct so far. */
  head: ChainHead = NO_LINES;
  readonly #sha256: Sha256;

  /** @param head of the preceding lines, if the first line to check is not the first of the file */
  constructor(sha256: Sha256, head: ChainHead = NO_LINES) {
    this.#sha256 = sha256;
    this.head = head;
  }

  /** Checks the next line: null if it follows the lines before, byte for byte as it was written. */
  take({ text, bytes, ended }: FileLine): ChainFault | null {
    const { count, hash } = this.head;
    const fault = (kind: ChainFault['kind'], expected: string, found: string): ChainFault => ({
      kind,
      line: count + 1,
      expected,
      found,
    });
    if (!ended) return fault('torn', 'a line break at its end', `the end of the file after ${bytes} bytes`);
    if (text === null) {
      const found = bytes > MAX_LINE_BYTES ? `${bytes} bytes` : `${bytes} bytes that are not UTF-8`;
      return fault('altered', `at most ${MAX_LINE_BYTES} bytes of UTF-8`, found);
    }
    const place = PLACE.exec(text);
    if (place === null) return fault('altered', 'an entry of an audit file', excerpt(text));
    const [, own, previous, sequence] = place;
    const computed = this.#sha256(`{${text.slice(HASHED_FROM)}`);
    if (computed !== own) return fault('altered', `content of hash ${own}`, `content of hash ${computed}`);
    if (Number(sequence) !== count) return fault('out-of-place', `sequence ${count}`, `sequence ${sequence}`);
    if (previous !== hash) return fault('broken-chain', `previous ${hash}`, `previous ${previous}`);
    if (count === 0) {
      const { record } = JSON.parse(text) as AuditEntry;
      const { format, version } = record as { format?: unknown; version?: unknown };
      if (record.kind !== 'header' || format !== 'foreguard-audit' || version !== 1) {
        const expected = 'the header of a foreguard-audit file, version 1';
        return fault('altered', expected, excerpt(JSON.stringify(record)));
      }
    }
    this.head = { count: count + 1, hash: own };
    return null;
  }
}

/** The head of the chain before a line, read from the line itself; null if the line is not an entry. */
export function headBefore(text: string): ChainHead | null {
  const place = PLACE.exec(text);
  return place && { count: Number(place[3]), hash: place[2] };
}

/** Describes a fault in a sentence. */
export function describeFault({ kind, line, expected, found }: ChainFault): string {
  const what = {
    altered: 'was altered',
    'out-of-place': 'is not in its place: lines before it are missing, or it was moved or copied',
    'broken-chain':
      'was not written after the line before it: that one was replaced, and its hash computed anew, or this one belongs to another file',
    torn: 'is torn, as by a crash; what opens the file to write to it cuts it off',
    missing: 'is missing: the file ends before it',
    'other-head': 'is another than the one whose hash was kept',
  }[kind];
  return `line ${line} ${what}; expected ${expected}, found ${found}`;
}

function excerpt(text: string): string {
  return text === '' ? 'nothing' : text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

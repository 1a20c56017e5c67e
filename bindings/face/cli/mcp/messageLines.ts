import { Transform } from 'node:stream';
import type { LongMessage, RequestId } from '../../../runtime/adapters/mcp/index.js';

const [LINE_FEED, QUOTE, BACKSLASH] = [10, 34, 92];
const OPENING = [...Buffer.from('{[')];
const CLOSING = [...Buffer.from('}]')];
const NULL = [...Buffer.from('null')];
/** Longer texts of the outline are left empty: ids and methods are shorter. */
const MAX_TEXT = 1000;
const MAX_OUTLINE = 64_000;

/** Reads of a JSON object only its own fields, in any order, with null for the objects and lists in them: its size does not matter. */
class Outline {
  readonly #kept: number[] = [];
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** Where the text at hand begins in the outline. */
  #textAt = 0;
  #tooLongText = false;
  #bytes = 0;

  take(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    for (const byte of chunk) {
      if (this.#inText) this.#takeText(byte);
      else if (byte === QUOTE) this.#beginText();
      else if (OPENING.includes(byte)) {
        if (this.#depth++ === 1) this.#kept.push(...NULL);
        this.#keep(byte);
      } else if (CLOSING.includes(byte)) {
        this.#keep(byte);
        this.#depth--;
      } else this.#keep(byte);
    }
  }

  get message(): LongMessage {
    const bytes = this.#bytes;
    try {
      const { id, method } = JSON.parse(Buffer.from(this.#kept).toString('utf8'));
      const hasId = (typeof id === 'string' && id !== '') || typeof id === 'number';
      return { bytes, ...(hasId && { id: id as RequestId }), ...(typeof method === 'string' && { method }) };
    } catch {
      return { bytes };
    }
  }

  #beginText(): void {
    this.#inText = true;
    this.#tooLongText = false;
    this.#keep(QUOTE);
    this.#textAt = this.#kept.length;
  }

  #takeText(byte: number): void {
    const ends = byte === QUOTE && !this.#escaped;
    this.#escaped = byte === BACKSLASH && !this.#escaped;
    if (ends) this.#inText = false;
    if (ends || !this.#tooLongText) this.#keep(byte);
    if (this.#kept.length - this.#textAt <= MAX_TEXT) return;
    this.#tooLongText = true;
    this.#kept.length = this.#textAt;
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#kept.length < MAX_OUTLINE) this.#kept.push(byte);
  }
}

/** Takes bytes as they come, and gives whole lines; of a line that is too long it keeps the outline alone. */
export class MessageLines {
  readonly #maxBytes: number;
  readonly #instead: (message: LongMessage) => string | null;
  readonly #separator: number;
  #line: Uint8Array[] = [];
  #size = 0;
  #outline: Outline | null = null;

  /**
   * @param maxBytes maximal size of a line, without its end
   * @param instead called with what is known of a longer line; what it returns takes its place, null: nothing does
   * @param isWhole whether all is one message, whatever its lines
   */
  constructor(maxBytes: number, instead: (message: LongMessage) => string | null, isWhole = false) {
    this.#maxBytes = maxBytes;
    this.#instead = instead;
    this.#separator = isWhole ? -1 : LINE_FEED;
  }

  /** The lines that have ended, each with its end. */
  take(chunk: Uint8Array): Buffer[] {
    const lines: Buffer[] = [];
    for (let from = 0; from < chunk.length; ) {
      const end = this.#separator < 0 ? -1 : chunk.indexOf(this.#separator, from);
      this.#add(chunk.subarray(from, end === -1 ? chunk.length : end));
      if (end === -1) break;
      lines.push(...this.#ended(chunk.subarray(end, end + 1)));
      from = end + 1;
    }
    return lines;
  }

  /** What is left once no more comes. */
  end(): Buffer[] {
    return this.#size === 0 ? [] : this.#ended(new Uint8Array());
  }

  #add(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#outline === null && this.#size > this.#maxBytes) {
      this.#outline = new Outline();
      for (const one of this.#line.splice(0)) this.#outline.take(one);
    }
    if (this.#outline === null) this.#line.push(part);
    else this.#outline.take(part);
  }

  #ended(end: Uint8Array): Buffer[] {
    const [line, outline] = [this.#line, this.#outline];
    [this.#line, this.#outline, this.#size] = [[], null, 0];
    if (outline === null) return [Buffer.concat([...line, end])];
    const instead = this.#instead(outline.message);
    return instead === null ? [] : [Buffer.concat([Buffer.from(instead), end])];
  }
}

/** `MessageLines` as a stream. */
export function limitLines(maxBytes: number, instead: (message: LongMessage) => string | null): Transform {
  const lines = new MessageLines(maxBytes, instead);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const line of lines.take(chunk)) this.push(line);
      done();
    },
    flush(done) {
      for (const line of lines.end()) this.push(line);
      done();
    },
  });
}

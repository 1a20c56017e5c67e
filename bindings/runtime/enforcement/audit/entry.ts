import { sha256 as hash } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../../base/canonicalJson.js';
import type { RunRecord } from '../record.js';

/** The first line of every audit file. */
export interface HeaderRecord {
  readonly kind: 'header';
  readonly format: 'foreguard-audit';
  readonly version: 1;
  /** Milliseconds since 1970, as all times of an audit file. */
  readonly time: number;
}

/** The end of the file was torn by a crash: this much, that was never promised to anyone, was cut off when it was opened again. */
export interface RepairRecord {
  readonly kind: 'repair';
  readonly time: number;
  readonly cutBytes: number;
  /** SHA-256 of what was cut. */
  readonly cut: string;
}

/** What a line says: a record of a run, or one of the file itself. */
export type AuditRecord = RunRecord | HeaderRecord | RepairRecord;

/** One line of an audit file. */
export interface AuditEntry {
  /** SHA-256 of the canonical JSON of the other three fields, in UTF-8. */
  readonly hash: string;
  /** The hash of the line before; 64 zeros in the first. */
  readonly previous: string;
  readonly record: AuditRecord;
  /** From 0. */
  readonly sequence: number;
}

/** How far a chain goes: so many lines, of which the last has this hash. Kept elsewhere, it anchors all lines up to there. */
export interface ChainHead {
  readonly count: number;
  readonly hash: string;
}

/** SHA-256 in lower-case hexadecimal; of text, that of its UTF-8. */
export type Sha256 = (content: string | Uint8Array) => string;

/** In plain JavaScript, for every runtime; about eight times slower than what Node brings. */
export const portableSha256: Sha256 = (content) =>
  bytesToHex(hash(typeof content === 'string' ? utf8ToBytes(content) : content));

/** A chain without lines. */
export const NO_LINES: ChainHead = { count: 0, hash: '0'.repeat(64) };

export function headerAt(time: number): HeaderRecord {
  return { kind: 'header', format: 'foreguard-audit', version: 1, time };
}

/**
 * The text of the entry that follows `head`, with its line break: itself canonical JSON. Since `hash` is the first of its keys, the text that is
 * hashed is that of the line without its first 75 characters, behind a brace.
 *
 * @throws InvalidDataError where the record is no JSON
 */
export function entryLine(
  head: ChainHead,
  record: AuditRecord,
  sha256: Sha256,
): { line: string; head: ChainHead } {
  const hashed = `{"previous":"${head.hash}","record":${canonicalJson(record)},"sequence":${head.count}}`;
  const hash = sha256(hashed);
  // Of `hashed` itself, which hashing has made one piece in memory.
  return { line: `{"hash":"${hash}",${hashed.slice(1)}\n`, head: { count: head.count + 1, hash } };
}

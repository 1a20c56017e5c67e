import { sha256 as hash } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../../base/canonicalJson.js';
import type { RunRecord } from '../record.js';

/** The first line of every audit file. */
export interface HeaderRecord {
  readonly kind: 'header';
  readonly format: 'foreguard-audit';
  readonly version: 1;
  /** Milliseconds since 1970, like all times in an audit file. */
  readonly time: number;
}

/** A crash tore the end of the file: this part, which was never acknowledged, was cut off when the file was reopened. */
export interface RepairRecord {
  readonly kind: 'repair';
  readonly time: number;
  readonly cutBytes: number;
  /** SHA-256 of the part that was cut off. */
  readonly cut: string;
}

/** The content of a line: a record of a run, or of the file itself. */
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

/** The extent of a chain: the number of lines, and the hash of the last one. Kept elsewhere, it anchors all lines up to there. */
export interface ChainHead {
  readonly count: number;
  readonly hash: string;
}

/** SHA-256 in lower-case hexadecimal; of text, that of its UTF-8. */
export type Sha256 = (content: string | Uint8Array) => string;

/** SHA-256 in plain JavaScript, for every runtime; about eight times slower than Node's own. */
export const portableSha256: Sha256 = (content) =>
  bytesToHex(hash(typeof content === 'string' ? utf8ToBytes(content) : content));

/** A chain without lines. */
export const NO_LINES: ChainHead = { count: 0, hash: '0'.repeat(64) };

export function headerAt(time: number): HeaderRecord {
  return { kind: 'header', format: 'foreguard-audit', version: 1, time };
}

/**
 * The text of the entry that follows `head`, with its line break: itself canonical JSON. `hash` is the first key; the hashed text is therefore the line without
 * its first 75 characters, after an opening brace.
 *
 * @throws InvalidDataError if the record is not JSON
 */
export function entryLine(
  head: ChainHead,
  record: AuditRecord,
  sha256: Sha256,
): { line: string; head: ChainHead } {
  const hashed = `{"previous":"${head.hash}","record":${canonicalJson(record)},"sequence":${head.count}}`;
  const hash = sha256(hashed);
  // Slice `hashed` itself, which hashing has already flattened in memory.
  return { line: `{"hash":"${hash}",${hashed.slice(1)}\n`, head: { count: head.count + 1, hash } };
}

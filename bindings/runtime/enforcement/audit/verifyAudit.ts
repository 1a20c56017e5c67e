import { InvalidArgumentError } from '../../../base/errors.js';
import { auditLines } from './auditLines.js';
import { ChainCheck, type ChainFault } from './chainCheck.js';
import { type ChainHead, portableSha256, type Sha256 } from './entry.js';

/** Options of `verifyAudit`: a head that was kept elsewhere, and progress reporting. */
export interface VerifyAuditOptions {
  /** Hash, as kept elsewhere, of the last line, or of line `count` if that is given. */
  readonly hash?: string;
  /** Number of lines, as kept elsewhere; later lines may follow. */
  readonly count?: number;
  /** Default: plain JavaScript. */
  readonly sha256?: Sha256;
  /** Called after every line. */
  readonly onProgress?: (head: ChainHead) => void;
  readonly signal?: AbortSignal;
}

/** The result of a verification. */
export interface AuditVerification {
  /** The head of the lines that are correct, from the first on. */
  readonly head: ChainHead;
  /**
   * The first fault; null if there is none. The fault is `torn` only if everything that was kept comes before the torn last line; else whole lines may be gone,
   * because an attacker who cuts off the end can leave a torn line in its place.
   */
  readonly fault: ChainFault | null;
}

/**
 * Verifies line by line, in constant memory, that an audit file holds what was written to it. A missing end shows only against a head that was kept elsewhere,
 * and so does a file whose hashes were all recomputed.
 *
 * @param chunks the file's bytes
 * @throws InvalidArgumentError if `hash` or `count` is invalid; InvalidDataError if the file is not an audit log at all; any error of the chunks; the reason of
 * `signal`
 */
export async function verifyAudit(
  chunks: AsyncIterable<Uint8Array>,
  { hash, count, sha256 = portableSha256, onProgress, signal }: VerifyAuditOptions = {},
): Promise<AuditVerification> {
  if (hash !== undefined && !/^[0-9a-f]{64}$/.test(hash))
    throw new InvalidArgumentError(
      `the head is "${hash}"; expected a hash of 64 hexadecimal digits in lower case`,
    );
  if (count !== undefined && !(Number.isSafeInteger(count) && count > 0))
    throw new InvalidArgumentError(`the count is ${count}; expected a whole number above 0`);
  const check = new ChainCheck(sha256);
  const other = (found: ChainHead): ChainFault => ({
    kind: 'other-head',
    line: found.count,
    expected: `hash ${hash}`,
    found: `hash ${found.hash}`,
  });
  let torn: ChainFault | null = null;
  for await (const line of auditLines(chunks)) {
    signal?.throwIfAborted();
    const fault = check.take(line);
    if (fault?.kind === 'torn') {
      // Everything that was kept must come before the torn line: otherwise it may hide that whole lines are gone.
      torn = fault;
      break;
    }
    if (fault !== null) return { head: check.head, fault };
    if (hash !== undefined && check.head.count === count && check.head.hash !== hash)
      return { head: check.head, fault: other(check.head) };
    onProgress?.(check.head);
  }
  const { head } = check;
  const least = count ?? (torn === null ? 1 : 0);
  if (head.count < least) {
    const [expected, found] = [`${least} lines or more`, `${head.count}`];
    return { head, fault: { kind: 'missing', line: head.count + 1, expected, found } };
  }
  if (hash !== undefined && count === undefined && head.hash !== hash) return { head, fault: other(head) };
  return { head, fault: torn };
}

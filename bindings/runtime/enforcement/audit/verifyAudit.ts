import { InvalidArgumentError } from '../../../base/errors.js';
import { auditLines } from './auditLines.js';
import { ChainCheck, type ChainFault } from './chainCheck.js';
import { type ChainHead, portableSha256, type Sha256 } from './entry.js';

/** What `verifyAudit` is told: a head that was kept elsewhere, and how to report. */
export interface VerifyAuditOptions {
  /** Hash of the last line, or of line `count` where that is given, as it was kept elsewhere. */
  readonly hash?: string;
  /** Lines that there were, as it was kept elsewhere; more may have come since. */
  readonly count?: number;
  /** Default: in plain JavaScript. */
  readonly sha256?: Sha256;
  /** Called after every line. */
  readonly onProgress?: (head: ChainHead) => void;
  readonly signal?: AbortSignal;
}

/** What verifying came to. */
export interface AuditVerification {
  /** The lines that are right, from the first on. */
  readonly head: ChainHead;
  /** The first that is not; null where all are. A torn last line only where all that was kept comes before it: whoever cuts an end off can leave a torn one in its place. */
  readonly fault: ChainFault | null;
}

/**
 * Whether an audit file holds what was written to it, line by line, in constant memory. What is missing at its end shows only against a head that was kept
 * elsewhere, and so does a file whose hashes were all computed anew.
 *
 * @param chunks the file's bytes
 * @throws InvalidArgumentError where `hash` or `count` is none; InvalidDataError where the file is no audit log at all; what the chunks throw; the reason of `signal`
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
      // What was kept must come before it: else it may hide that whole lines are gone.
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

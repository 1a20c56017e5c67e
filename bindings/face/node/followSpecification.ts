import { readFile } from 'node:fs/promises';
import { refuseUnknownOptions } from '../../base/suggest.js';
import { type Guard, loadGuard } from '../../runtime/guard/index.js';
import { type Beside, followFile } from './followFile.js';

/** Options of `followSpecification`. */
export interface FollowSpecificationOptions {
  /** Called with words for people when the file has changed, and when it is refused, with the place and what was expected. Default: nobody is told. */
  readonly onNote?: (text: string) => void;
}

/** A specification whose runs follow its file. */
export interface FollowedSpecification {
  /**
   * A guard of the rules as the file has them now, for the run that begins; those that have begun keep theirs. Where the file has become wrong, or is gone, the
   * rules stay as they were. Each call gives a guard of its own, so that runs may go on beside each other.
   */
  next(): Promise<Guard>;
}

/**
 * Follows a specification's file from one run to the next, without a model, as `mcp-proxy --spec` does: `createSession({ guard: await followed.next(), … })`.
 * The file, and scripts that it names, are read whenever a run begins: no timer keeps the process alive. Records of a run have the hash of the specification that it began with.
 *
 * @param path a specification, YAML or JSON, in UTF-8
 * Policies are verified each time: those that are not count as wrong (`unproved` of the specification).
 *
 * @throws SpecificationError (rejects) for a file that is wrong at the beginning; any error of the file system
 */
export async function followSpecification(
  path: string,
  options: FollowSpecificationOptions = {},
): Promise<FollowedSpecification> {
  refuseUnknownOptions('followSpecification', options, { onNote: true });
  const { onNote = () => undefined } = options;
  const open = async (beside: Beside) => {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
    // Programs that follow no specification do not load the parser.
    const { compileRules, readSpecification } = await import('../../rules/specification/index.js');
    const { scriptsBeside } = await import('./scriptsBeside.js');
    const { readerOfSentences } = await import('./readerOfSentences.js');
    const specification = readSpecification(text, {
      source: path,
      scripts: scriptsBeside(path, beside),
      ...(await readerOfSentences(text)),
    });
    if (specification.policies !== null) {
      const { requireVerified } = await import('../../proofs/policyProof/index.js');
      await requireVerified(specification.policies, onNote);
    }
    return { value: await loadGuard(compileRules(specification)), hash: specification.hash };
  };
  const next = await followFile(path, open, onNote);
  return { next: async () => (await next()).fork() };
}

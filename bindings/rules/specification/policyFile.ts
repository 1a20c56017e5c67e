import { InvalidDataError } from '../../base/errors.js';
import { readScript } from '../../languages/policyScript/index.js';
import { readSpecification } from './parse.js';
import type { PolicySpecification } from './policies.js';

/**
 * Reads the policies of a specification, YAML or JSON text: the sections `inputs`, `policies`, `uncoveredTools`, `session` and `unproved`. A file that has no others is a
 * specification of policies alone.
 *
 * @param options.source name of the file, for messages; default `policies`
 * @param options.read the text of a script that a policy names by `source`, by the path as it is written there: relative to the file of policies
 * @param options.drafts whether policies may have no `permit` yet; such a one denies everything. Default: false
 * @throws SpecificationError with file, line and column of every problem, and the nearest known names; InvalidDataError if it has no policies
 */
export function parsePolicies(
  text: string,
  options: { source?: string; read?: (path: string) => string; drafts?: boolean } = {},
): PolicySpecification {
  const { drafts = false, read } = options;
  const { source, policies } = readSpecification(text, {
    source: options.source ?? 'policies',
    drafts,
    ...(read !== undefined && { scripts: { read, parse: readScript } }),
  });
  if (policies !== null) return policies;
  throw new InvalidDataError(
    `${source}: there are no policies; add policies: { NAME: { tools: [TOOL], permit: { … } } }`,
  );
}

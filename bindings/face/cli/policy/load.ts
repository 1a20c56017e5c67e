import { loadRegexEngine } from '../../../languages/expression/index.js';
import { type PolicySpecification, parsePolicies } from '../../../rules/specification/index.js';
import { scriptsBeside } from '../../node/index.js';
import { readText } from '../inputs.js';

/** Reads the policies of a specification and the scripts that it names, and loads what their conditions need. */
export async function loadPolicies(path: string): Promise<PolicySpecification> {
  const text = await readText(path, 'a file of policies, YAML or JSON');
  await loadRegexEngine();
  return parsePolicies(text, {
    source: path,
    read: scriptsBeside(path).read,
  });
}

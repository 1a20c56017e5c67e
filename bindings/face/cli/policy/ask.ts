import { InvalidDataError } from '../../../base/errors.js';
import { isObject } from '../../../base/objectKind.js';
import { printable } from '../../../base/words.js';
import { shownCall } from '../../../runtime/enforcement/index.js';
import {
  type DecidedCall,
  describeDenial,
  loadNearestCalls,
  PolicyDecider,
  type PolicySet,
} from '../../../runtime/policy/index.js';
import { readText } from '../inputs.js';
import type { Outcome } from '../terminal.js';
import { loadPolicies } from './load.js';
import { placeOfReturn } from './returns.js';

/** `foreguard policy ask`: what policies decide of one call. */
export async function askPolicies({
  file,
  call,
}: {
  readonly file: string;
  readonly call: string;
}): Promise<Outcome> {
  const specification = await loadPolicies(file);
  const { set } = specification;
  const asked = await readCall(call);
  const found = new PolicyDecider(set).denial(asked, asked.state);
  if (found === null)
    return { json: { decision: 'permit', call: asked.name }, text: printable(`permit: ${asked.name}`) };
  const why = describeDenial(found, set) + (found.denial.kind === 'uncovered' ? covered(set) : '');
  const at =
    'rule' in found.denial ? placeOfReturn(specification, found.policy, found.denial.rule) : undefined;
  const NearestCalls = await loadNearestCalls();
  const nearest = new NearestCalls(set).of(asked, asked.state);
  const json = {
    decision: 'deny',
    call: asked.name,
    ...found,
    explanation: why,
    ...(at !== undefined && { at }),
    nearest,
  };
  const denied = printable(`deny: ${asked.name}. ${why}${at === undefined ? '' : ` (${at})`}`);
  const said = nearest === null ? '' : ` The nearest permitted call: ${shownCall(nearest)}.`;
  return { json, text: `${denied}${said}`, exitCode: 1 };
}

/** The tools that policies decide, for who asked about another one. */
function covered({ policies }: PolicySet): string {
  const tools = [...new Set(policies.flatMap((one) => one.tools))].sort();
  const shown = tools.length > 20 ? [...tools.slice(0, 20), '…'] : tools;
  return ` Policies decide calls of ${shown.join(', ') || 'no tool'}.`;
}

/** @throws InvalidDataError for what is no call */
async function readCall(
  path: string,
): Promise<DecidedCall & { readonly state: Readonly<Record<string, unknown>> }> {
  const expected =
    '{"name": TOOL, "arguments": {…}, "state": {…}}, with "detected": {INPUT: ANSWER} for inputs that a model extracts';
  const text = path.trimStart().startsWith('{') ? path : await readText(path, `a call, ${expected}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InvalidDataError(`${path} is not JSON (${(cause as Error).message}); expected ${expected}`, {
      cause,
    });
  }
  const { name, arguments: args = {}, state = {}, detected = {} } = isObject(value) ? value : {};
  if (typeof name !== 'string' || !isObject(args) || !isObject(state) || !isObject(detected))
    throw new InvalidDataError(`${path} holds no call; expected ${expected}`);
  return { name, arguments: args, state, detected: detected as NonNullable<DecidedCall['detected']> };
}

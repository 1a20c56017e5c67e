import { existsSync, readFileSync } from 'node:fs';
import { ToolHistory } from 'foreguard';
import { policiesIn, tally } from './decide.mjs';

/** What a request belongs to, beside policies: said by the data, `goesTo`. */
export const ELSEWHERE = ['temporal', 'labels'];

/**
 * Requests of operators in words, each with a policy that was written from it, and its example calls as the policy decides them.
 *
 * @param {string} path `requests.json`
 * @param {{ proofs?: boolean }} options whether the obligations are looked at, which takes longest
 */
export async function writtenRequests(path, { proofs = true } = {}) {
  const { requests } = JSON.parse(readFileSync(path, 'utf8'));
  const found = [];
  for (const request of requests) found.push(await written(request, proofs));
  return found;
}

async function written({ id, goesTo, kind, expected }, withProofs) {
  const file = new URL(`requests/${id}.yaml`, import.meta.url);
  if (!existsSync(file)) return { id, goesTo, kind, examples: expected.length, isWritten: false };
  const policies = await policiesIn(file);
  const wrong = expected.flatMap((example) => {
    const state = stateOf(example);
    const { tool, arguments: args, expect } = example;
    const isPermitted = policies.permits(tool, args, state);
    if (isPermitted === (expect === 'permit')) return [];
    return [`${JSON.stringify(args)}: expected ${expect}: ${policies.why(tool, args, state)}`];
  });
  const proofs = withProofs ? tally(await policies.report()) : null;
  return { id, goesTo, kind, examples: expected.length, isWritten: true, wrong, proofs };
}

/** The state of an example: what a session knows of the calls before, and the facts beside the call. */
function stateOf({ context = {}, history = [] }) {
  const tools = [...new Set(history.map(({ tool }) => tool)), ...TOOLS];
  const past = new ToolHistory(tools);
  for (const { tool, arguments: args, at } of history)
    past.record(
      { name: tool, arguments: args },
      { result: null },
      at === undefined ? {} : { time: Date.parse(at) / 1000 },
    );
  const state = { ...past.state() };
  for (const [name, value] of Object.entries(context)) {
    const path = name.split('.');
    const last = path.pop();
    let at = state;
    for (const part of path) at = at[part] ??= {};
    at[last] = value;
  }
  return state;
}

/** The tools whose calls are counted by policies here: a session counts those that it was given, from 0 on. */
const TOOLS = ['drop_table', 'login', 'unlock', 'share_file'];

/** Sums up: of all requests, of those that are no order of calls and no flow of data, and of those that the data call policies. */
export function summary(requests) {
  const of = (some) => ({
    requests: some.length,
    written: some.filter(({ isWritten }) => isWritten).length,
    decided: some.filter(({ proofs }) => proofs?.decided).length,
    verified: some.filter(({ proofs }) => proofs?.decided && proofs.refuted === 0).length,
    examples: some.reduce((sum, one) => sum + (one.isWritten ? one.examples : 0), 0),
    right: some.reduce((sum, one) => sum + (one.isWritten ? one.examples - one.wrong.length : 0), 0),
  });
  return {
    all: of(requests),
    decidable: of(requests.filter(({ goesTo }) => !ELSEWHERE.includes(goesTo))),
    policies: of(requests.filter(({ goesTo }) => goesTo === 'policy')),
    unwritten: requests.filter(({ isWritten }) => !isWritten).map(({ id, goesTo }) => ({ id, goesTo })),
  };
}

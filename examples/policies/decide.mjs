import { readFileSync } from 'node:fs';
import { parsePolicies, policyJudge, verifyPolicies } from 'foreguard/policy';

/** Decides calls by policies as a session would: each by itself, in the state that is given. */
export async function policiesOf(text, source) {
  const specification = parsePolicies(text, { source });
  const judge = await policyJudge(specification.set, specification.hash);
  const run = judge.begin({ id: source, isSafe: () => false, mayQuote: false });
  let id = 0;
  const judged = (name, args, state) =>
    run.propose({ id: String(id++), name, arguments: args }, { state, pending: [] });
  return {
    specification,
    report: () => verifyPolicies(specification),
    permits: (name, args, state = {}) => judged(name, args, state).decision === 'allow',
    /** Why a call is denied, in a sentence. */
    why: (name, args, state = {}) => judged(name, args, state).explanation,
  };
}

/** The same of a file. */
export function policiesIn(url) {
  return policiesOf(readFileSync(url, 'utf8'), new URL(url).pathname.split('/').at(-1));
}

/**
 * What became of the obligations of policies. `decided`: each that is more than a remark is proved or refuted by the built-in decider.
 *
 * @param {import('foreguard/policy').PolicyReport} report
 */
export function tally({ obligations }) {
  const count = (verdict) => obligations.filter((one) => !one.isRemark && one.verdict === verdict).length;
  const unproved = obligations.filter((one) => !one.isRemark && one.verdict === 'unproved');
  return {
    proved: count('proved'),
    refuted: count('refuted'),
    unproved: unproved.length,
    decided: unproved.length === 0,
    open: unproved.map(({ kind, name, says }) => `${kind} ${name}: ${says}`),
    wrong: obligations
      .filter((one) => !one.isRemark && one.verdict === 'refuted')
      .map(({ kind, name, says }) => `${kind} ${name}: ${says}`),
  };
}

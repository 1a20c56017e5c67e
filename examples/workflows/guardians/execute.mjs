import { runPlan } from 'foreguard/workflow/run';

/**
 * Runs a proved plan of a case: tools give the case's replies, in their order.
 *
 * @returns `outcome` (`done`, or `refused` for whatever ends the run before its end), the names of the tools called, and by name what steps gave
 */
export async function execute(verified, contracts, { run: { inputs, approval }, replies }) {
  const calls = [];
  const tools = Object.fromEntries(
    [...contracts.tools.keys()].map((tool) => [tool, () => replies[calls.push(tool) - 1].result]),
  );
  const kept = [];
  const results = { read: async () => [], add: async (_run, _position, entry) => kept.push(entry) > 0 };
  const judges = approval === 'not asked' ? [] : [askedAbout];
  const session = { judges, ask: async () => ({ approved: approval === 'given' }) };
  const ended = await runPlan(verified, { inputs, tools, results, session });
  return {
    outcome: ended.kind === 'finished' ? 'done' : 'refused',
    calls,
    env: named(verified.plan.steps, kept),
  };
}

/** What steps gave, by the names that the plan gives it. */
function named(steps, kept) {
  const results = new Map(
    kept.flatMap((entry) => (entry.kind === 'result' ? [[entry.step, entry.value]] : [])),
  );
  return Object.fromEntries(
    steps.flatMap(({ id, as }) => (as !== undefined && results.has(id) ? [[as, results.get(id)]] : [])),
  );
}

/** A judge that leaves each call to a person. */
const askedAbout = {
  name: 'approval',
  hash: 'each call',
  decisions: [{ kind: 'inspect' }],
  idleDecisions: [],
  needs: { reads: () => false },
  begin() {
    const judged = (isCall) =>
      isCall ? { decision: 'inspect', onFailure: 'stop', read: true } : { decision: 'allow', read: false };
    return {
      propose: (call) => judged(call !== null),
      decideAgain: (read) => judged(read === true),
      instead: () => null,
    };
  },
};

import { describe, expect, it } from 'vitest';
import { type Formula, parseFormula } from '../../bindings/languages/logic/index.js';
import { readContracts } from '../../bindings/proofs/contract/index.js';
import { verifyPlan } from '../../bindings/proofs/planProof/index.js';
import { violations } from '../oracle/planJudge.js';
import { pairsOf } from '../oracle/planPairs.js';
import { allRuns, wholeOrigin } from '../oracle/planRuns.js';
import { Draw, drawContracts, GOALS, ON_SEND, planOf, RULES, SmallPlans } from './smallPlans.js';

/** `PLAN_LAW=100000 npx vitest run test/laws/planProof.test.ts` tries that many plans. */
const PLANS = Number(process.env.PLAN_LAW ?? 200 * Number(process.env.LAWS_RUNS ?? 1));
const PER_CONTRACT = 20;
const MOST_RUNS = 600;
const SEED = Number(process.env.FAST_CHECK_SEED ?? 20260101);

describe('proofs of plans', () => {
  it('are right of every run, and are found of nearly all plans that are safe', () => {
    const formulas = new Map(RULES.map((rule) => [rule, parseFormula(rule)]));
    const count = {
      proved: 0,
      safe: 0,
      provedOfSafe: 0,
      refuted: 0,
      looked: 0,
      many: 0,
      runs: 0,
      pairs: 0,
      covered: 0,
      untrusted: 0,
    };
    const missed = new Map<string, number>();
    for (let i = 0; i < PLANS; i += PER_CONTRACT) {
      const draw = new Draw(SEED + i);
      const contracts = drawContracts(draw);
      const read = readContracts(contracts.declared);
      for (let j = 0; j < PER_CONTRACT; j++) {
        const steps = new SmallPlans(draw, contracts.theme).plan();
        const goal = contracts.theme === 'effects' ? draw.one(GOALS) : null;
        const plan = planOf(steps);
        const verdict = verifyPlan(plan, read, { goal });
        const runs = allRuns(steps, contracts.tools, MOST_RUNS, contracts.implicit);
        if (runs === null) {
          count.many++;
          continue;
        }
        count.looked++;
        count.runs += runs.length;
        const judged = {
          contracts,
          conditions: ON_SEND,
          formula: contracts.rule === null ? null : (formulas.get(contracts.rule) as Formula),
          goal,
        };
        const broken = runs.flatMap((run) => violations(run, judged));
        const shown = () =>
          JSON.stringify(
            { seed: SEED + i, j, broken: [...new Set(broken)], goal, contracts: contracts.declared, steps },
            null,
            1,
          );
        if (j % 4 === 0 && contracts.implicit === 'full') {
          // An author who is not trusted tells nothing by ends either.
          const by = verifyPlan(plan, read, { goal, label: { integrity: 'untrusted' } });
          const pairs = by.verdict === 'proved' ? pairsOf(runs, contracts, true) : null;
          if (pairs !== null) count.untrusted++;
          count.pairs += pairs?.count ?? 0;
          if (pairs !== null && pairs.broken !== null)
            expect.fail(`proved of any author, and two runs differ: ${pairs.broken} ${shown()}`);
        }
        if (verdict.verdict === 'proved') {
          count.proved++;
          if (broken.length > 0) expect.fail(`proved, and broken: ${shown()}`);
          if (contracts.implicit === 'full' && interferes(runs, contracts))
            expect.fail(`proved, and data tell: ${shown()}`);
          if (contracts.implicit === 'full') {
            const isEndCovered = verdict.assumes.every(({ kind }) => kind !== 'ends');
            if (isEndCovered) count.covered++;
            const pairs = pairsOf(runs, contracts, isEndCovered);
            count.pairs += pairs.count;
            if (pairs.broken !== null) expect.fail(`proved, and two runs differ: ${pairs.broken} ${shown()}`);
          }
        } else if (verdict.verdict === 'refuted') {
          count.refuted++;
          if (broken.length === 0 && !interferes(runs, contracts))
            expect.fail(
              `refuted, and never broken: ${verdict.findings.map(({ text }) => text).join(' ')} ${shown()}`,
            );
        }
        if (broken.length === 0 && !interferes(runs, contracts)) {
          count.safe++;
          if (verdict.verdict === 'proved') count.provedOfSafe++;
          else {
            const [{ kind, text }] = verdict.findings;
            missed.set(kind, (missed.get(kind) ?? 0) + 1);
            if (process.env.PLAN_LAW_SHOW)
              console.log(
                kind,
                text,
                JSON.stringify({
                  goal,
                  contracts: { ...contracts, declared: undefined, tools: undefined },
                  steps,
                }),
              );
          }
        }
      }
    }
    if (process.env.PLAN_LAW) console.log(JSON.stringify({ ...count, missed: [...missed] }));
    expect(count.proved).toBeGreaterThan(PLANS / 50);
    expect(count.refuted).toBeGreaterThan(PLANS / 5);
    expect(count.provedOfSafe / count.safe).toBeGreaterThan(0.85);
  });
});

/**
 * Whether what the sources of the flow rule give makes a difference to what its sink gets: of runs in which all else is given alike, one sends other bodies
 * than another. A run that a failure ends counts as far as it comes. Only of rules without exceptions, and plans that do not endorse and store nothing.
 */
function interferes(
  runs: NonNullable<ReturnType<typeof allRuns>>,
  contracts: ReturnType<typeof drawContracts>,
): boolean {
  const uses = (tools: readonly string[]) =>
    runs.some(({ calls }) =>
      calls.some(
        ({ tool, given }) =>
          tools.includes(tool) ||
          Object.values(given).some((one) =>
            [...wholeOrigin(one).ties].some((tie) => tools.includes(tie.replace('!', ''))),
          ),
      ),
    );
  if (
    contracts.unless !== null ||
    contracts.from.includes('*') ||
    uses(['clean', 'note', 'recall', 'ask', 'copy'])
  )
    return false;
  const groups = new Map<string, { readonly bodies: string; readonly isCut: boolean }[]>();
  for (const { calls, choices, end } of runs) {
    // Choices of other sources in the order in which they were asked; only runs that ask the same are compared.
    if (choices.some(({ tool }) => tool === 'failing' || tool === 'ask')) return false;
    const others = choices
      .filter(({ tool }) => !contracts.from.includes(tool))
      .map(({ tool, taken }) => `${tool}${taken}`);
    const bodies = calls
      .filter(({ tool }) => tool === 'send')
      .map(({ given }) => JSON.stringify(given.body.value));
    const key = others.join();
    groups.set(key, [...(groups.get(key) ?? []), { bodies: bodies.join(), isCut: end === 'failed' }]);
  }
  return [...groups.values()].some((group) =>
    group.some((a) =>
      group.some(
        (b) =>
          !(
            a.bodies === b.bodies ||
            (a.isCut && b.bodies.startsWith(a.bodies)) ||
            (b.isCut && a.bodies.startsWith(b.bodies))
          ),
      ),
    ),
  );
}

import { contractsOf } from './contracts.mjs';
import { planOf } from './plan.mjs';
import { Types } from './types.mjs';

/** The cases' categories of our kinds of findings. Conditions of tools that their `frame` gives are named so. */
const CATEGORIES = {
  contract: ['allowlist', 'missing_spec', 'well_formedness'],
  shape: ['well_formedness'],
  type: ['well_formedness'],
  flow: ['taint'],
  integrity: ['taint'],
  readers: ['taint'],
  order: ['automaton'],
  requires: ['precondition'],
  effects: ['frame'],
  goal: ['frame'],
  budget: ['budget'],
};

/** Words of theirs for what we say otherwise. */
const WORDS = { shadow: 'a second time' };

/** The kinds of cases that are about plans and contracts. The others are about upstream's own language of conditions. */
export const KINDS = ['verify', 'execute'];

/**
 * Contracts, plan and types of a case.
 *
 * @param api.readContracts Foreguard's
 * @returns null in place of contracts that are refused, with the reason
 */
export function convert(one, conditions, { readContracts }) {
  const types = new Types(one, conditions);
  const { contracts: declared, unsaid } = contractsOf(one, conditions, types);
  const { plan, labels, problems } = planOf(one, conditions, (name) => types.input(name));
  try {
    return { contracts: readContracts(declared), refused: null, declared, unsaid, plan, labels, problems };
  } catch (error) {
    return { contracts: null, refused: error.message, declared, unsaid, plan, labels, problems };
  }
}

/**
 * Judges a case, and compares with what it expects.
 *
 * @param api.verify `(plan, contracts) => verdict`
 * @param api.execute `(verified, contracts, case) => { outcome: 'done' | 'refused', calls, env }`; without it, what passes is not run
 * @returns `agrees`, and in words what was found
 */
export async function judge(one, conditions, api) {
  const converted = convert(one, conditions, api);
  const findings = await findingsOf(one, converted, api);
  const differences =
    one.kind === 'verify' ? compared(one.expect, findings) : await executed(one, converted, findings, api);
  return {
    id: one.id,
    kind: one.kind,
    agrees: differences.length === 0,
    mayDiffer: one.mayDiffer ?? null,
    found:
      findings.length === 0
        ? 'proved'
        : findings.map(
            ({ category, step, text }) =>
              `${category.join('/')}${step === null ? '' : ` (${step})`}: ${text}`,
          ),
    differences,
  };
}

/** @param file `{ conditions, cases }` @param api as of `judge` */
export async function judgeAll({ cases, conditions }, api) {
  const judged = [];
  for (const one of cases) if (KINDS.includes(one.kind)) judged.push(await judge(one, conditions, api));
  return judged;
}

/** The results as lines: those that differ, and how many agree. */
export function report(judged) {
  const differing = judged.filter(({ agrees }) => !agrees);
  const lines = differing.flatMap(({ id, mayDiffer, differences, found }) => [
    `${id}${mayDiffer === null ? '' : ` (may differ: ${mayDiffer})`}`,
    ...differences.map((text) => `  ${text}`),
    ...[found].flat().map((text) => `  found: ${text}`),
  ]);
  const allowed = differing.filter(({ mayDiffer }) => mayDiffer !== null).length;
  return [
    ...lines,
    `${judged.length - differing.length} of ${judged.length} cases agree; ${differing.length} differ, of which ${allowed} may`,
  ];
}

async function findingsOf(one, { contracts, refused, unsaid, plan, labels, problems }, { verify }) {
  if (contracts === null)
    return [{ category: ['contracts'], step: null, certainty: 'refuted', text: refused }];
  const verdict = await verify(plan, contracts, one);
  const found = (verdict.findings ?? []).map(({ kind, rule, step, certainty, text }) => ({
    category: kind === 'requires' && rule?.startsWith('frame') ? ['frame'] : (CATEGORIES[kind] ?? [kind]),
    step: step === null ? null : (labels.get(step) ?? step),
    certainty,
    text,
  }));
  const called = new Set(callsOf(plan.steps).map(({ tool }) => tool));
  return [
    ...found,
    ...unsaid.flatMap(({ tool, what, condition }) =>
      called.has(tool)
        ? [
            {
              category: ['unsaid'],
              step: null,
              certainty: 'unproved',
              text: `${what} of ${tool} cannot be said: ${condition}`,
            },
          ]
        : [],
    ),
    ...problems.map(({ step, text }) => ({
      category: ['unsaid'],
      step: labels.get(step) ?? null,
      certainty: 'unproved',
      text,
    })),
  ];
}

/** In words, how findings differ from what a case of `verify` expects. */
function compared(expect, findings) {
  if (expect.anyOf) {
    const all = expect.anyOf.map((other) => compared(other, findings));
    return all.find((one) => one.length === 0) ?? all.flat();
  }
  const differences = [];
  const isProved = findings.length === 0;
  if (expect.ok !== undefined && expect.ok !== isProved)
    differences.push(expect.ok ? 'it should be proved' : 'it should be refused');
  for (const wanted of expect.violations ?? []) {
    const of = findings.filter((one) => isWanted(one, wanted));
    const count = `${of.length} of ${wanted.category}${wanted.step ? ` at ${wanted.step}` : ''}`;
    if (wanted.exactly !== undefined && wanted.exactly !== of.length)
      differences.push(`${count}, expected ${wanted.exactly}`);
    if (wanted.atLeast !== undefined && of.length < wanted.atLeast)
      differences.push(`${count}, expected at least ${wanted.atLeast}`);
    for (const step of wanted.steps ?? [])
      if (!of.some((one) => one.step === step)) differences.push(`none of ${wanted.category} at ${step}`);
  }
  // What upstream warns of is refused here.
  if (expect.warnings?.atLeast > 0 && isProved) differences.push('there should be a warning, or a refusal');
  return differences;
}

function isWanted({ category, step, text }, wanted) {
  if (!category.includes(wanted.category)) return false;
  if (wanted.step !== undefined && step !== wanted.step) return false;
  return [wanted.mentions ?? []]
    .flat()
    .every((word) => text.includes(word) || text.includes(WORDS[word] ?? word));
}

async function executed(one, { contracts, plan }, findings, { verify, execute }) {
  const { expect } = one;
  if (findings.length > 0)
    return expect.outcome === 'refused' ? [] : ['it should be done, and is not proved'];
  if (execute === undefined)
    return expect.outcome === 'refused'
      ? ['it should be refused; it is proved, and nothing here runs it']
      : [];
  const { verified } = await verify(plan, contracts, one);
  const run = await execute(verified, contracts, one);
  const differences = [];
  if (run.outcome !== expect.outcome)
    differences.push(`it should be ${expect.outcome}, and is ${run.outcome}`);
  if (expect.calls !== undefined && run.calls.map(String).join() !== expect.calls.join())
    differences.push(`it should call ${expect.calls.join(', ')}, and calls ${run.calls.join(', ')}`);
  for (const [name, value] of Object.entries(expect.env ?? {}))
    if (JSON.stringify(run.env?.[name]) !== JSON.stringify(value))
      differences.push(`${name} should be ${JSON.stringify(value)}`);
  for (const name of expect.bound ?? [])
    if (!Object.hasOwn(run.env ?? {}, name)) differences.push(`${name} should have a value`);
  return differences;
}

/** All calls of some steps, in branches and loops too. */
export function callsOf(steps) {
  return steps.flatMap((step) =>
    step.kind === 'call' ? [step] : callsOf([step.then, step.else, step.do].flatMap((part) => part ?? [])),
  );
}

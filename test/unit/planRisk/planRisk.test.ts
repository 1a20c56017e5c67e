import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learn, learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import { type VerifiedPlan, verifyPlan } from '../../../bindings/proofs/planProof/index.js';
import { planRisk } from '../../../bindings/proofs/planRisk/index.js';
import { lowerCode } from '../../../bindings/proofs/workflow/code/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';

const contracts = readContracts(`version: 1
tools:
  bills: { result: { type: list, of: { type: integer, minimum: 0, maximum: 900 } } }
  pay: { arguments: { amount: integer, note: { type: text, optional: true } } }
  check: {}
`);

function proved(code: string): VerifiedPlan {
  const verdict = verifyPlan(lowerCode(`goal('Pay');\n${code}`, contracts), contracts);
  if (verdict.verdict !== 'proved') throw new Error(JSON.stringify(verdict.findings));
  return verdict.verified;
}

const BANK = `version: 1
predicates: { overdrawn: 'balance < 0' }
actions: { pay: { large: 'amount > 100' } }
learning: { model: mdp, smoothing: 0 }
rules:
  solvent: { formula: 'G !overdrawn', threshold: 0.1 }
  ruined: { formula: 'F overdrawn', threshold: 0.9 }
`;
const specification = parseSpecification(BANK, { source: 'bank.yaml' });

/** A run that pays once. */
const paid = (id: string, amount: number, after: number): Trace => ({
  id,
  complete: true,
  steps: [
    { state: { balance: 50 }, action: { name: 'pay', arguments: { amount } } },
    { state: { balance: after } },
  ],
});
/** Of ten small payments one overdraws, and of four large ones two do. */
const traces = [
  ...Array.from({ length: 10 }, (_, i) => paid(`small ${i}`, 10, i === 0 ? -1 : 40)),
  ...Array.from({ length: 4 }, (_, i) => paid(`large ${i}`, 400, i < 2 ? -1 : 40)),
];
const modelOf = async (runs: readonly Trace[] = traces) =>
  (await learnMdp(new Abstraction(specification.abstraction), runs, specification.learning)).model;

const close = (found: { lower: number; upper: number } | undefined, lower: number, upper = lower) => {
  expect(found?.lower).toBeLessThanOrEqual(lower + 1e-15);
  expect(found?.lower).toBeGreaterThan(lower - 2e-6);
  expect(found?.upper).toBeGreaterThanOrEqual(upper - 1e-15);
  expect(found?.upper).toBeLessThan(upper + 2e-6);
};

describe('planRisk', () => {
  it('follows the calls of the plan through the decision process', async () => {
    const risk = planRisk(
      proved('await pay({ amount: 7 });\nawait pay({ amount: 300 });'),
      specification,
      await modelOf(),
    );
    expect(risk.model).toBe('decisions');
    expect(risk.gaps).toEqual([]);
    expect(risk.rules.map(({ rule, formula }) => [rule, formula])).toEqual([
      ['solvent', 'G !overdrawn'],
      ['ruined', 'F overdrawn'],
    ]);
    close(risk.rules[0], 1 - 0.9 * 0.5);
    // Strong: the end of the plan decides.
    close(risk.rules[1], 0.9 * 0.5);
  });

  it('lets data choose where the plan does not say, and knows what the plan has required', async () => {
    const model = await modelOf();
    const pay = 'const all = await bills();\nrequire(all.length > 0, "none");\n';
    const open = planRisk(
      proved(`${pay}await pay({ amount: all[0] });`),
      specification,
      await modelOf([...traces, ...billed]),
    );
    close(open.rules[0], 0, 0.5);
    const bounded = proved(`${pay}require(all[0] <= 100, "much");\nawait pay({ amount: all[0] });`);
    close(planRisk(bounded, specification, await modelOf([...traces, ...billed])).rules[0], 0, 0.1);
    // `bills` was never called in the first recordings.
    const { rules, gaps } = planRisk(bounded, specification, model);
    close(rules[0], 0, 1);
    expect(rules[0]).toMatchObject({ recorded: 0, unknown: 1 });
    expect(gaps).toEqual([{ step: 'all', tool: 'bills', reason: 'untried', states: 1 }]);
  });

  it('says where the data end', async () => {
    const model = await modelOf([...traces, ...checked]);
    const risk = planRisk(proved('await check();\nawait pay({ amount: 7 });'), specification, model);
    expect(risk.gaps).toEqual([{ step: 'pay', tool: 'pay', reason: 'ended', states: 1 }]);
    expect(risk.rules[0]).toMatchObject({ recorded: 0, unknown: 1 });
    // A rule that is decided is decided, whatever is not recorded: nothing goes on from where it is overdrawn.
    const twice = proved('await pay({ amount: 7 });\nawait pay({ amount: 7 });');
    const again = planRisk(twice, specification, await modelOf(cut));
    close(again.rules[0], 0.75);
    close(again.rules[1], 0.25);
    expect(again.gaps).toEqual([]);
    const recovering = parseSpecification(BANK.replace('G !overdrawn', 'F G !overdrawn'), {
      source: 'bank.yaml',
    });
    const { model: left } = await learnMdp(new Abstraction(recovering.abstraction), cut, recovering.learning);
    const { rules, gaps } = planRisk(twice, recovering, left);
    close(rules[0], 0.25, 0.75);
    expect(gaps).toMatchObject([{ tool: 'pay', reason: 'unvisited', states: 1 }]);
  });

  it('takes loops to end: the least is not that of a loop without end', async () => {
    const model = await modelOf([...traces, ...billed]);
    const risk = planRisk(
      proved(
        'const all = await bills();\nfor (const one of all) { await pay({ amount: one }); }\nawait pay({ amount: 7 });',
      ),
      specification,
      model,
    );
    close(risk.rules[0], 0.1, 1);
  });

  it('takes an argument that is left out for none, not for null', async () => {
    const noted = parseSpecification(
      `version: 1
predicates: { overdrawn: 'balance < 0' }
actions: { pay: { noted: 'has(note.x)' } }
learning: { model: mdp, smoothing: 0 }
rules: { solvent: { formula: 'G !overdrawn', threshold: 0.1 } }
`,
      { source: 'noted.yaml' },
    );
    const runs = traces.map((trace) => ({
      ...trace,
      steps: trace.steps.map((step) =>
        step.action
          ? { ...step, action: { ...step.action, arguments: { ...step.action.arguments, note: {} } } }
          : step,
      ),
    }));
    const { model } = await learnMdp(new Abstraction(noted.abstraction), runs, noted.learning);
    const { gaps } = planRisk(proved('await pay({ amount: 7 });'), noted, model);
    // Nothing is known of the predicate, so the call may be one that was never made.
    expect(gaps).toMatchObject([{ tool: 'pay', reason: 'untried' }]);
  });

  it('reads calls by the predicates of a chain', async () => {
    const chain = parseSpecification(
      `version: 1
predicates: { overdrawn: 'balance < 0', pays: 'action.name == "pay"' }
learning: { smoothing: 0 }
rules:
  solvent: { formula: 'G (pays -> !overdrawn)', threshold: 0.1 }
  sure: { formula: 'G !overdrawn', exact: true }
  soon: { formula: 'P<0.5 [ F<=2 overdrawn ]' }
`,
      { source: 'chain.yaml' },
    );
    const run = (id: string, balance: number): Trace => ({
      id,
      complete: true,
      steps: [
        { state: { balance: 50 }, action: { name: 'pay', arguments: {} } },
        { state: { balance }, action: { name: 'pay', arguments: {} } },
      ],
    });
    const runs = [run('a', 10), run('b', 10), run('c', 10), run('d', -1)];
    const { model } = await learn(new Abstraction(chain.abstraction), runs, chain.learning);
    const risk = planRisk(proved('await pay({ amount: 7 });\nawait pay({ amount: 7 });'), chain, model);
    expect(risk.model).toBe('chain');
    close(risk.rules[0], 0.25);
    expect(risk.notPredicted.map(({ rule }) => rule)).toEqual(['sure', 'soon']);
    expect(planRisk(proved('await check();'), chain, model).gaps).toEqual([
      { step: 'check', tool: 'check', reason: 'untried', states: 1 },
    ]);
  });

  it('refuses what says nothing of a plan', async () => {
    const model = await modelOf();
    const plan = proved('await check();');
    expect(() => planRisk({ ...plan } as VerifiedPlan, specification, model)).toThrow(/once it is proved/);
    const states = parseSpecification(
      `version: 1
predicates: { overdrawn: 'balance < 0' }
rules: { solvent: { formula: 'G !overdrawn', threshold: 0.1 } }
`,
      { source: 'states.yaml' },
    );
    const chain = (await learn(new Abstraction(states.abstraction), traces, states.learning)).model;
    expect(() => planRisk(plan, states, chain)).toThrow(/says nothing of calls; learn a decision process/);
    expect(() => planRisk(plan, { ...states, samplingPeriod: '0.1' }, chain)).toThrow(
      /sampling period apart/,
    );
    expect(() => planRisk(plan, states, model)).toThrow(/do not belong together/);
  });
});

/** Runs that only ask for bills, and pay. */
const billed = Array.from(
  { length: 2 },
  (_, i): Trace => ({
    id: `billed ${i}`,
    complete: true,
    steps: [{ state: { balance: 50 }, action: { name: 'bills', arguments: {} } }, { state: { balance: 50 } }],
  }),
);
/** Runs that end with a check. */
const checked = [
  {
    id: 'checked',
    complete: true,
    steps: [{ state: { balance: 50 }, action: { name: 'check', arguments: {} } }],
  },
];
/** Runs that are cut off after the first payment: one of two overdraws, and of the state of the other nothing else is known. */
const cut = [
  { ...paid('cut', 10, -1), complete: false, steps: paid('cut', 10, -1).steps.slice(0, 2) },
  { ...paid('kept', 10, 40), complete: false, steps: paid('kept', 10, 40).steps.slice(0, 2) },
];

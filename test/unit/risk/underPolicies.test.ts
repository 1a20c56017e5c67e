import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learn, learnMdp, readLearntMdp, withoutPairs } from '../../../bindings/estimation/learning/index.js';
import {
  Abstraction,
  ActionAbstraction,
  abstractCall,
} from '../../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { policyEffect } from '../../../bindings/proofs/policyProof/index.js';
import { compileGuard, type PolicyEffect, takenAway } from '../../../bindings/rules/risk/index.js';
import { parseSpecification, type Specification } from '../../../bindings/rules/specification/index.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { checkGuardFile, createGuard, loadGuard, openTables } from '../../../bindings/runtime/guard/index.js';

const HEAD = `version: 1
predicates: { read: 'read', leaked: 'leaked' }
rules: { noLeak: { formula: 'G !leaked', threshold: 0.2 } }
`;
const POLICIES = `inputs: { read: { from: state.read, type: boolean } }
policies:
  mail: { tools: [send], permit: { harmless: '!read' } }
  files: { tools: [read], permit: { always: 'true' } }
`;

const specify = (rest = '', policies = POLICIES): Specification =>
  parseSpecification(`${HEAD}${policies}${rest || 'learning: { model: mdp, smoothing: 0 }\n'}`);

/** Runs of the tools that are named, each a step; mail leaks what was read. */
function run(id: number, ...tools: readonly string[]): Trace {
  let [read, leaked] = [false, false];
  const steps = tools.map((name) => {
    const step = { state: { read, leaked }, action: { name, arguments: {} } };
    leaked ||= name === 'send' && read;
    read ||= name === 'read';
    return step;
  });
  return { id: `${id}`, steps: [...steps, { state: { read, leaked } } as Trace['steps'][number]] };
}

const RUNS = [run(0, 'read'), run(1, 'read'), run(2, 'read', 'send'), run(3, 'send')];
/** After reading nothing but mail was ever done. */
const FORCED = [run(0, 'read', 'send'), run(1, 'send'), run(2, 'read', 'send'), run(3, 'read', 'send')].map(
  (trace) => ({ ...trace, steps: trace.steps.slice(0, 3) }),
);

async function learnt(specification: Specification, traces: readonly Trace[] = RUNS) {
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  return { specification, model, effect: await policyEffect(specification, model) };
}

/** Pairs as `state: action`. */
const namesOf = ({ specification, model, effect }: Awaited<ReturnType<typeof learnt>>): string[] =>
  takenAway(specification, model, effect).forbidden.map(
    ({ description, action }) => `${description}: ${action}`,
  );

describe('pairs that policies forbid', () => {
  it('are those of which every call is denied', async () => {
    expect(namesOf(await learnt(specify()))).toEqual(['read; not leaked: send']);
    const none = specify(
      '',
      POLICIES.replace("'!read'", "'!read || size(to) > 0'").replace(
        'inputs: {',
        'inputs: { to: { type: text },',
      ),
    );
    expect(namesOf(await learnt(none))).toEqual([]);
  });

  it('are all pairs of a tool that no policy decides, unless such tools are permitted', async () => {
    const alone = POLICIES.replace(/ {2}files.*\n/, '');
    expect(namesOf(await learnt(specify('', alone)))).toEqual([
      'none of read, leaked: read',
      'read; not leaked: send',
    ]);
    const open = specify('', `${alone}uncoveredTools: permit\n`);
    expect(namesOf(await learnt(open))).toEqual(['read; not leaked: send']);
  });

  it('stay where the policy reads what no predicate reads, or from another place', async () => {
    const other = POLICIES.replace('state.read', 'state.world.read');
    expect(namesOf(await learnt(specify('', other)))).toEqual([]);
  });

  it('stay where the predicate and the policy may read an absent field differently', async () => {
    // Null is a value for the policy, and makes the predicate unreadable.
    const optional = POLICIES.replace('type: boolean', 'type: boolean, optional: true').replace(
      "'!read'",
      "'read == null || !read'",
    );
    expect(namesOf(await learnt(specify('', optional)))).toEqual([]);
  });

  it('are told by what the call itself is where the state that was read may be over', async () => {
    const held = specify('samplingPeriod: 1s\nresample: hold\nlearning: { model: mdp, smoothing: 0 }\n');
    const timed = RUNS.map((trace) => ({
      ...trace,
      steps: trace.steps.map((step, time) => ({ ...step, time })),
    }));
    expect(namesOf(await learnt(held, timed))).toEqual([]);
  });

  it('are none of a chain', async () => {
    const specification = specify('learning: { smoothing: 0 }\n');
    const { model } = await learn(new Abstraction(specification.abstraction), RUNS, specification.learning);
    const effect = await policyEffect(specification, model);
    expect(effect.forbidden.size).toBe(0);
    expect(compileGuard(specification, model, { policies: effect })).toEqual(
      compileGuard(specification, model),
    );
  });

  it('are those of the policies at hand', async () => {
    const { model, effect } = await learnt(specify());
    const changed = specify('', POLICIES.replace('!read', 'read'));
    expect(() => compileGuard(changed, model, { policies: effect })).toThrow(
      'not that of this specification',
    );
    const bare = parseSpecification(`${HEAD}learning: { model: mdp, smoothing: 0 }`);
    await expect(policyEffect(bare, model)).rejects.toThrow('has no policies');
  });
});

describe('a guard of the agent under its policies', () => {
  const riskOf = (
    specification: Specification,
    model: Parameters<typeof compileGuard>[1],
    policies?: PolicyEffect,
  ) => {
    const file = compileGuard(specification, model, { ...(policies && { policies }) });
    const [rule] = file.rules;
    const { risk } = openTables(rule);
    return { file, risk: file.states.draws.map((_, s) => risk.upper(s, rule.automaton.initial)) };
  };

  it('has lower risks, and names the pairs', async () => {
    const { specification, model, effect } = await learnt(specify());
    const recorded = riskOf(specification, model);
    expect(recorded.file.actions).not.toHaveProperty('forbidden');
    expect(recorded.risk[0]).toBeGreaterThan(0.19);
    const { file, risk } = riskOf(specification, model, effect);
    expect(risk[0]).toBe(0);
    expect(file.actions!.forbidden).toHaveLength(1);
    expect(checkGuardFile(JSON.parse(JSON.stringify(file)))).toEqual(file);
  });

  it('ends the run where all that was recorded is forbidden', async () => {
    const { specification, model, effect } = await learnt(specify(), FORCED);
    expect(takenAway(specification, model, effect).ended.map(({ description }) => description)).toEqual([
      'read; not leaked',
    ]);
    expect(riskOf(specification, model, effect).risk[0]).toBe(0);
    const view = readLearntMdp(withoutPairs(model, effect.forbidden));
    const s = view.actions.findIndex((name, row) => name === null && view.stateOf[row] === 2);
    expect([...view.model.columns.subarray(view.model.rowStart[s], view.model.rowStart[s + 1])]).toEqual([
      view.end,
    ]);
    // What must happen before the end never does.
    const strict = parseSpecification(
      `${HEAD.replace("'G !leaked', threshold: 0.2", "'F leaked', threshold: 1, atEnd: strong")}${POLICIES}learning: { model: mdp, smoothing: 0 }`,
    );
    const strong = await learnt(strict, FORCED);
    expect(riskOf(strict, strong.model, strong.effect).risk[0]).toBe(1);
    expect(riskOf(strict, strong.model).risk[0]).toBeLessThan(0.3);
  });

  it('is kept by sessions: what is forbidden is denied, and is no way out', async () => {
    const { specification, model, effect } = await learnt(specify());
    const guard = await loadGuard(JSON.stringify(compileGuard(specification, model, { policies: effect })));
    const decided = async (read: boolean) => {
      const session = createSession({
        guard: guard.fork(),
        tools: ['read', 'send'],
        state: () => ({ read, leaked: false }),
      });
      return session.decide({ id: '1', name: 'send', arguments: {} });
    };
    expect(await decided(false)).toMatchObject({ decision: 'allow' });
    // The guard's own rule is against it as well, and would have let the agent plan again.
    expect(await decided(true)).toMatchObject({ run: null });
    const world = { read: true, leaked: false };
    const plain = createGuard(compileGuard(specification, model, { policies: effect }));
    plain.step(world);
    expect(plain.permitted(world).actions.map(({ name }) => name)).toEqual([null]);
  });

  it('is refused if its pairs are no pairs, are of doing nothing, or nothing forbids them', async () => {
    const { specification, model, effect } = await learnt(specify());
    const file = JSON.parse(JSON.stringify(compileGuard(specification, model, { policies: effect })));
    const withPairs =
      (forbidden: unknown, rest: object = {}) =>
      () =>
        checkGuardFile({ ...file, ...rest, actions: { ...file.actions, forbidden } });
    expect(withPairs([99])).toThrow('actions.forbidden');
    expect(withPairs([1, 1])).toThrow('pairs ascend');
    expect(withPairs([file.actions.taken.actions.indexOf(-1)])).toThrow('no policy forbids doing nothing');
    expect(withPairs([1], { policies: undefined })).toThrow('no policies');
  });
});

describe('an abstraction of a call', () => {
  it('is read back, whatever the tool is called', () => {
    const predicates = [
      { name: 'big', expression: 'amount > 3' },
      { name: 'odd', expression: 'amount == 1' },
    ];
    const definition = { pay: predicates, 'a[b': predicates, '"x"': [] };
    const actions = new ActionAbstraction(definition);
    for (const name of ['pay', 'a[b', '"x"', 'plain', 'a[', '"', 'pay[big, odd]'])
      for (const amount of [1, 5]) {
        const found = abstractCall(actions.nameOf({ name, arguments: { amount } })!, definition);
        const isRefined = name === 'pay' || name === 'a[b';
        expect(found).toEqual({ tool: name, values: isRefined ? [amount > 3, amount === 1] : [] });
      }
    expect(abstractCall('pay[large]', definition)).toBeNull();
    expect(abstractCall('"', definition)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { learn, learnMdp } from '../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../bindings/observations/trace/index.js';
import { readContracts } from '../../bindings/proofs/contract/index.js';
import { verifyPlan } from '../../bindings/proofs/planProof/index.js';
import { planRisk } from '../../bindings/proofs/planRisk/index.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';

import {
  countedDecisions,
  countedSteps,
  greatest,
  type SmallCalled,
  type SmallModel,
  type SmallRule,
} from '../oracle/planRisk.js';
import { allRuns, type SmallStep } from '../oracle/planRuns.js';
import { Rational } from '../oracle/rational.js';
import { Draw, drawContracts, planOf, SmallPlans } from './smallPlans.js';

/** `PLAN_RISK_LAW=20000 npx vitest run test/laws/planRisk.test.ts` tries that many plans of each kind of model. */
const PLANS = Number(process.env.PLAN_RISK_LAW ?? 120 * Number(process.env.LAWS_RUNS ?? 1));
const PER_MODEL = 20;
const SEED = Number(process.env.FAST_CHECK_SEED ?? 20260101);
/** Rows of the model are rounded. */
const ROUNDING = Rational.fromDouble(2 ** -40);

const RULES: Readonly<Record<string, SmallRule & { readonly formula: string; readonly atEnd?: 'weak' }>> = {
  never: {
    formula: 'G !p',
    so: (seen) => (seen.some(p) ? 'broken' : 'open'),
    breaksAtEnd: () => false,
  },
  once: {
    formula: 'F q',
    so: (seen) => (seen.some(q) ? 'kept' : 'open'),
    breaksAtEnd: () => true,
  },
  next: {
    formula: 'G (p -> X q)',
    so: (seen) => (seen.some((one, i) => i > 0 && p(seen[i - 1]) && !q(one)) ? 'broken' : 'open'),
    breaksAtEnd: (seen) => p(seen[seen.length - 1] ?? ''),
  },
  weakly: {
    formula: 'G (p -> X q)',
    atEnd: 'weak',
    so: (seen) => (seen.some((one, i) => i > 0 && p(seen[i - 1]) && !q(one)) ? 'broken' : 'open'),
    breaksAtEnd: () => false,
  },
  before: {
    formula: '!p U q',
    so: (seen) => {
      const at = seen.findIndex((one) => p(one) || q(one));
      return at < 0 ? 'open' : q(seen[at]) ? 'kept' : 'broken';
    },
    breaksAtEnd: () => true,
  },
};
const p = (state: string) => state.includes('p');
const q = (state: string) => state.includes('q');

const rules = Object.entries(RULES)
  .map(
    ([name, { formula, atEnd }]) =>
      `  ${name}: { formula: '${formula}', threshold: 0.5${atEnd ? `, atEnd: ${atEnd}` : ''} }`,
  )
  .join('\n');
const DECISIONS = parseSpecification(
  `version: 1
predicates: { p: 'x == 1 || x == 3', q: 'x >= 2' }
actions: { send: { toA: 'to == "a"', same: 'to == body' }, copy: { ofC: 'x == "c"' } }
learning: { model: mdp, smoothing: 0 }
rules:
${rules}
`,
  { source: 'decisions.yaml' },
);
const CHAIN = parseSpecification(
  `version: 1
learning: { smoothing: 0 }
predicates: { p: 'action.name == "send" && action.arguments.to == "a" || action.name == "act" && x == 1', q: 'x >= 2', sends: 'action.name == "send"' }
rules:
${rules}
`,
  { source: 'chain.yaml' },
);

type Given = Readonly<Record<string, unknown>>;
const nameOf = (tool: string, { to, body, x }: Given): string => {
  const not = (is: boolean) => (is ? '' : '!');
  if (tool === 'send') return `send[${not(to === 'a')}toA, ${not(to === body)}same]`;
  return tool === 'copy' ? `copy[${not(x === 'c')}ofC]` : tool;
};

/** Contracts of the tools of small plans that permit what is typed. */
function permissive(declared: object): object {
  const { tools, stores } = declared as { tools: Record<string, object>; stores: object };
  const loosened = Object.entries(tools).map(([name, tool]) => {
    const { result, arguments: args } = tool as {
      result?: object;
      arguments?: Record<string, { enum?: unknown }>;
    };
    const of = (one: { enum?: unknown }) => (name === 'clear' ? one : { enum: one.enum });
    return [
      name,
      {
        ...(args && {
          arguments: Object.fromEntries(Object.entries(args).map(([key, one]) => [key, of(one)])),
        }),
        ...(result && { result: { ...result, integrity: 'trusted', readers: 'everyone' } }),
        consequential: false,
      },
    ];
  });
  return { version: 1, stores, tools: Object.fromEntries(loosened) };
}

function drawTraces(draw: Draw, tools: readonly string[]): Trace[] {
  const text = () => draw.one(['a', 'b', 'c']);
  // In each draw of traces some call changes something, as learning demands.
  const changing = [0, 1].map((x) => ({ state: { x }, action: { name: 'act', arguments: { x: text() } } }));
  const drawn = Array.from({ length: 4 + draw.below(20) }, (_, i): Trace => {
    let x = draw.below(3);
    const steps = Array.from({ length: 1 + draw.below(7) }, () => {
      const name = draw.one(tools);
      const action = { name, arguments: name === 'send' ? { to: text(), body: text() } : { x: text() } };
      const step = { state: { x }, action };
      if (draw.chance(0.5)) x = draw.below(4);
      return step;
    });
    return { id: `run ${i}`, complete: draw.chance(0.7), steps };
  });
  return [{ id: 'changing', complete: true, steps: changing }, ...drawn];
}

/** The sequences of calls of all runs that end by themselves, of a call that failed with it and without it; null: too many. */
function sequencesOf(
  steps: readonly SmallStep[],
  tools: Parameters<typeof allRuns>[1],
  say: (tool: string, given: Given) => string,
) {
  const runs = allRuns(steps, tools, 150, 'data');
  if (runs === null || runs.some(({ calls }) => calls.length > 6)) return null;
  const all = new Map<string, readonly SmallCalled[]>();
  for (const { calls, end } of runs) {
    if (end === 'failed') continue;
    let ways: SmallCalled[][] = [[]];
    for (const { step, tool, given, ok } of calls) {
      const values = Object.fromEntries(Object.entries(given).map(([name, { value }]) => [name, value]));
      const name = { step, call: say(tool, values) };
      ways = ways.flatMap((way) => (ok ? [[...way, name]] : [[...way, name], way]));
    }
    for (const way of ways) all.set(JSON.stringify(way), way);
  }
  return [...all.values()];
}

describe('the predicted risk of a plan', () => {
  it.each(['decisions', 'chain'] as const)(
    'bounds what traces and all runs of the plan give, by %s',
    async (kind) => {
      const specification = kind === 'chain' ? CHAIN : DECISIONS;
      const count = { proved: 0, looked: 0, known: 0, tight: 0, gaps: 0 };
      for (let i = 0; i < PLANS; i += PER_MODEL) {
        const draw = new Draw(SEED + i);
        const small = drawContracts(draw);
        const contracts = readContracts(permissive(small.declared));
        const names = ['flag', 'read', 'look', 'list', 'copy', 'approve', 'act', 'send', 'send'];
        const traces = drawTraces(draw, draw.chance(0.5) ? names : Object.keys(small.tools));
        const abstraction = new Abstraction(specification.abstraction);
        const { model } =
          kind === 'chain'
            ? await learn(abstraction, traces, specification.learning)
            : await learnMdp(abstraction, traces, specification.learning);
        const say = kind === 'chain' ? chainCall : nameOf;
        const counted =
          kind === 'chain'
            ? countedSteps(traces, chainState, isOfCall)
            : countedDecisions(traces, stateOf, callOf);
        for (let j = 0; j < PER_MODEL; j++) {
          const steps = new SmallPlans(draw, small.theme).plan();
          const verdict = verifyPlan(planOf(steps), contracts);
          if (verdict.verdict !== 'proved') continue;
          count.proved++;
          const sequences = sequencesOf(steps, small.tools, say);
          if (sequences === null || sequences.length === 0) continue;
          const risk = planRisk(verdict.verified, specification, model);
          for (const { rule, ...found } of risk.rules) {
            const exact = exactOf(sequences, counted, RULES[rule]);
            const shown = () =>
              JSON.stringify({ seed: SEED + i, j, rule, found, sequences, steps, traces }, null, 1);
            const holds = (small: number | Rational, large: number | Rational) => {
              const [a, b] = [small, large].map((one) =>
                typeof one === 'number' ? Rational.fromDouble(one) : one,
              );
              if (a.compare(b.plus(ROUNDING)) > 0) expect.fail(`${a} > ${b}: ${shown()}`);
            };
            holds(found.lower, exact.lower);
            holds(exact.upper, found.upper);
            holds(exact.recorded, found.recorded);
            holds(exact.unknown, found.unknown);
            holds(found.recorded, found.upper);
            count.looked++;
            if (found.unknown === 0) count.known++;
            const slack = Rational.fromDouble(2e-6);
            const isTight =
              exact.lower.compare(Rational.fromDouble(found.lower).plus(slack)) <= 0 &&
              Rational.fromDouble(found.upper).compare(exact.upper.plus(slack)) <= 0;
            if (isTight) count.tight++;
          }
          if (risk.gaps.length > 0) count.gaps++;
        }
      }
      if (process.env.PLAN_RISK_LAW) console.log(JSON.stringify(count));
      expect(count.looked).toBeGreaterThan(PLANS / 2);
      expect(count.known).toBeGreaterThan(PLANS / 20);
      expect(count.tight / count.looked).toBeGreaterThan(0.8);
    },
  );
});

const stateOf = ({ state }: Trace['steps'][number]): string => {
  const x = state.x as number;
  return `${x === 1 || x === 3 ? 'p' : ''}${x >= 2 ? 'q' : ''}.`;
};
const callOf = ({ action }: Trace['steps'][number]): string =>
  nameOf(action?.name ?? '', action?.arguments as Given);

/** The call as the chain's predicates tell it: `p` is certain of `send` to a, open of `act`, which x decides too, and false of others. */
const chainCall = (tool: string, { to }: Given): string => {
  if (tool === 'send') return to === 'a' ? 'send a' : 'send';
  return tool === 'act' ? 'act' : 'other';
};
const chainState = ({ state, action }: Trace['steps'][number]): string => {
  const x = state.x as number;
  const isP =
    chainCall(action?.name ?? '', action?.arguments as Given) === 'send a' ||
    (action?.name === 'act' && x === 1);
  return `${isP ? 'p' : ''}${x >= 2 ? 'q' : ''}${action?.name === 'send' ? 's' : ''}.`;
};
const isOfCall = (state: string, call: string): boolean => {
  if (state.includes('s') !== call.startsWith('send')) return false;
  return call === 'act' || p(state) === (call === 'send a');
};

function exactOf(sequences: readonly (readonly SmallCalled[])[], model: SmallModel, rule: SmallRule) {
  const of = (broken: number, kept: number, unknown: number) =>
    greatest(sequences, model, rule, { broken, kept, unknown });
  return {
    lower: new Rational(1n).minus(of(0, 1, 1)),
    upper: of(1, 0, 1),
    recorded: of(1, 0, 0),
    unknown: of(0, 0, 1),
  };
}

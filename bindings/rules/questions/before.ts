import { NotSupportedError } from '../../base/errors.js';
import type { ComparedTrace } from '../../languages/automaton/compare/index.js';
import type { Formula } from '../../languages/logic/index.js';
import type { BeforeAnswer, Landmark } from './answers.js';
import type { Beliefs, Reading } from './beliefs.js';
import { continuation } from './continuations.js';
import type { CallJudge } from './judge.js';
import type { Knowledge } from './knowledge.js';
import type { SearchLimits } from './limits.js';
import { all, atLast, eventually, literal, literalsOf, onlyAtLast } from './literals.js';
import { type AskedCall, callText, type Moves } from './moves.js';
import { type Place, PlanGraph } from './plans.js';
import { nothing, readStep, type Situation } from './run.js';
import { listed, sayRun } from './words.js';

/** What answers are found with. */
export interface AskParts {
  readonly knowledge: Knowledge;
  readonly beliefs: Beliefs;
  readonly judge: CallJudge;
  /** Null if no calls are declared. */
  readonly moves: Moves | null;
  readonly limits: SearchLimits;
}

/** What is wanted: a call, or that predicates hold. */
export type Wanted =
  | { readonly call: AskedCall }
  | { readonly said: string; readonly holds: readonly Landmark[] };

/** What has to happen before something is allowed: by the declared calls, or, without any, by whatever may come to hold. */
export function beforeAnswer(parts: AskParts, situation: Situation, wanted: Wanted): BeforeAnswer {
  const { moves } = parts;
  if (moves !== null && moves.calls.length > 0) return byCalls({ ...parts, moves }, situation, wanted);
  return byFacts(parts, situation, wanted);
}

/** Whether a place is one where the wanted call is allowed, or the wanted predicates hold. */
export function goalOf({ judge, knowledge }: AskParts, wanted: Wanted): (place: Situation) => boolean {
  if ('call' in wanted)
    return (place) => {
      const { verdict, possible } = judge.judge(place, wanted.call);
      return verdict === 'kept' && possible === true;
    };
  const places = wanted.holds.map(({ predicate, holds }) => [knowledge.placeOf(predicate), holds] as const);
  return ({ now }) => places.every(([i, holds]) => valueAt(now, i) === holds);
}

function byCalls(
  parts: AskParts & { readonly moves: Moves },
  situation: Situation,
  wanted: Wanted,
): BeforeAnswer {
  const graph = new PlanGraph(parts, situation);
  const isGoal = goalOf(parts, wanted);
  const goal = graph.find(isGoal);
  if (goal === null) return answered(parts, situation, wanted, graph.isCut ? 'undecided' : 'never', {});
  const plan = goal.calls;
  if (plan.length === 0) return answered(parts, situation, wanted, 'now', { plan, steps: 0 });
  const isNeeded = (avoids: {
    place?: (place: Place) => boolean;
    call?: (call: AskedCall) => boolean;
  }): boolean => graph.find(isGoal, avoids) === null && !graph.isCut;
  const landmarks = factsAlong(parts, graph, plan, situation).filter(({ predicate, holds }) => {
    const i = parts.knowledge.placeOf(predicate);
    return isNeeded({ place: ({ now }) => valueAt(now, i) === holds });
  });
  const names = new Map(plan.map((call) => [callText(call), call]));
  const calls = [...names]
    .filter(([text]) => isNeeded({ call: (call) => callText(call) === text }))
    .map(([, call]) => call);
  return answered(parts, situation, wanted, 'later', { plan, steps: plan.length, landmarks, calls });
}

/** What comes to hold, or ceases to, along a plan: only that can be on every way. */
function factsAlong(
  { knowledge }: AskParts,
  graph: PlanGraph,
  plan: readonly AskedCall[],
  { now }: Situation,
): Landmark[] {
  const found = new Map<string, Landmark>();
  let n = 0;
  for (const call of plan) {
    const way = graph.ways(n).find((one) => one.call === call);
    const next = way?.to[0];
    if (next === undefined) break;
    n = next;
    const read = graph.places[n].now;
    knowledge.predicates.forEach((predicate, i) => {
      const holds = valueAt(read, i);
      if (holds === undefined || holds === valueAt(now, i)) return;
      found.set(`${predicate} ${holds}`, { predicate, holds, said: knowledge.say(predicate, holds) });
    });
  }
  return [...found.values()];
}

/** By whatever may be read: the shortest run whose last step has the call. */
function byFacts(parts: AskParts, situation: Situation, wanted: Wanted): BeforeAnswer {
  const { knowledge, beliefs, judge } = parts;
  const isNow =
    'call' in wanted
      ? judge.judge(situation, wanted.call).verdict === 'kept'
      : goalOf(parts, wanted)(situation);
  if (isNow) return answered(parts, situation, wanted, 'now', { steps: 0 });
  const last =
    'call' in wanted
      ? literalsOf(readCall(knowledge, wanted.call), knowledge.predicates, readBy(beliefs))
      : wanted.holds.map(({ predicate, holds }) => literal(predicate, holds));
  try {
    const search = (further: Parameters<typeof continuation>[4] = []) =>
      continuation(parts, situation, situation.tuples, 'unbroken', [atLast(all(last)), ...further]);
    let found = search();
    // Each rule can still be kept there, but not all of them: then a run is looked for that keeps them to its end.
    if (found !== null && !isSoundAlong(parts, situation, found)) {
      const kept = continuation(parts, situation, situation.tuples, 'ends', [eventually(all(last))]);
      found = kept === null ? null : kept.slice(0, firstWith(parts, kept, last) + 1);
    }
    if (found === null) return answered(parts, situation, wanted, 'never', {});
    const run = found.slice(0, -1);
    const names = new Set(run.flatMap((step) => Object.keys(step).filter((name) => step[name])));
    const landmarks = [...names]
      .filter((name) => valueAt(situation.now, knowledge.placeOf(name)) !== true)
      .filter((name) => search([onlyAtLast(literal(name, true))]) === null)
      .map((predicate) => ({ predicate, holds: true, said: knowledge.say(predicate, true) }));
    return answered(parts, situation, wanted, 'later', { run, steps: run.length, landmarks });
  } catch (error) {
    if (!(error instanceof NotSupportedError)) throw error;
    return answered(parts, situation, wanted, 'undecided', {});
  }
}

/** Whether all rules can be kept together after a run. */
function isSoundAlong({ knowledge, beliefs }: AskParts, situation: Situation, run: ComparedTrace): boolean {
  let tuples = situation.tuples;
  for (const step of run) tuples = beliefs.after(tuples, readingOf(knowledge, step));
  return tuples.some((tuple) => beliefs.isSound(tuple, situation));
}

function readingOf(knowledge: Knowledge, step: ComparedTrace[number]): Reading {
  const reading = nothing(knowledge);
  for (const [name, holds] of Object.entries(step)) {
    const i = knowledge.placeOf(name);
    reading.known[i >>> 5] |= 1 << (i & 31);
    if (holds) reading.valuation[i >>> 5] |= 1 << (i & 31);
  }
  return reading;
}

/** The first step at which all literals hold. */
function firstWith({ knowledge }: AskParts, run: ComparedTrace, literals: readonly Formula[]): number {
  return run.findIndex((step) =>
    literals.every((one) => {
      const [name, holds] =
        one.kind === 'not' && one.operand.kind === 'predicate'
          ? [one.operand.name, false]
          : [one.kind === 'predicate' ? one.name : '', true];
      return valueAt(readingOf(knowledge, step), knowledge.placeOf(name)) === holds;
    }),
  );
}

/** The predicates that the rules and the assumptions read. */
function readBy({ tracks }: Beliefs): ReadonlySet<string> {
  return new Set(tracks.flatMap(({ automaton }) => automaton.predicates));
}

function readCall(knowledge: Knowledge, call: AskedCall): Reading {
  return readStep(knowledge, null, { action: { name: call.name, arguments: call.arguments ?? {} } });
}

export function valueAt({ valuation, known }: Reading, i: number): boolean | undefined {
  const bit = 1 << (i & 31);
  return (known[i >>> 5] & bit) === 0 ? undefined : (valuation[i >>> 5] & bit) !== 0;
}

function answered(
  { knowledge, moves }: AskParts,
  { step }: Situation,
  wanted: Wanted,
  answer: BeforeAnswer['answer'],
  found: Partial<Pick<BeforeAnswer, 'plan' | 'run' | 'steps' | 'landmarks' | 'calls'>>,
): BeforeAnswer {
  const { plan = null, run = null, steps = null, landmarks = [], calls = [] } = found;
  const [what, isAllowed] =
    'call' in wanted
      ? [callText(wanted.call), `${callText(wanted.call)} is allowed`]
      : [wanted.said, `it is allowed ${wanted.said}`];
  const by = moves === null || moves.calls.length === 0 ? 'whatever happens' : 'by the declared calls';
  const every = [...landmarks.map(({ said }) => said), ...calls.map((call) => callText(call))];
  const always = every.length === 0 ? '' : `\nOn every way: ${listed(every)}.`;
  const text = {
    now: `Nothing: ${isAllowed} now.`,
    never: `Never: ${what} cannot be allowed any more in this run, ${by}.`,
    undecided: `Not decided how ${isAllowed}: the search was given up.`,
    later:
      plan === null
        ? `The shortest way takes ${counted(steps ?? 0)}: ${sayRun(knowledge, run ?? [], step)}; then ${isAllowed}.${always}`
        : `The shortest way: ${listed(plan.map(callText), 'then')}; then ${isAllowed}.${always}`,
  }[answer];
  return {
    kind: 'before',
    wanted: 'call' in wanted ? wanted.call : wanted.said,
    answer,
    plan: answer === 'now' ? (plan ?? null) : plan,
    run,
    steps,
    landmarks,
    calls,
    text,
  };
}

function counted(steps: number): string {
  return steps === 1 ? '1 step' : `${steps} steps`;
}

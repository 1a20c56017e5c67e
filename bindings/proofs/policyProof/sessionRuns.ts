import { type Automaton, SATISFIED } from '../../languages/automaton/index.js';
import { compileCondition, type Evaluate, type Expression } from '../../languages/expression/index.js';
import { ToolHistory } from '../../observations/trace/index.js';
import { PolicyDecider, type PolicySet } from '../../runtime/policy/index.js';
import type { Assignment } from '../../solvers/decide/index.js';
import { CallSteps, isBroken, type Past, type StepKind } from './callSteps.js';

/** A call of a session that policies permit, in a state of the world. */
export interface SessionCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the world showed before it, beside what follows from the calls. */
  readonly state: Readonly<Record<string, unknown>>;
}

/** Whether calls that policies permit, one after another, can break something. */
export type RunsAnswer =
  /** `by`: the policies without which they could. */
  | { readonly kind: 'never'; readonly by: readonly string[] }
  /** Calls that were run through the policies, as few as were found. */
  | { readonly kind: 'broken'; readonly calls: readonly SessionCall[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/** What is asked of runs. */
export interface RunsQuestion {
  readonly automaton: Automaton;
  /** The automaton's predicates over steps, by name. */
  readonly predicates: ReadonlyMap<string, Expression>;
  /** Whether a run may end anywhere, and is then judged as it stands; else only what is broken for good counts. */
  readonly judgesEnd: boolean;
  /** Whether a run has steps without a call, which may break it as well. */
  readonly idle: boolean;
}

/** Most situations that are looked at: a state of the automaton with what is known of the calls so far. */
const MOST_SITUATIONS = 2000;

interface Situation extends Past {
  readonly q: number;
  readonly from: Situation | null;
  readonly call: SessionCall | null;
}

/** A name for the tool that nothing names. */
const ANOTHER = 'another_tool';

/**
 * Follows the calls that policies permit, from the beginning of a session, as far as they can be told apart: by the state of the automaton, how often each tool
 * was called that is counted, and the tool called last. All else that policies read of the state may be anything at each call.
 */
export class SessionRuns {
  readonly #set: PolicySet;
  readonly #question: RunsQuestion;
  readonly #steps: CallSteps;
  #reason: string | null = null;

  constructor(
    set: PolicySet,
    question: RunsQuestion,
    options: { readonly steps: number; readonly recheck: boolean },
  ) {
    this.#set = set;
    this.#question = question;
    const { automaton, predicates, idle } = question;
    this.#steps = new CallSteps(set, automaton, predicates, { ...options, idle });
  }

  /** @param provesOnly whether no calls are looked for that break it */
  answer(provesOnly = false): RunsAnswer {
    const by = new Set<string>();
    const mayBreak = this.#explore((at, kind, target) => {
      const isLeading = this.#mayLead(at, kind, target);
      if (!isLeading && this.#isBroken(target)) this.#credit(by, at, kind, target);
      return isLeading ? { call: null } : null;
    });
    if (mayBreak === null) return { kind: 'never', by: [...by] };
    if (mayBreak === 'tooMany')
      return { kind: 'unknown', reason: `there are more than ${MOST_SITUATIONS} situations to look at` };
    const found = provesOnly ? null : this.#explore((at, kind, target) => this.#leads(at, kind, target));
    if (found !== null && found !== 'tooMany') {
      const calls = callsTo(found);
      const isRun = this.#breaks(calls);
      if (isRun) return { kind: 'broken', calls };
      this.#reason ??= `the calls that were found do not break it when they are run: ${JSON.stringify(calls)}`;
    }
    return { kind: 'unknown', reason: this.#why() };
  }

  /** The first situation in which the question's automaton is broken; null if there is none. */
  #explore(
    step: (at: Situation, kind: StepKind, target: number) => { readonly call: SessionCall | null } | null,
  ): Situation | 'tooMany' | null {
    const { automaton } = this.#question;
    const { counters, kinds, readsLast } = this.#steps;
    const first: Situation = {
      q: automaton.initial,
      counts: counters.map(() => 0),
      last: readsLast ? '' : null,
      from: null,
      call: null,
    };
    const seen = new Set<string>();
    const open = [first];
    for (const at of open) {
      for (const kind of kinds)
        for (const target of this.#steps.targets(at.q)) {
          const found = step(at, kind, target);
          if (found === null) continue;
          const next: Situation = { q: target, ...this.#after(at, kind), from: at, call: found.call };
          if (this.#isBroken(target)) return next;
          if (automaton.verdict[target] === SATISFIED) continue;
          const key = JSON.stringify([
            next.q,
            next.counts.map((n, i) => Math.min(n, counters[i].most)),
            next.last,
          ]);
          if (seen.has(key)) continue;
          seen.add(key);
          if (seen.size > MOST_SITUATIONS) return 'tooMany';
          open.push(next);
        }
    }
    return null;
  }

  #isBroken(q: number): boolean {
    return isBroken(this.#question.automaton, q, this.#question.judgesEnd);
  }

  #after({ counts, last }: Past, kind: StepKind): Past {
    if (kind === 'idle') return { counts, last };
    const { counters, readsLast } = this.#steps;
    return {
      counts: counts.map((n, i) => (counters[i].tool === kind.call ? n + 1 : n)),
      last: readsLast ? kind.call : null,
    };
  }

  /** Whether a step may lead there, as far as anybody knows. */
  #mayLead(at: Situation, kind: StepKind, target: number): boolean {
    const { counters } = this.#steps;
    const past = { ...at, counts: at.counts.map((n, i) => Math.min(n, counters[i].most)) };
    const answer = this.#steps.find(kind, at.q, target, past, { isExact: false, isPermitted: true });
    if (answer.kind === 'unknown') this.#reason ??= answer.reason;
    return answer.kind !== 'none';
  }

  /** A call that leads there. */
  #leads(at: Situation, kind: StepKind, target: number): { readonly call: SessionCall } | null {
    if (kind === 'idle') return null;
    const answer = this.#steps.find(kind, at.q, target, at, { isExact: true, isPermitted: true });
    if (answer.kind === 'unknown') this.#reason ??= answer.reason;
    return answer.kind === 'some' ? { call: this.#callOf(kind.call, answer.input) } : null;
  }

  /** Names the policies that keep a step from leading there. */
  #credit(by: Set<string>, at: Situation, kind: StepKind, target: number): void {
    if (kind === 'idle' || kind.call === null) return;
    const own = this.#set.policies.filter(({ tools }) => tools.includes(kind.call as string));
    if (own.every(({ name }) => by.has(name))) return;
    const without = this.#steps.find(kind, at.q, target, at, { isExact: true, isPermitted: false });
    if (without.kind !== 'none') for (const { name } of own) by.add(name);
  }

  /** The call and the state that have these inputs. */
  #callOf(tool: string | null, input: Assignment): SessionCall {
    const step = { action: { arguments: {} }, state: {} };
    for (const { name, from } of this.#set.inputs) {
      const value = input[name];
      if (value === undefined || value === null || from === 'action.name') continue;
      const path = from.split('.');
      let object: Record<string, unknown> = step;
      for (const field of path.slice(0, -1)) object = (object[field] ??= {}) as Record<string, unknown>;
      object[path[path.length - 1]] = value;
    }
    const derived = new ToolHistory([]).state();
    const state = Object.fromEntries(
      Object.entries(step.state).filter(([field]) => !Object.hasOwn(derived, field)),
    );
    return { name: tool ?? ANOTHER, arguments: step.action.arguments, state };
  }

  /** Runs the calls: whether policies permit each, and together they break what was asked, whatever a predicate is that cannot be read. */
  #breaks(calls: readonly SessionCall[]): boolean {
    const { automaton, predicates } = this.#question;
    const decider = new PolicyDecider(this.#set);
    const named = [
      ...this.#set.policies.flatMap(({ tools }) => tools),
      ...this.#steps.counters.map(({ tool }) => tool),
    ];
    const history = new ToolHistory([...new Set([...named, ...calls.map(({ name }) => name)])]);
    const evaluate = new Map(
      [...predicates].map(([name, parsed]): [string, Evaluate<boolean>] => [
        name,
        compileCondition(parsed, name),
      ]),
    );
    let possible = new Set([automaton.initial]);
    for (const call of calls) {
      const state = { ...call.state, ...history.state() };
      if (decider.denial(call, state) !== null) return false;
      const value = (name: string): boolean | null => {
        try {
          return evaluate.get(name)!(state, { action: call });
        } catch {
          return null;
        }
      };
      possible = new Set([...possible].flatMap((q) => nextStates(automaton, q, value)));
      history.record(call, { result: null });
    }
    return [...possible].every((q) => this.#isBroken(q));
  }

  #why(): string {
    const { free } = this.#steps;
    const reads =
      free.length === 0
        ? []
        : [
            `policies see nothing of what ${free.map((name) => `"${name}"`).join(', ')} read: declare an input for it`,
          ];
    const found = this.#reason === null ? [] : [this.#reason];
    const why = [...found, ...reads];
    return why.length > 0
      ? why.join('; ')
      : 'calls may break it as far as the decider can tell, and none were found that do when they are run';
  }
}

/** The states that an automaton may be in after a step of which some predicates have no value. */
function nextStates(
  { roots, nodes, predicates }: Automaton,
  q: number,
  value: (name: string) => boolean | null,
): number[] {
  const visit = (reference: number): number[] => {
    if (reference < 0) return [-1 - reference];
    const found = value(predicates[nodes[3 * reference]]);
    const [no, yes] = [nodes[3 * reference + 1], nodes[3 * reference + 2]];
    if (found === null) return [...visit(no), ...visit(yes)];
    return visit(found ? yes : no);
  };
  return visit(roots[q]);
}

function callsTo(last: Situation): SessionCall[] {
  const calls: SessionCall[] = [];
  for (let at: Situation | null = last; at !== null; at = at.from)
    if (at.call !== null) calls.unshift(at.call);
  return calls;
}

import { type AgentRole, type CallRole, type DecisionRole, type Role, roleOf } from './openTelemetryRoles.js';
import type { Span } from './openTelemetrySpan.js';
import { ToolHistory } from './toolHistory.js';
import type { Step, Trace } from './trace.js';

/** How spans become runs. */
export interface SpanRunOptions {
  /** A run is what happens under one span of an agent (default), or all that agents do in one conversation. */
  runs?: 'agent' | 'conversation';
  /** Only runs of agents of these names. Default: all. */
  agents?: readonly string[];
  /** Tools beside those that spans list or call, so that `calls` and `failures` have an entry for each. Default: none. */
  tools?: readonly string[];
  /** Further fields of every state: `{ field: 'attribute' }` of the agent's span, or of the resource that emitted it; absent, and said so in `notRecorded`, where neither has it. */
  attributes?: Readonly<Record<string, string>>;
}

interface Node {
  readonly role: Role;
  /** Key of the span above; empty where there is none. */
  readonly parent: string;
}

interface Run {
  readonly key: string;
  readonly agents: AgentRole[];
  readonly calls: CallRole[];
}

/**
 * Gathers spans in any order, since children end before what is above them and are exported first, and then makes runs of them. Of each span only what
 * runs are made of is kept: prompts and messages are not.
 */
export class SpanRuns {
  readonly #options: SpanRunOptions;
  readonly #nodes = new Map<string, Node>();
  readonly #tools: Set<string>;
  readonly #runs = new Map<string, Run>();
  /** By the key of a run that spans are missing from: when the first call began that may be its own, or another's; null where all are known to be its own. */
  readonly #lossy = new Map<string, bigint | null>();
  /** The nearest agent or call at or above a span, as far as it was asked for. */
  readonly #owners = new Map<string, AgentRole | CallRole | undefined>();
  /** Of calls, for notes: without an agent above, below a missing span but taken for an agent's, without arguments, without a result, and begun before an earlier one had ended or at the same tick as one. */
  readonly counts = {
    calls: 0,
    withoutAgent: 0,
    reattached: 0,
    withoutArguments: 0,
    withoutResult: 0,
    overlapping: 0,
  };

  constructor(options: SpanRunOptions) {
    this.#options = options;
    this.#tools = new Set(options.tools);
  }

  /** Takes in a span; one that came before, such as an export tried again, is replaced. */
  add(span: Span): void {
    const parent = span.parent === '' ? '' : `${span.trace}-${span.parent}`;
    this.#nodes.set(`${span.trace}-${span.id}`, {
      role: roleOf(span, this.#options.attributes ?? {}),
      parent,
    });
  }

  /** Makes the runs, once all spans are there; by their start. */
  traces(): Trace[] {
    this.#gather();
    const tools = [...this.#tools].sort();
    const { agents } = this.#options;
    return [...this.#runs.values()]
      .filter((run) => agents === undefined || run.agents.some(({ name }) => agents.includes(String(name))))
      .map((run) => ({ run, start: earliest([...run.agents, ...run.calls]) }))
      .sort((a, b) => compare(a.start, b.start))
      .map(({ run }) => this.#trace(run, tools));
  }

  #gather(): void {
    const decisions = this.#decisions();
    const delegating = new Set<AgentRole>();
    const agents: AgentRole[] = [];
    const orphans: CallRole[] = [];
    for (const { role, parent } of this.#nodes.values()) {
      if (role.role === 'agent') {
        agents.push(role);
        for (const tool of role.tools) this.#tools.add(tool);
        const above = this.#owner(parent);
        if (above?.role === 'agent') delegating.add(above);
      } else if (role.role === 'call') {
        const above = this.#owner(parent);
        // What a tool calls itself, and what a server tells of the same call again, is no action of the agent.
        if (above?.role === 'call') continue;
        const call = carriedOut(role, decisions.get(role));
        if (call === undefined) continue;
        this.#tools.add(call.tool);
        if (above !== undefined) this.#runOf(this.#key(above)).calls.push(call);
        else if (this.#lacksParent(parent)) orphans.push(call);
        else this.#withoutAgent(call);
      }
    }
    this.#place(orphans, agents);
    // An agent that calls nothing itself and has others under it only hands on.
    for (const agent of agents) {
      const key = this.#key(agent);
      if (!delegating.has(agent) || this.#runs.has(key)) this.#runOf(key).agents.push(agent);
    }
  }

  /** A call without an agent belongs to its conversation, or else to its trace. */
  #withoutAgent(call: CallRole): void {
    this.#runOf(CONVERSATION + (call.conversation || call.trace)).calls.push(call);
  }

  /**
   * Calls below a span that is missing are those of the one agent of their trace that was at work when they began. Where several were, the runs of all end
   * there: what follows in them may lack the call.
   */
  #place(orphans: readonly CallRole[], agents: readonly AgentRole[]): void {
    const byTrace = new Map<string, AgentRole[]>();
    for (const agent of orphans.length > 0 ? agents : []) {
      const others = byTrace.get(agent.trace);
      if (others === undefined) byTrace.set(agent.trace, [agent]);
      else others.push(agent);
    }
    for (const call of orphans) {
      const { start } = call;
      const atWork = (byTrace.get(call.trace) ?? []).filter(
        (agent) => agent.start <= start && (agent.end === 0n || start <= agent.end),
      );
      const [key, ...others] = new Set(atWork.map((agent) => this.#key(agent)));
      if (key !== undefined && others.length === 0) {
        this.#runOf(key).calls.push(call);
        this.#lossy.set(key, this.#lossy.get(key) ?? null);
        this.counts.reattached++;
        continue;
      }
      for (const one of key === undefined ? [] : [key, ...others]) {
        const before = this.#lossy.get(one) ?? start;
        this.#lossy.set(one, start < before ? start : before);
      }
      this.#withoutAgent(call);
    }
  }

  /** Whether a span at or above this one is missing. */
  #lacksParent(from: string): boolean {
    const passed = new Set<string>();
    for (let key = from; key !== '' && !passed.has(key); key = this.#nodes.get(key)!.parent) {
      if (!this.#nodes.has(key)) return true;
      passed.add(key);
    }
    return false;
  }

  /**
   * The last decision on each call, by its id; without ids, on the call that was running. All calls of a turn are decided before the first runs, so that what was
   * running while one was decided may be another.
   */
  #decisions(): Map<CallRole, DecisionRole> {
    const calls = new Map<string, CallRole>();
    for (const { role } of this.#nodes.values()) {
      if (role.role === 'call' && role.id !== '') calls.set(`${role.trace}-${role.id}`, role);
    }
    const decisions = new Map<CallRole, DecisionRole>();
    for (const { role, parent } of this.#nodes.values()) {
      if (role.role !== 'decision') continue;
      const above = this.#owner(parent);
      const running =
        above?.role === 'call' && above.id === '' && above.tool === role.tool ? above : undefined;
      const call = calls.get(`${role.trace}-${role.id}`) ?? running;
      const before = call && decisions.get(call);
      if (call !== undefined && (before === undefined || role.start >= before.start))
        decisions.set(call, role);
    }
    return decisions;
  }

  /** The nearest agent or call at or above a span; undefined where there is none, or where spans are above each other in a circle. */
  #owner(from: string): AgentRole | CallRole | undefined {
    const passed: string[] = [];
    let owner: AgentRole | CallRole | undefined;
    for (let key = from; key !== ''; ) {
      if (this.#owners.has(key)) {
        owner = this.#owners.get(key);
        break;
      }
      passed.push(key);
      this.#owners.set(key, undefined);
      const node = this.#nodes.get(key);
      if (node?.role.role === 'agent' || node?.role.role === 'call') {
        owner = node.role;
        break;
      }
      key = node?.parent ?? '';
    }
    for (const key of passed) this.#owners.set(key, owner);
    return owner;
  }

  #key({ id, conversation }: AgentRole): string {
    return this.#options.runs === 'conversation' && conversation !== '' ? CONVERSATION + conversation : id;
  }

  #runOf(key: string): Run {
    let run = this.#runs.get(key);
    if (run === undefined) {
      run = { key, agents: [], calls: [] };
      this.#runs.set(key, run);
    }
    return run;
  }

  #trace({ key, agents, calls: recorded }: Run, tools: readonly string[]): Trace {
    const { counts } = this;
    const id = key.replace(CONVERSATION, '');
    const lossyFrom = this.#lossy.get(key) ?? null;
    const calls = lossyFrom === null ? recorded : recorded.filter(({ start }) => start < lossyFrom);
    agents.sort((a, b) => compare(a.start, b.start));
    // Of calls that began at the same time, as of all in a millisecond with some SDKs, those come first that the file has first, as they ended.
    calls.sort((a, b) => compare(a.start, b.start));
    const { fields, notRecorded } = this.#attributes(agents[0]?.fields ?? {});
    const history = new ToolHistory(tools);
    const steps: Step[] = [];
    /** What the call before this step lacks: nothing stands in for it. */
    let lacking: Lacking = {};
    const without = { lastArguments: 0, lastResult: 0 };
    const run = (complete: boolean): Trace => {
      for (const field of ['lastArguments', 'lastResult'] as const)
        if (without[field] > 0)
          notRecorded[field] =
            `${without[field]} of ${calls.length} calls have no ${NAMES[field]} recorded, or none that can be read`;
      if (without.lastArguments > 0) notRecorded['action.arguments'] = notRecorded.lastArguments;
      return { id, complete, ...(Object.keys(notRecorded).length > 0 && { notRecorded }), steps };
    };
    const stateNow = (): Record<string, unknown> => {
      const state: Record<string, unknown> = { ...fields, ...history.state() };
      if (lacking.arguments) delete state.lastArguments;
      if (lacking.result) delete state.lastResult;
      return state;
    };
    let last = earliest([...agents, ...calls]);
    let begun: bigint | null = null;
    for (const { tool: name, arguments: given, result, start, end, failed } of calls) {
      counts.calls++;
      if (agents.length === 0) counts.withoutAgent++;
      // Of two that begin at the same tick of the clock nobody knows which came first.
      if (start < last || start === begun) counts.overlapping++;
      begun = start;
      const action = given === undefined ? { name } : { name, arguments: given };
      steps.push({ state: stateNow(), action, time: seconds(start) });
      history.record(action, failed ? { error: undefined } : { result });
      const read = history.state();
      lacking = {
        arguments: given === undefined,
        result: (result === undefined && !failed) || !('lastResult' in read),
      };
      if (lacking.arguments) counts.withoutArguments++;
      if (lacking.result) counts.withoutResult++;
      without.lastArguments += Number(lacking.arguments);
      without.lastResult += Number(lacking.result);
      // What came of it is not known, nor what the world was like when later ones began.
      if (end === 0n) return run(false);
      for (const time of [start, end]) if (time > last) last = time;
    }
    steps.push({ state: stateNow(), time: seconds(last) });
    return run(agents.length > 0 && !this.#lossy.has(key) && agents.every(({ complete }) => complete));
  }

  /** The attributes that were asked for, as far as the run has them, and why it lacks the others. */
  #attributes(found: Readonly<Record<string, unknown>>): {
    fields: Record<string, unknown>;
    notRecorded: Record<string, string>;
  } {
    const asked = Object.entries(this.#options.attributes ?? {});
    const told = asked.filter(([field]) => found[field] !== undefined && found[field] !== null);
    const lacking = asked.filter(([field]) => found[field] === undefined || found[field] === null);
    return {
      fields: Object.fromEntries(told.map(([field]) => [field, found[field]])),
      notRecorded: Object.fromEntries(
        lacking.map(([field, attribute]) => [field, `no attribute ${attribute}`]),
      ),
    };
  }
}

/** What a call is recorded without. */
interface Lacking {
  readonly arguments?: boolean;
  readonly result?: boolean;
}

const NAMES = { lastArguments: 'arguments', lastResult: 'result' } as const;

/** Begins the keys of runs that are no agent's. */
const CONVERSATION = 'conversation ';

/** The call as a guard let it be; undefined where it was withheld. What a replacement is called with is not recorded. */
function carriedOut(call: CallRole, decision: DecisionRole | undefined): CallRole | undefined {
  if (decision === undefined || decision.runs === call.tool) return call;
  return decision.runs === '' ? undefined : { ...call, tool: decision.runs, arguments: undefined };
}

function earliest(spans: readonly { readonly start: bigint }[]): bigint {
  return spans.reduce((first, { start }) => (start < first ? start : first), spans[0].start);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function seconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e9;
}

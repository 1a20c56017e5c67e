import {
  type AgentRole,
  type CallRole,
  type DecisionRole,
  type Role,
  roleOf,
  type SpanPrincipal,
} from './openTelemetryRoles.js';
import type { Span } from './openTelemetrySpan.js';
import { beside, ToolHistory } from './toolHistory.js';
import type { Step, Trace } from './trace.js';

/** Options for grouping spans into runs. */
export interface SpanRunOptions {
  /** A run is everything under one span of an agent (default), or everything that agents do in one conversation. */
  runs?: 'agent' | 'conversation';
  /** Names of the agents whose runs are read. Default: all. */
  agents?: readonly string[];
  /** Further tools for which `calls` and `failures` get an entry, in addition to those that spans list or call. Default: none. */
  tools?: readonly string[];
  /**
   * Further fields of every state: `{ field: 'attribute' }` of the agent's span, or of the resource that emitted it. If neither has the
   * attribute, the field is absent and listed in `notRecorded`.
   */
  attributes?: Readonly<Record<string, string>>;
}

interface Node {
  readonly role: Role;
  /** Key of the parent span; empty if there is none. */
  readonly parent: string;
}

interface Run {
  readonly key: string;
  readonly agents: AgentRole[];
  readonly calls: CallRole[];
}

/**
 * Collects spans in any order, since children end before their parents and are exported first, and then makes runs of them. Only the parts
 * of a span that runs are made of are kept: prompts and messages are not.
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

  /** Adds a span. A span that was added before, as by a retried export, is replaced. */
  add(span: Span): void {
    const parent = span.parent === '' ? '' : `${span.trace}-${span.parent}`;
    this.#nodes.set(`${span.trace}-${span.id}`, {
      role: roleOf(span, this.#options.attributes ?? {}),
      parent,
    });
  }

  /** Makes the runs, ordered by start, once all spans have been added. */
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
        // A call that a tool makes itself, or that a server reports again, is not an action of the agent.
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
   * The last decision on each call, matched by id or, without ids, by the call that was running. Ids come first because all calls of a turn
   * are decided before the first runs, so another call may have been running during the decision.
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

  /** The nearest agent or call at or above a span; undefined if there is none, or if the parent links form a cycle. */
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
    // Calls that began at the same time (some SDKs only record milliseconds) keep the order of the file, which is the order in which they ended.
    calls.sort((a, b) => compare(a.start, b.start));
    const asked = this.#attributes(agents[0]?.fields ?? {});
    const { principal, lacking: untold } = principalOfRun(agents);
    const fields = { ...(principal && { principal }), ...asked.fields };
    // An attribute that is read as the principal takes its place.
    const isAsked = Object.hasOwn(this.#options.attributes ?? {}, 'principal');
    const notRecorded = { ...(!isAsked && untold), ...asked.notRecorded };
    const history = new ToolHistory(tools);
    const steps: Step[] = [];
    /** The fields that the call before this step lacks; no default replaces them. */
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
      const state = beside(fields, history.state());
      if (lacking.arguments) delete state.lastArguments;
      if (lacking.result) delete state.lastResult;
      return state;
    };
    let last = earliest([...agents, ...calls]);
    let begun: bigint | null = null;
    for (const { tool: name, arguments: given, result, start, end, failed } of calls) {
      counts.calls++;
      if (agents.length === 0) counts.withoutAgent++;
      // The order of two calls that begin at the same clock tick is unknown.
      if (start < last || start === begun) counts.overlapping++;
      begun = start;
      const action = given === undefined ? { name } : { name, arguments: given };
      steps.push({ state: stateNow(), action, time: seconds(start) });
      history.record(action, failed ? { error: undefined } : { result }, {
        ...(end !== 0n && { time: seconds(end) }),
        without: given === undefined ? ['arguments'] : [],
      });
      const read = history.state();
      lacking = {
        arguments: given === undefined,
        result: (result === undefined && !failed) || !('lastResult' in read),
      };
      if (lacking.arguments) counts.withoutArguments++;
      if (lacking.result) counts.withoutResult++;
      without.lastArguments += Number(lacking.arguments);
      without.lastResult += Number(lacking.result);
      // The outcome of this call is unknown, and so is the state in which later calls began.
      if (end === 0n) return run(false);
      for (const time of [start, end]) if (time > last) last = time;
    }
    steps.push({ state: stateNow(), time: seconds(last) });
    return run(agents.length > 0 && !this.#lossy.has(key) && agents.every(({ complete }) => complete));
  }

  /** The requested attributes that the run has, and the reason why it lacks each of the others. */
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

/** Who is asking in a run, and why fields of it are not told. */
function principalOfRun(agents: readonly AgentRole[]): {
  readonly principal: SpanPrincipal | null;
  readonly lacking: Readonly<Record<string, string>>;
} {
  const [principal = null, ...others] = agents.map((agent) => agent.principal);
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(principal)))
    return { principal: null, lacking: { principal: 'spans of the run name different users' } };
  if (principal === null) return { principal, lacking: { principal: 'no attribute user.id or enduser.id' } };
  return {
    principal,
    lacking: {
      ...(principal.roles === undefined && { 'principal.roles': 'no attribute user.roles or enduser.role' }),
      'principal.tenant': 'no attribute tells it',
    },
  };
}

/** The fields that the recording of a call lacks. */
interface Lacking {
  readonly arguments?: boolean;
  readonly result?: boolean;
}

const NAMES = { lastArguments: 'arguments', lastResult: 'result' } as const;

/** Prefix of the keys of runs that belong to no agent. */
const CONVERSATION = 'conversation ';

/** The call after the guard's decision; undefined if it was withheld. The arguments of a replacement are not recorded. */
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

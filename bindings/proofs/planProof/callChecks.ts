import type {
  ArgumentContract,
  Condition,
  Contracts,
  FlowRule,
  ReaderTerm,
  ToolContract,
} from '../contract/index.js';
import type { Flows } from './flows.js';
import type { Issue } from './issues.js';
import { AUTHOR, join, type Label } from './label.js';
import { whole } from './labels.js';
import type { Proof, Prover } from './prover.js';
import { isResolvable, type ReaderChecks, type ReaderSet, resolveReaders } from './readers.js';
import { constantOf, folded, instantiate, type Term, termOf } from './terms.js';
import type { Abstract } from './values.js';
import { list, printed, quoted } from './words.js';

/** Longest value that an advice spells out. */
const MOST_SHOWN = 80;

/** A call of a plan, with what is known where it is made. */
export interface Call {
  readonly step: string;
  readonly tool: ToolContract;
  readonly given: ReadonlyMap<string, Abstract>;
  /** The label of what decides that the call is made; bottom where that is not looked at. */
  readonly pc: Label;
  /** The label of what the tool may read in stores. */
  readonly read: Label;
  readonly facts: readonly Term[];
  /** How data of a source come into an argument, in words. */
  readonly trail: (argument: string, source: string) => string;
  /** An argument as `require` endorses it: the name, or the field of one, that stands there; null: it is neither. */
  readonly endorsable: (argument: string) => string | null;
  /** The step that decides that the call is made by data of these readers alone; null: none is known. */
  readonly decider: (readers: ReaderSet) => string | null;
}

export interface CallCheckers {
  readonly contracts: Contracts;
  readonly flows: Flows;
  readonly prover: Prover;
  readonly readers: ReaderChecks;
}

export type CallIssue = Omit<Issue, 'path' | 'step'>;

/** What stands against a call: labels of its arguments, of what decided it, and what its contract requires. */
export class CallChecks {
  readonly issues: CallIssue[] = [];
  /** Conditions that are checked before the call, as they were not proved. */
  readonly atRunTime: Condition[] = [];
  readonly #call: Call;
  readonly #with: CallCheckers;
  readonly #own = new Map<string, Label>();
  /** Arguments of which the data themselves may be seen. */
  readonly #open: { readonly name: string; readonly readers: ReaderTerm; readonly what: string }[] = [];
  /** Whether something that is seen tells what decided the call. */
  #isDecided = false;

  constructor(call: Call, checkers: CallCheckers) {
    this.#call = call;
    this.#with = checkers;
    for (const [name, { labels }] of call.given) this.#own.set(name, whole(labels));
  }

  /** Looks at the labels of arguments, and of what decides the call. */
  labels(): void {
    const { tool, given } = this.#call;
    for (const name of given.keys()) {
      const contract = tool.arguments.get(name);
      this.#argument(name, contract);
    }
    this.#happening();
    this.#deciding();
    for (const [rule, sinks] of this.#with.flows.into(tool.name)) this.#flow(rule, sinks);
  }

  /** Looks at what the contract requires. */
  requirements(): void {
    for (const condition of this.#call.tool.requires) this.#requirement(condition);
  }

  /** The term of an argument; of one that is left out an empty list, as it names nobody. */
  readonly argument = (name: string): Term | undefined => {
    const given = this.#call.given.get(name);
    if (given !== undefined) return given.term;
    return this.#call.tool.arguments.get(name)?.optional === true ? termOf(null) : undefined;
  };

  #argument(name: string, contract: ArgumentContract | undefined): void {
    const { tool, pc } = this.#call;
    const label = join(this.#own.get(name) as Label, pc);
    if ((contract?.integrity ?? 'trusted') === 'trusted' && label.untrusted.size > 0) {
      const [source] = label.untrusted;
      const explicit = (this.#own.get(name) as Label).untrusted;
      this.#add(
        'integrity',
        name,
        explicit.size > 0,
        explicit.size > 0
          ? `${quoted(name)} of ${quoted(tool.name)} must be trusted, ${this.#untrusted(name, source)}`
          : `${quoted(name)} of ${quoted(tool.name)} must be trusted, and ${quoted(source)}, which is not, decides whether the call is made.`,
      );
    }
    const readers = contract === undefined ? ({ kind: 'everyone' } as const) : contract.readers;
    if (readers === null) return;
    const what = `${quoted(name)} of ${quoted(tool.name)}`;
    if (!this.#audience(name, readers, this.#own.get(name) as Label, what))
      this.#open.push({ name, readers, what });
  }

  /** Whether those who see arguments may know what decided the call. One cause, one finding. */
  #deciding(): void {
    for (const { name, readers, what } of this.#open)
      if (!this.#isDecided && this.#audience(name, readers, this.#call.pc, what, true))
        this.#isDecided = true;
  }

  /** Where data that are not trusted come from, and what would do. */
  #untrusted(name: string, source: string): string {
    if (source === AUTHOR)
      return `and would depend on what the author of the plan wrote, who is not trusted; a value that the user's words have would do.`;
    const path = this.#call.endorsable(name);
    const advice =
      path !== null && path.length <= MOST_SHOWN
        ? `\`require ${path} in [...]\` with the values that are allowed, before the call, would do`
        : 'a name for the value by `let`, `require NAME in [...]` with the values that are allowed, and the name in the call would do';
    return `and would depend on ${this.#trail(name, source)}, which is not trusted; ${advice}.`;
  }

  /** Whether those who see that the call is made may know what decided it, and whether that is trusted. */
  #happening(): void {
    const { tool, pc } = this.#call;
    if (tool.consequential && pc.untrusted.size > 0)
      this.#add(
        'integrity',
        null,
        true,
        `whether ${quoted(tool.name)} is called depends on ${list([...pc.untrusted].map(quoted))}, which is not trusted.`,
      );
    if (tool.observable !== null)
      this.#isDecided = this.#audience(
        null,
        tool.observable,
        pc,
        `that ${quoted(tool.name)} is called`,
        true,
      );
    if (tool.observable !== null) this.#reaching(tool.observable);
    const isPublic = tool.writes.some((store) => this.#with.contracts.stores.get(store)?.public === true);
    if (!isPublic) return;
    // A tool may write what it was given and what it read.
    const all = [...this.#own.values()].reduce(join, join(pc, this.#call.read));
    this.#audience('*', { kind: 'everyone' }, all, `what ${quoted(tool.name)} writes to a public store`);
  }

  /** Whether those who see the call may know what chose them: an argument that says who sees the call tells of its data by whom it reaches. */
  #reaching(observable: ReaderTerm): void {
    for (const name of argumentsOf(observable)) {
      const label = this.#own.get(name);
      const readers = this.#call.tool.arguments.get(name)?.readers;
      // Those who are shown the argument itself are looked at already.
      if (label === undefined || JSON.stringify(readers) === JSON.stringify(observable)) continue;
      this.#audience(
        name,
        observable,
        label,
        `whom ${quoted(this.#call.tool.name)} reaches, by ${quoted(name)},`,
      );
    }
  }

  /** @param decides whether the label is that of what decides the call @returns whether somebody may see what they may not read */
  #audience(rule: string | null, term: ReaderTerm, label: Label, what: string, decides = false): boolean {
    if (label.readers.length === 0) return false;
    const { prover, readers } = this.#with;
    const context = { argument: this.#readerArgument, result: null, element: null };
    const audience: ReaderSet | 'everyone' | null = isResolvable(term, context)
      ? resolveReaders(term, context, prover)
      : null;
    for (const set of label.readers) {
      const found =
        audience === null
          ? ({ kind: 'unknown', who: 'somebody whom the call does not name' } as const)
          : readers.mayRead(audience, set, this.#call.facts);
      if (found.kind === 'yes') continue;
      const from = `${list([...(set.of ?? label.sources.keys())].map(quoted))}, which only ${describe(set)} may read`;
      const step = decides ? this.#call.decider(set) : null;
      const by = `${step === null ? 'something before' : `step ${step}`} decides`;
      const how = decides ? `${by} whether the call is made, by data of ${from}` : `it depends on ${from}`;
      this.#add(
        'readers',
        rule,
        found.kind === 'no',
        found.kind === 'no'
          ? `${what} would be seen by ${found.who}; ${how}.`
          : `it is not proved that ${found.who} may read ${from}, and would see ${what}${decides ? `; ${by} by these data whether the call is made` : ''}; a \`require\` before the call that says who it is would do.`,
        undefined,
        undefined,
        step,
      );
      return true;
    }
    return false;
  }

  readonly #readerArgument = (name: string): Term | undefined => {
    if (this.#call.given.has(name)) return this.#call.given.get(name)?.term;
    return this.#call.tool.arguments.get(name)?.optional === true ? termOf([]) : undefined;
  };

  #flow(rule: FlowRule, sinks: ReadonlySet<string>): void {
    const { tool, given, pc } = this.#call;
    const { flows, prover } = this.#with;
    for (const name of given.keys()) {
      if (!sinks.has(name)) continue;
      const explicit = flows.forbidden(rule, this.#own.get(name) as Label);
      const source = explicit ?? flows.forbidden(rule, pc);
      if (source === null) continue;
      const exception = rule.unless === null ? null : folded(instantiate(rule.unless.root, this.argument));
      const proof: Proof =
        exception === null ? { kind: 'refuted', values: [] } : prover.proves(this.#call.facts, exception);
      if (proof.kind === 'proved') continue;
      const how =
        explicit === null
          ? `${quoted(source)} decides whether ${quoted(tool.name)} is called, whose ${quoted(name)} it may not reach`
          : `${quoted(tool.name)} would get in ${quoted(name)} what ${quoted(source)} gave: ${this.#trail(name, source)}`;
      const unless =
        exception === null
          ? ''
          : `; the exception ${printed(rule.unless as NonNullable<FlowRule['unless']>)} ${this.#excuse(proof)}`;
      this.#add('flow', rule.name, proof.kind === 'refuted', `${how}${unless}.`, proof, exception);
    }
  }

  #excuse(proof: Proof): string {
    return proof.kind === 'unknown' ? `is not proved (${proof.reason})` : 'may fail to hold';
  }

  #requirement(condition: Condition): void {
    const { prover } = this.#with;
    const term = folded(instantiate(condition.expression.root, this.argument));
    const proof = prover.proves(this.#call.facts, term);
    if (proof.kind === 'proved') return;
    if (condition.atRunTime) {
      this.atRunTime.push(condition);
      return;
    }
    const isKnown = constantOf(term) !== undefined;
    const advice = isKnown
      ? 'other arguments would do'
      : `\`require ${prover.print(term).replaceAll('@', '')}\` before step ${this.#call.step} would do`;
    const text =
      proof.kind === 'refuted'
        ? `${quoted(this.#call.tool.name)} requires ${printed(condition.expression)}, which may fail to hold; ${advice}.`
        : `${quoted(this.#call.tool.name)} requires ${printed(condition.expression)}, which is not proved (${proof.reason}); ${advice}.`;
    this.#add('requires', condition.name, proof.kind === 'refuted', text, proof, term);
  }

  #trail(argument: string, source: string): string {
    return this.#call.trail(argument, source);
  }

  #add(
    kind: Issue['kind'],
    rule: string | null,
    isCertain: boolean,
    text: string,
    proof?: Proof,
    doubt?: Term | null,
    decider: string | null = null,
  ): void {
    const values = proof?.kind === 'refuted' ? proof.values : [];
    this.issues.push({
      kind,
      rule,
      isCertain,
      text,
      values,
      ...(doubt && { doubt }),
      ...(decider !== null && { decider }),
    });
  }
}

function describe({ groups, names, values }: ReaderSet): string {
  const who = [
    ...groups.map((group) => `group ${group}`),
    ...names.map((name) => JSON.stringify(name)),
    ...values.map((value) => `whom ${printed({ name: '', root: value }).replaceAll('@', '')} names`),
  ];
  return who.length === 0 ? 'the user' : list(who);
}

/** The arguments that a term names. */
function argumentsOf(term: ReaderTerm): string[] {
  if (term.kind === 'union') return [...new Set(term.of.flatMap(argumentsOf))];
  return term.kind === 'value' && term.path[0] !== 'result' ? [term.path[0]] : [];
}

import type { Contracts, ReaderTerm, ValueType } from '../../contract/index.js';
import type { Action, Json, Plan, PlanExpression, Step, Value } from '../../workflow/index.js';
import { SourceLog } from '../callSources.js';
import { EffectLog } from '../effects.js';
import type { Letters } from '../events.js';
import { FactList } from '../facts.js';
import type { Flows } from '../flows.js';
import { CallGraph } from '../graph.js';
import { type Issue, Issues } from '../issues.js';
import { BOTTOM, join, type Label, trusted } from '../label.js';
import { mapped, raised, whole } from '../labels.js';
import { namesRead } from '../namesRead.js';
import type { Prover } from '../prover.js';
import { ReaderChecks, type ReaderSet, withoutValues } from '../readers.js';
import { Stores } from '../stores.js';
import { constantOf, instantiate, isLarge, isLocal, NOWHERE, symbolsOf, type Term } from '../terms.js';
import { joinTypes, typeOfTerm } from '../termTypes.js';
import { Trails } from '../trails.js';
import { type Abstract, Names } from '../values.js';
import type { PathStep } from '../verdict.js';
import { quoted } from '../words.js';
import { endingOf } from './ending.js';

/** What a walk through a plan is made with. */
export interface WalkOptions {
  readonly plan: Plan;
  readonly contracts: Contracts;
  /** The label of what the plan says itself: of all that its author saw. */
  readonly label: Label;
  /** The user's words, which what the plan says itself may be; null: none. */
  readonly words: string | null;
  /** Inputs whose values are known. */
  readonly inputs: Readonly<Record<string, Json>>;
  readonly events: Letters;
  readonly flows: Flows;
  readonly types: Map<string, ValueType>;
  readonly prover: Prover;
  /** Who is shown what the plan returns. Default: the user. */
  readonly returnsTo?: ReaderTerm | null;
  /** What a step got in the run that is gone through again, one answer after another; undefined: it is not known what it gets. */
  readonly answer?: (step: string) => Json | undefined;
}

/** A step with the label of what it tells to those who see that the run goes on from it. */
interface Decider {
  readonly step: string;
  readonly label: Label;
  /** The names that it reads. */
  readonly reads?: readonly string[];
}

/** What a step reads that something stands against. */
interface Reads {
  readonly names: readonly string[];
  readonly stores: readonly string[];
}

/** What a person may answer for: whose data a call has, and who would see them. */
export const ASKED: ReadonlySet<Issue['kind']> = new Set(['integrity', 'readers', 'flow']);

export type StepOf<K extends Action['kind']> = Step & { readonly kind: K };

/** Longest list, and greatest number of rounds by `atMost`, of which each round is looked at apart. */
const MOST_ROUNDS = 32;
/** How often one step is looked at apart at most. */
const MOST_COPIES = 64;
/** Most parts of the term of a name, and of its type. */
const MOST_PARTS = 10_000;

/** Says that a plan is too large to be looked through. */
export class TooLarge extends Error {}

/** What is known where a walk through a plan stands, and what it has found. */
export abstract class WalkState {
  readonly graph = new CallGraph();
  readonly issues = new Issues();
  readonly effects: EffectLog;
  /** Steps whose conditions are checked when they run, with these conditions. */
  readonly atRunTime: { readonly step: string; readonly condition: string }[] = [];
  /** The conditions of branches that may be taken or not. */
  readonly conditions: Term[] = [];
  readonly options: WalkOptions;
  readonly names: Names;
  readonly facts = new FactList();
  readonly readers: ReaderChecks;
  readonly trails = new Trails();
  readonly sources = new SourceLog();
  /** Open branches and rounds, with the labels of what decides them. */
  readonly around: Decider[] = [];
  /** Steps at which a run may have ended. */
  readonly ends: Decider[] = [];
  /** The `require` steps that were passed. */
  readonly requires = new Set<string>();
  stores = new Stores();
  /** What decides that a step is taken: conditions and lists around it. */
  pc: Label = BOTTOM;
  /** What decided that the plan has not ended before. */
  stopped: Label = BOTTOM;
  /** What decided that the run has not ended before for want of a value or of rounds; of an author who is not trusted it counts as `stopped`. */
  cut: Label = BOTTOM;
  /** The calls that tell of what is in `cut` alone. */
  readonly telling = new Set<string>();
  /** The point of the graph that is reached; -1: none. */
  at: number;
  path: readonly PathStep[] = [];
  /** How often steps are looked at apart, as the loops around them have rounds. */
  #copies = 1;

  constructor(options: WalkOptions) {
    this.options = options;
    this.names = new Names(options.label, options.types, options.words);
    this.readers = new ReaderChecks(options.contracts, options.prover, options.types);
    this.effects = new EffectLog(options.contracts, this.readers);
    this.at = this.graph.point();
  }

  /** Goes through the steps of a plan, of a branch or of a round. */
  abstract steps(steps: readonly Step[]): void;

  /** What decides that a step is taken, as far as that is looked at. */
  get decided(): Label {
    return this.options.contracts.implicit === 'full' ? join(this.pc, this.stopped) : BOTTOM;
  }

  /** The value of what a step reads. If there may be none, then the run may end here. */
  read(step: Step, value: Value): Abstract {
    const found = this.names.evaluate(value);
    const told = endingOf(this, value);
    if (told !== null) this.mayEnd(step.id, told);
    return found;
  }

  /** The same of a condition. */
  condition(step: Step, condition: PlanExpression): Abstract {
    const found = this.read(step, { kind: 'expression', expression: condition });
    if (typeOfTerm(found.term, this.options.types).kind !== 'boolean')
      this.mayEnd(step.id, whole(found.labels));
    return found;
  }

  /**
   * Notes that the run may end here by itself. Whoever sees that it goes on learns of what decides that. Whoever makes it end gains nothing.
   *
   * @param told the label of what decides it
   */
  mayEnd(step: string, told: Label): void {
    const label = trusted(join(this.pc, told));
    if (this.options.label.untrusted.size === 0) {
      this.cut = join(this.cut, label);
      return;
    }
    this.stopped = join(this.stopped, label);
    this.ends.push({ step, label });
  }

  /** Takes terms to be true from here on. */
  learn(terms: readonly Term[], step: PathStep | null = null): void {
    const known = terms.filter((term) => constantOf(term) === undefined);
    if (known.length === 0) return;
    for (const term of known) this.facts.add(term);
    const next = this.graph.point();
    this.graph.edge(this.at, next, { facts: known, step });
    this.at = next;
  }

  /** Gives a symbol a type. In another round it may have another: conditions of a path are looked at after all rounds, so its type is that of each round. */
  typed(name: string, type: ValueType): void {
    const { types } = this.options;
    const known = types.get(name);
    if (known === type) return;
    const isSame = known === undefined || JSON.stringify(known) === JSON.stringify(type);
    types.set(name, isSame ? type : joinTypes(known, type));
  }

  /** The term, or a symbol for one that is too large: names that stand in each other's values twice would double it step by step. */
  short(name: string, term: Term): Term {
    const { types } = this.options;
    if (!isLarge(term, MOST_PARTS)) return term;
    const type = typeOfTerm(term, types);
    this.typed(name, isLarge(type, MOST_PARTS) ? { kind: 'any' } : type);
    return { kind: 'name', name, place: NOWHERE };
  }

  /** Gives a name a value. @param source the question that gives it; null: it is made of others */
  define(
    name: string,
    { term, labels }: Abstract,
    step: string,
    from: readonly Value[],
    source: string | null,
  ): void {
    this.trails.set(name, { step, reads: namesRead(...from), source });
    this.names.set(name, { term: this.short(`@${name}`, term), labels: raised(labels, this.decided) });
  }

  /** A label without readers by values of a loop that is over. */
  outside(label: Label, local: ReadonlySet<string>): Label {
    const { prover } = this.options;
    const isKnown = (value: Term) => symbolsOf(value).every((name) => !isLocal(name, local));
    return { ...label, readers: label.readers.map((set) => withoutValues(set, isKnown, prover)) };
  }

  /** A value of a round that is over: what the next one calls the same is another. */
  kept({ term, labels }: Abstract, local: ReadonlySet<string>, round: number): Abstract {
    const { types } = this.options;
    const kept = instantiate(term, (name) => {
      if (!isLocal(name, local)) return undefined;
      const fresh: Term = { kind: 'name', name: `${name}#${round}`, place: NOWHERE };
      this.typed(`${name}#${round}`, types.get(name) ?? { kind: 'any' });
      return fresh;
    });
    return { term: kept, labels: mapped(labels, (label) => this.outside(label, local)) };
  }

  /** What lasts beyond a round knows readers by its values no more: the next one calls others the same. */
  leave(local: ReadonlySet<string>): void {
    this.stores = this.stores.changed((label) => this.outside(label, local));
    this.stopped = this.outside(this.stopped, local);
    this.cut = this.outside(this.cut, local);
  }

  /** Whether so many rounds of a loop may be looked at one by one. */
  mayCopy(rounds: number): boolean {
    return rounds <= MOST_ROUNDS && this.#copies * Math.max(rounds, 1) <= MOST_COPIES;
  }

  /** Looks at so many rounds one by one. */
  copied(rounds: number, work: () => void): void {
    const before = this.#copies;
    this.#copies *= Math.max(rounds, 1);
    work();
    this.#copies = before;
  }

  /** @param reads what the step reads, of findings about data */
  add(issue: Omit<Issue, 'path'>, reads?: Reads): void {
    const from = ASKED.has(issue.kind) && reads !== undefined ? [...this.#through(reads)] : [];
    this.issues.add({ ...issue, path: this.way(issue, reads), from, facts: this.facts.terms.slice() });
  }

  /** The steps of the path; of findings about data those through which they come, and that decide whether it is gone there. */
  way({ kind, decider, step: own }: Omit<Issue, 'path'>, reads?: Reads): readonly PathStep[] {
    if (!ASKED.has(kind)) return this.path;
    // What tells that a run has not ended before is told by all that led there.
    if (decider !== undefined || reads === undefined)
      return this.path.filter(({ step }) => step === decider || !this.requires.has(step));
    const through = this.#through(reads);
    const around = new Set([own, ...this.around.map(({ step }) => step)]);
    return this.path.filter(({ step }) => around.has(step) || through.has(step));
  }

  /** The steps through which data come, and those by which it is decided that the step is taken. */
  #through({ names, stores }: Reads): ReadonlySet<string> {
    const decided = this.around.flatMap(({ reads = [] }) => reads);
    return this.trails.through([...names, ...decided], stores);
  }

  /** A step is over: the path has it with the branch by which it goes on, and with none of its rounds. */
  leaves(step: string, by: Pick<PathStep, 'branch'> = {}): void {
    this.path = [...this.path.slice(0, -1), { step, ...by }];
  }

  /** The step that tells of data of these readers: the innermost around, or else the last that may have ended the run. */
  decider({ key }: ReaderSet): string | null {
    const tells = ({ label }: Decider) => label.readers.some((one) => one.key === key);
    return (this.around.findLast(tells) ?? this.ends.findLast(tells))?.step ?? null;
  }

  /** How data of a source come into an argument, in words. */
  trail(step: StepOf<'call'>, argument: string, source: string): string {
    const way = this.trails.way(namesRead(step.with[argument]), source);
    return way === null
      ? `${quoted(source)}, by a store or by what decides that steps are taken`
      : [...way.map(quoted), `${step.id}.${argument}`].join(' → ');
  }
}

import { ParseError } from '../../base/errors.js';
import {
  type Contracts,
  isSubtype,
  type ReaderTerm,
  type ToolContract,
  type ValueType,
} from '../contract/index.js';
import type { Action, Json, Plan, Step, Value } from '../workflow/index.js';
import { CallChecks } from './callChecks.js';
import { EffectLog } from './effects.js';
import { endorsable, endorsedBy } from './endorsed.js';
import { type Events, truthOf } from './events.js';
import { FactList } from './facts.js';
import type { Flows } from './flows.js';
import { CallGraph, END } from './graph.js';
import { elementsThere } from './indexes.js';
import { type Issue, Issues } from './issues.js';
import { BOTTOM, isBelow, join, type Label, ofSource, trusted } from './label.js';
import { elementOf, everywhere, joinLabels, type Labels, mapped, raised, whole } from './labels.js';
import { membership } from './membership.js';
import { namesRead, symbolsGiven } from './namesRead.js';
import type { Prover } from './prover.js';
import { isResolvable, ReaderChecks, type ReaderSet, resolveReaders, withoutValues } from './readers.js';
import { resultLabels } from './results.js';
import { Stores } from './stores.js';
import {
  constantOf,
  equality,
  folded,
  instantiate,
  isLarge,
  isLocal,
  NOWHERE,
  negation,
  symbol,
  symbolsOf,
  type Term,
  termOf,
} from './terms.js';
import { joinTypes, typeOfTerm } from './termTypes.js';
import { type Origin, Trails } from './trails.js';
import { type Abstract, Names, UnknownName } from './values.js';
import type { PathStep } from './verdict.js';
import { list, quoted } from './words.js';

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
  readonly events: Events;
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
}

/** What a person may answer for: whose data a call has, and who would see them. */
const ASKED: ReadonlySet<Issue['kind']> = new Set(['integrity', 'readers', 'flow']);

type StepOf<K extends Action['kind']> = Step & { readonly kind: K };

/** Longest list, and greatest number of rounds by `atMost`, of which each round is looked at apart. */
const MOST_ROUNDS = 32;
/** Longest list of a type whose rounds are looked at apart. */
const FEW_ROUNDS = 4;
/** How often one step is looked at apart at most. */
const MOST_COPIES = 64;
/** Most parts of the term of a name, and of its type. */
const MOST_PARTS = 10_000;
/** Most steps that are walked; loops of known lists multiply them. */
const MOST_STEPS = 200_000;

/** Says that a plan is too large to be looked through. */
export class TooLarge extends Error {}

/**
 * Goes through a plan in order, once: each name is given once, so what is known of it where it is given is known wherever it is read. Loops whose rounds are not
 * told apart, and what is written to stores in them, are gone through until nothing new is found.
 */
export class Walk {
  readonly graph = new CallGraph();
  readonly issues = new Issues();
  readonly effects: EffectLog;
  /** Steps whose conditions are checked when they run, with these conditions. */
  readonly atRunTime: { readonly step: string; readonly condition: string }[] = [];
  /** The conditions of branches that may be taken or not. */
  readonly conditions: Term[] = [];
  walked = 0;
  readonly #options: WalkOptions;
  readonly #names: Names;
  readonly #facts = new FactList();
  readonly #readers: ReaderChecks;
  readonly #trails = new Trails();
  /** Open branches and rounds, with the labels of what decides them. */
  readonly #around: Decider[] = [];
  /** Steps at which a run may have ended. */
  readonly #ends: Decider[] = [];
  readonly #requires = new Set<string>();
  #stores = new Stores();
  /** What decides that a step is taken: conditions and lists around it. */
  #pc: Label = BOTTOM;
  /** What decided that the plan has not ended before. */
  #stopped: Label = BOTTOM;
  /** The point of the graph that is reached; -1: none. */
  #at: number;
  #path: readonly PathStep[] = [];
  /** How often steps are looked at apart, as the loops around them have rounds. */
  #copies = 1;

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#names = new Names(options.label, options.types, options.words);
    this.#readers = new ReaderChecks(options.contracts, options.prover, options.types);
    this.effects = new EffectLog(options.contracts, this.#readers);
    this.#at = this.graph.point();
  }

  run(): this {
    const { plan, inputs, types, label } = this.#options;
    for (const [name, type] of Object.entries(plan.inputs)) {
      const isKnown = Object.hasOwn(inputs, name);
      types.set(`@${name}`, type);
      this.#names.set(name, {
        term: isKnown ? termOf(inputs[name]) : symbol(name),
        labels: everywhere(label),
      });
    }
    this.#steps(plan.steps);
    if (this.#at >= 0) {
      this.graph.edge(this.#at, END);
      this.effects.mayEnd();
    }
    return this;
  }

  get #isImplicit(): boolean {
    return this.#options.contracts.implicit === 'full';
  }

  get #decided(): Label {
    return this.#isImplicit ? join(this.#pc, this.#stopped) : BOTTOM;
  }

  #steps(steps: readonly Step[]): void {
    const before = this.#path;
    for (const step of steps) {
      if (this.#at < 0) break;
      if (++this.walked > MOST_STEPS)
        throw new TooLarge(`the plan has more than ${MOST_STEPS} steps, with those of its loops`);
      this.#path = [...this.#path.slice(-MOST_PATH), { step: step.id }];
      try {
        this.#step(step);
      } catch (error) {
        if (!(error instanceof UnknownName) && !(error instanceof ParseError)) throw error;
        this.#add({
          kind: 'shape',
          step: step.id,
          rule: null,
          isCertain: true,
          values: [],
          text: `Step ${step.id}: ${error.message}.`,
        });
      }
    }
    this.#path = before;
  }

  #step(step: Step): void {
    if (step.kind === 'call') this.#call(step);
    else if (step.kind === 'ask') this.#ask(step);
    else if (step.kind === 'let') this.#let(step);
    else if (step.kind === 'if') this.#if(step);
    else if (step.kind === 'forEach') this.#forEach(step);
    else if (step.kind === 'fold') this.#fold(step);
    else if (step.kind === 'require') this.#require(step);
    else this.#return(step);
  }

  #call(step: StepOf<'call'>): void {
    const { contracts, prover, flows, events } = this.#options;
    const tool = contracts.tools.get(step.tool);
    const given = new Map(
      Object.entries(step.with).map(([name, value]) => [name, this.#names.evaluate(value)]),
    );
    this.#learn([...given.values()].flatMap(({ term }) => elementsThere(term)));
    // Types are checked before the call.
    const typed = [...given].flatMap(([name, { term }]) => {
      const argument = tool?.arguments.get(name);
      return argument === undefined || isSubtype(typeOfTerm(term, this.#options.types), argument.type)
        ? []
        : membership(argument.type, term);
    });
    if (step.onError !== 'skip') this.#learn(typed);
    if (tool === undefined) {
      this.#add({
        kind: 'contract',
        step: step.id,
        rule: null,
        isCertain: true,
        values: [],
        text: `Step ${step.id} calls ${quoted(step.tool)}, which has no contract.`,
      });
      return;
    }
    const checks = new CallChecks(
      {
        step: step.id,
        tool,
        given,
        pc: this.#decided,
        read: this.#stores.read(tool.reads),
        facts: step.onError === 'skip' ? [...this.#facts.terms, ...typed] : this.#facts.terms,
        trail: (argument, source) => this.#trail(step, argument, source),
        endorsable: (argument) => endorsable(step.with[argument]),
        decider: (readers) => this.#decider(readers),
      },
      { contracts, flows, prover, readers: this.#readers },
    );
    checks.run();
    for (const issue of checks.issues)
      this.#add({
        ...issue,
        step: step.id,
        text: `Step ${step.id}: ${issue.text}`,
        ...(tool.asks && ASKED.has(issue.kind) && { isAsked: true }),
      });
    const checked = checks.atRunTime.map(({ expression }) =>
      folded(instantiate(expression.root, checks.argument)),
    );
    for (const { name } of checks.atRunTime) this.atRunTime.push({ step: step.id, condition: name });
    const next = this.graph.point();
    const letter = events.letter(
      step.id,
      tool.name,
      checks.argument,
      [...this.#facts.terms, ...checked],
      prover,
    );
    // Of a call that may be skipped it is not known afterwards whether it passed the checks.
    if (step.onError !== 'skip') for (const fact of checked) this.#facts.add(fact);
    this.graph.edge(this.#at, next, { letter, step: { step: step.id } });
    // A call that fails may have been made, or not.
    if (step.onError === 'skip') this.graph.edge(this.#at, next, { step: { step: step.id } });
    this.#at = next;
    this.effects.call(step.id, tool, checks.argument, this.#facts.terms, step.onError === 'skip');
    this.#result(step, tool, given, checks.argument);
  }

  #result(
    step: StepOf<'call'>,
    tool: ToolContract,
    given: ReadonlyMap<string, Abstract>,
    argument: (name: string) => Term | undefined,
  ): void {
    const { prover, flows } = this.#options;
    const all = [...given.values()].reduce((label, { labels }) => join(label, whole(labels)), this.#decided);
    const read = this.#stores.read(tool.reads);
    const answer = this.#options.answer?.(step.id);
    const own = symbol(step.as ?? `result of ${step.id}`);
    const result = answer === undefined ? own : termOf(answer);
    const labels = resultLabels({
      tool,
      result,
      argument,
      given: join(all, read),
      endorses: flows.endorsedBy(tool.name),
      prover,
    });
    const written = new Set([...tool.writes, ...tool.effects.map(({ store }) => store)]);
    // A tool may write what it read.
    this.#stores.write(written, join(all, tool.reads.length > 0 ? read : BOTTOM));
    const origin: Origin = {
      step: step.id,
      reads: namesRead(...Object.values(step.with)),
      stores: tool.reads,
      source: tool.name,
    };
    this.#trails.write(written, origin);
    if (step.onError === 'skip') return;
    this.#typed((own as { name: string }).name, tool.result.type);
    this.#learn(
      tool.ensures.map(({ expression }) =>
        folded(instantiate(expression.root, (name) => (name === 'result' ? result : argument(name)))),
      ),
    );
    if (step.as === undefined) return;
    this.#trails.set(step.as, origin);
    this.#names.set(step.as, { term: result, labels });
  }

  /** Gives a symbol a type. In another round it may have another: conditions of a path are looked at after all rounds, so its type is that of each round. */
  #typed(name: string, type: ValueType): void {
    const { types } = this.#options;
    const known = types.get(name);
    if (known === type) return;
    const isSame = known === undefined || JSON.stringify(known) === JSON.stringify(type);
    types.set(name, isSame ? type : joinTypes(known, type));
  }

  /** The term, or a symbol for one that is too large: names that stand in each other's values twice would double it step by step. */
  #short(name: string, term: Term): Term {
    const { types } = this.#options;
    if (!isLarge(term, MOST_PARTS)) return term;
    const type = typeOfTerm(term, types);
    this.#typed(name, isLarge(type, MOST_PARTS) ? { kind: 'any' } : type);
    return { kind: 'name', name, place: NOWHERE };
  }

  /** Takes terms to be true from here on. */
  #learn(terms: readonly Term[], step: PathStep | null = null): void {
    const known = terms.filter((term) => constantOf(term) === undefined);
    if (known.length === 0) return;
    for (const term of known) this.#facts.add(term);
    const next = this.graph.point();
    this.graph.edge(this.#at, next, { facts: known, step });
    this.#at = next;
  }

  #let(step: StepOf<'let'>): void {
    const value = this.#names.evaluate(step.be);
    this.#learn(elementsThere(value.term));
    this.#define(step.name, value, step.id, [step.be], null);
  }

  #ask(step: StepOf<'ask'>): void {
    const about = step.about.map((value) => this.#names.evaluate(value));
    const label = about.reduce((all, { labels }) => join(all, whole(labels)), this.#decided);
    const own = ofSource(`ask ${step.id}`, false, []);
    this.#typed(`@${step.as}`, step.type);
    const answer = this.#options.answer?.(step.id);
    const term = answer === undefined ? symbol(step.as) : termOf(answer);
    const value = { term, labels: everywhere(join(label, own)) };
    this.#define(step.as, value, step.id, step.about, `ask ${step.id}`);
  }

  #define(
    name: string,
    { term, labels }: Abstract,
    step: string,
    from: readonly Value[],
    source: string | null,
  ): void {
    this.#trails.set(name, { step, reads: namesRead(...from), source });
    this.#names.set(name, { term: this.#short(`@${name}`, term), labels: raised(labels, this.#decided) });
  }

  #if(step: StepOf<'if'>): void {
    const { prover } = this.#options;
    const condition = this.#names.expression(step.condition);
    const truth = truthOf(condition.term, this.#facts.terms, prover);
    const label = whole(condition.labels);
    if (truth === undefined) this.conditions.push(condition.term);
    const start = this.#at;
    const before = { pc: this.#pc, stores: this.#stores };
    const yields = Object.entries(step.yields ?? {});
    const branch = (side: 'then' | 'else') => {
      this.#stores = before.stores.copy();
      this.#pc = join(before.pc, label);
      this.#around.push({ step: step.id, label });
      const fact = side === 'then' ? condition.term : negation(condition.term);
      const found = this.#names.within(() =>
        this.#facts.within(() => {
          this.#at = this.graph.point();
          this.graph.edge(start, this.#at, {
            facts: truth === undefined ? [fact] : [],
            step: { step: step.id, branch: side },
          });
          this.#facts.add(fact);
          this.#path = [...this.#path.slice(0, -1), { step: step.id, branch: side }];
          this.#steps(side === 'then' ? step.then : step.else);
          if (this.#at < 0) return null;
          const facts = this.#facts.terms.slice();
          return {
            values: yields.map(([, pair]) => this.#names.evaluate(pair[side === 'then' ? 0 : 1])),
            facts,
          };
        }),
      );
      this.#around.pop();
      return { end: this.#at, stores: this.#stores, found };
    };
    const log = this.effects;
    const sides = log.either(
      truth === false ? null : () => branch('then'),
      truth === true ? null : () => branch('else'),
    );
    this.#pc = before.pc;
    const open = sides.filter(({ end }) => end >= 0);
    if (open.length === 0) {
      this.#at = -1;
      return;
    }
    this.#stores = open.map(({ stores }) => stores).reduce((a, b) => a.joined(b));
    if (open.length === 1) {
      this.#at = open[0].end;
      // Only one branch leads on, so what is known there is known after it.
      this.#facts.terms.length = 0;
      this.#facts.terms.push(...(open[0].found?.facts ?? []));
      for (const [i, [name, pair]] of yields.entries())
        this.#yield(step, name, [(open[0].found as { values: Abstract[] }).values[i]], label, pair, null);
      return;
    }
    this.#at = this.graph.point();
    for (const { end } of open) this.graph.edge(end, this.#at);
    for (const [i, [name, pair]] of yields.entries()) {
      const values = open.map(({ found }) => (found as { values: Abstract[] }).values[i]);
      this.#yield(step, name, values, label, pair, condition.term);
    }
  }

  /** A name for one of two values. */
  #yield(
    step: StepOf<'if'>,
    name: string,
    values: readonly Abstract[],
    label: Label,
    from: readonly Value[],
    condition: Term | null,
  ): void {
    const { types } = this.#options;
    const source = namesRead({ kind: 'expression', expression: step.condition });
    this.#trails.set(name, { step: step.id, reads: [...source, ...namesRead(...from)], source: null });
    const labels = raised(values.map((one) => one.labels).reduce(joinLabels), join(label, this.#decided));
    if (values.length === 1) {
      this.#names.set(name, { term: values[0].term, labels });
      return;
    }
    const term = symbol(name);
    const [then, otherwise] = values;
    this.#typed(`@${name}`, values.map((one) => typeOfTerm(one.term, types)).reduce(joinTypes));
    this.#learn([
      {
        kind: 'conditional',
        condition: condition as Term,
        whenTrue: equality(term, then.term),
        whenFalse: equality(term, otherwise.term),
        place: NOWHERE,
      },
    ]);
    this.#names.set(name, { term, labels });
  }

  #require(step: StepOf<'require'>): void {
    const { prover } = this.#options;
    const condition = this.#names.expression(step.condition);
    const truth = truthOf(condition.term, this.#facts.terms, prover);
    if (truth !== true)
      this.graph.edge(this.#at, END, {
        facts: truth === undefined ? [negation(condition.term)] : [],
        step: { step: step.id },
      });
    // Whoever sees that the plan goes on learns of the condition. An attacker can make it stop, which is not made worse by saying when.
    const told = trusted(whole(condition.labels));
    this.#stopped = join(this.#stopped, join(this.#pc, told));
    this.#ends.push({ step: step.id, label: told });
    this.#requires.add(step.id);
    if (truth === false) {
      this.#at = -1;
      return;
    }
    this.#learn([condition.term], { step: step.id });
    for (const { path, values } of endorsedBy(step.condition))
      if (this.#names.isTrusted(values)) this.#endorse(path);
  }

  /** A value that is one of the plan's own literals is trusted, if these are. */
  #endorse([name, ...path]: readonly string[]): void {
    const value = this.#names.get(name);
    const change = (labels: Labels, rest: readonly string[]): Labels => {
      if (rest.length === 0) return mapped(labels, trusted);
      const [field, ...below] = rest;
      const part = labels.fields?.get(field) ?? everywhere(labels.here);
      return { ...labels, fields: new Map([...(labels.fields ?? []), [field, change(part, below)]]) };
    };
    this.#names.set(name, { ...value, labels: change(value.labels, path) });
  }

  #return(step: StepOf<'return'>): void {
    this.#shown(step, join(whole(this.#names.evaluate(step.value).labels), this.#decided));
    this.graph.edge(this.#at, END, { step: { step: step.id } });
    this.effects.mayEnd();
    this.#stopped = join(this.#stopped, this.#pc);
    this.#ends.push({ step: step.id, label: this.#pc });
    this.#at = -1;
  }

  /** Whether those who are shown what the plan returns may read it. The user may read everything. */
  #shown(step: StepOf<'return'>, label: Label): void {
    const { returnsTo = null, prover } = this.#options;
    if (returnsTo === null) return;
    const nothing = { argument: () => undefined, result: null, element: null };
    // Readers whom a value names are nobody that is known: a plan that is over has no arguments.
    const audience = isResolvable(returnsTo, nothing) ? resolveReaders(returnsTo, nothing, prover) : null;
    for (const set of label.readers) {
      const { kind } =
        audience === null
          ? { kind: 'unknown' as const }
          : this.#readers.mayRead(audience, set, this.#facts.terms);
      if (kind === 'yes') continue;
      const text = `Step ${step.id}: what the plan returns depends on ${list([...label.sources.keys()].map(quoted))}, which not all who are shown it may read.`;
      this.#add({
        kind: 'readers',
        step: step.id,
        rule: 'return',
        isCertain: kind === 'no',
        values: [],
        text,
      });
      return;
    }
  }

  #forEach(step: StepOf<'forEach'>): void {
    const list = this.#names.evaluate(step.in);
    const collected = Object.entries(step.collect ?? {});
    const rounds: Abstract[][] = [];
    const local = new Set([`@${step.item}`, ...symbolsGiven(step.do)]);
    const round = () => {
      const values = collected.map(([, value]) => this.#names.evaluate(value));
      rounds.push(values.map((value) => this.#kept(value, local, rounds.length)));
    };
    const pc = this.#pc;
    const exact = this.#rounds(step, list, step.do, round);
    this.#pc = pc;
    if (this.#at < 0) return;
    const elements = elementsOf(list.term);
    const spine = list.labels.here;
    for (const [i, [name, value]] of collected.entries()) {
      const values = rounds.map((one) => one[i]);
      this.#collect(step, name, values, exact ? elements?.length : undefined, spine, value);
    }
  }

  #collect(
    step: StepOf<'forEach'>,
    name: string,
    values: readonly Abstract[],
    count: number | undefined,
    spine: Label,
    value: Value,
  ): void {
    const { types } = this.#options;
    this.#trails.set(name, { step: step.id, reads: namesRead(step.in, value), source: null });
    const label = join(spine, this.#decided);
    if (count !== undefined && count === values.length) {
      const labels: Labels = { here: label, items: values.map((one) => raised(one.labels, label)) };
      const term: Term = { kind: 'list', elements: values.map((one) => one.term), place: NOWHERE };
      this.#names.set(name, { term: this.#short(`@${name}`, term), labels });
      return;
    }
    const of = values
      .map((one) => typeOfTerm(one.term, types))
      .reduce<ValueType | undefined>(joinTypes, undefined);
    this.#typed(`@${name}`, {
      kind: 'list',
      of: of ?? { kind: 'any' },
      ...(step.atMost !== undefined && { most: step.atMost }),
    });
    const known = values.map((one) => whole(one.labels)).reduce(join, BOTTOM);
    this.#names.set(name, {
      term: symbol(name),
      labels: { here: label, element: () => everywhere(join(label, known)) },
    });
  }

  /** A label without readers by values of a loop that is over. */
  #outside(label: Label, local: ReadonlySet<string>): Label {
    const { prover } = this.#options;
    const isKnown = (value: Term) => symbolsOf(value).every((name) => !isLocal(name, local));
    return { ...label, readers: label.readers.map((set) => withoutValues(set, isKnown, prover)) };
  }

  /**
   * Goes through the rounds of a loop.
   *
   * @param after what is done at the end of each round, with its names
   * @returns whether there is exactly one round for each element
   */
  #rounds(
    step: StepOf<'forEach' | 'fold'>,
    list: Abstract,
    body: readonly Step[],
    after: () => void,
  ): boolean {
    const elements = elementsOf(list.term);
    const type = typeOfTerm(list.term, this.#options.types);
    const atMost = step.kind === 'forEach' ? step.atMost : undefined;
    const least = elements?.length ?? (type.kind === 'list' ? (type.least ?? 0) : 0);
    if (atMost !== undefined && least > atMost) {
      // Such a run ends before the first round.
      this.#at = -1;
      return true;
    }
    if (atMost !== undefined && elements === undefined) this.#learn([sizeAtMost(list.term, atMost)]);
    if (elements !== undefined && this.#mayCopy(elements.length)) {
      this.#copied(elements.length, () => this.#exact(step, list, elements, body, after));
      return true;
    }
    const most = atMost ?? (type.kind === 'list' && (type.most ?? 99) <= FEW_ROUNDS ? type.most : undefined);
    if (most !== undefined && this.#mayCopy(most))
      this.#copied(most, () => this.#bounded(step, list, body, after, most));
    else this.#unbounded(step, list, body, after);
    return false;
  }

  #mayCopy(rounds: number): boolean {
    return rounds <= MOST_ROUNDS && this.#copies * Math.max(rounds, 1) <= MOST_COPIES;
  }

  #copied(rounds: number, work: () => void): void {
    const before = this.#copies;
    this.#copies *= Math.max(rounds, 1);
    work();
    this.#copies = before;
  }

  /** One round for each element that is known. */
  #exact(
    step: StepOf<'forEach' | 'fold'>,
    list: Abstract,
    elements: readonly Term[],
    body: readonly Step[],
    after: () => void,
  ): void {
    const loop = this.graph.loops.push(new Set(symbolsGiven(body))) - 1;
    for (const [i, element] of elements.entries()) {
      if (this.#at < 0) return;
      const next = this.graph.point();
      this.graph.edge(this.#at, next, { round: loop, step: { step: step.id, round: i } });
      this.#at = next;
      const labels = list.labels.items?.[i] ?? elementOf(list.labels, element);
      this.#round(step, { term: element, labels }, body, after, i, list.labels);
      this.#leave(this.graph.loops[loop]);
    }
  }

  /** A value of a round that is over: what the next one calls the same is another. */
  #kept({ term, labels }: Abstract, local: ReadonlySet<string>, round: number): Abstract {
    const { types } = this.#options;
    const kept = instantiate(term, (name) => {
      if (!isLocal(name, local)) return undefined;
      const fresh: Term = { kind: 'name', name: `${name}#${round}`, place: NOWHERE };
      this.#typed(`${name}#${round}`, types.get(name) ?? { kind: 'any' });
      return fresh;
    });
    return { term: kept, labels: mapped(labels, (label) => this.#outside(label, local)) };
  }

  /** Up to so many rounds, each looked at apart. */
  #bounded(
    step: StepOf<'forEach' | 'fold'>,
    list: Abstract,
    body: readonly Step[],
    after: () => void,
    most: number,
  ): void {
    const out = this.graph.point();
    this.effects.repeatedly(() => {
      for (let i = 0; i < most && this.#at >= 0; i++) {
        this.graph.edge(this.#at, out);
        this.#symbolicRound(step, list, body, after, i, this.graph.loops.push(new Set()) - 1);
      }
    });
    if (this.#at >= 0) this.graph.edge(this.#at, out);
    this.#at = out;
  }

  /** Any number of rounds: until a further one finds nothing new. */
  #unbounded(
    step: StepOf<'forEach' | 'fold'>,
    list: Abstract,
    body: readonly Step[],
    after: () => void,
  ): void {
    const head = this.graph.point();
    this.graph.edge(this.#at, head);
    const loop = this.graph.loops.push(new Set()) - 1;
    this.effects.repeatedly(() => {
      for (;;) {
        const size = this.graph.size;
        const before = { stores: this.#stores, stopped: this.#stopped };
        const isDone = this.issues.tentatively(() => {
          this.#at = head;
          this.#stores = before.stores.copy();
          this.#symbolicRound(step, list, body, after, undefined, loop);
          const stores = this.#stores.joined(before.stores);
          const same = stores.isBelow(before.stores) && isBelow(this.#stopped, before.stopped);
          this.#stores = stores;
          return same;
        });
        if (isDone) break;
        this.graph.cut(size);
      }
    });
    if (this.#at >= 0) this.graph.edge(this.#at, head);
    this.#at = this.graph.point();
    this.graph.edge(head, this.#at);
  }

  #symbolicRound(
    step: StepOf<'forEach' | 'fold'>,
    list: Abstract,
    body: readonly Step[],
    after: () => void,
    round: number | undefined,
    loop: number,
  ): void {
    const { types } = this.#options;
    const term = symbol(step.item);
    const type = typeOfTerm(list.term, types);
    this.#typed(`@${step.item}`, type.kind === 'list' ? type.of : { kind: 'any' });
    const local = this.graph.loops[loop];
    for (const name of symbolsGiven(body)) local.add(name);
    local.add(`@${step.item}`);
    if (step.kind === 'fold') local.add(`@${step.accumulator}`);
    const next = this.graph.point();
    this.graph.edge(this.#at, next, {
      round: loop,
      step: { step: step.id, ...(round !== undefined && { round }) },
    });
    this.#at = next;
    this.#round(step, { term, labels: elementOf(list.labels, term) }, body, after, round, list.labels);
    this.#leave(local);
  }

  /** What lasts beyond a round knows readers by its values no more: the next one calls others the same. */
  #leave(local: ReadonlySet<string>): void {
    this.#stores = this.#stores.changed((label) => this.#outside(label, local));
    this.#stopped = this.#outside(this.#stopped, local);
  }

  #round(
    step: StepOf<'forEach' | 'fold'>,
    item: Abstract,
    body: readonly Step[],
    after: () => void,
    round: number | undefined,
    list: Labels,
  ): void {
    const pc = this.#pc;
    // Whoever may read an element may know that it is there.
    const told = list.isApart === true ? item.labels.here : list.here;
    this.#pc = join(pc, told);
    this.#around.push({ step: step.id, label: told });
    this.#path = [...this.#path.slice(0, -1), { step: step.id, ...(round !== undefined && { round }) }];
    this.#names.within(() =>
      this.#facts.within(() => {
        this.#trails.set(step.item, { step: step.id, reads: namesRead(step.in), source: null });
        this.#names.set(step.item, { term: item.term, labels: raised(item.labels, this.#decided) });
        this.#steps(body);
        if (this.#at >= 0) after();
      }),
    );
    this.#around.pop();
    this.#pc = pc;
  }

  #fold(step: StepOf<'fold'>): void {
    const list = this.#names.evaluate(step.in);
    const from = this.#names.evaluate(step.from);
    this.#trails.set(step.accumulator, {
      step: step.id,
      reads: namesRead(step.from, step.next),
      source: null,
    });
    const elements = elementsOf(list.term);
    const last =
      elements !== undefined && this.#mayCopy(elements.length)
        ? this.#foldExactly(step, list, from)
        : this.#foldUnbounded(step, list, from);
    if (this.#at < 0) return;
    this.#trails.set(step.as, {
      step: step.id,
      reads: namesRead(step.in, step.from, step.next),
      source: null,
    });
    this.#names.set(step.as, {
      term: last.term,
      labels: raised(last.labels, join(list.labels.here, this.#decided)),
    });
  }

  #foldExactly(step: StepOf<'fold'>, list: Abstract, from: Abstract): Abstract {
    const local = new Set([`@${step.item}`, ...symbolsGiven(step.do)]);
    let accumulator = from;
    this.#names.within(() => {
      for (const [i, element] of (elementsOf(list.term) ?? []).entries()) {
        if (this.#at < 0) return;
        this.#names.set(step.accumulator, accumulator);
        // One round of a list of one element.
        const only: Abstract = {
          term: { kind: 'list', elements: [element], place: NOWHERE },
          labels: { ...list.labels, items: [list.labels.items?.[i] ?? elementOf(list.labels, element)] },
        };
        this.#copied((elementsOf(list.term) ?? []).length, () =>
          this.#exact(step, only, [element], step.do, () => {
            const { term, labels } = this.#kept(this.#names.evaluate(step.next), local, i);
            accumulator = { term: this.#short(`@${step.accumulator}#${i}`, term), labels };
          }),
        );
      }
    });
    return accumulator;
  }

  /** Until label and type of the accumulator are those of a round before. */
  #foldUnbounded(step: StepOf<'fold'>, list: Abstract, from: Abstract): Abstract {
    const { types } = this.#options;
    const term = symbol(step.accumulator);
    let label = join(whole(from.labels), list.labels.here);
    let type = typeOfTerm(from.term, types);
    const size = this.graph.size;
    const local = new Set([`@${step.item}`, `@${step.accumulator}`, ...symbolsGiven(step.do)]);
    const before = { at: this.#at, stores: this.#stores };
    for (;;) {
      let next: Abstract = { term, labels: everywhere(BOTTOM) };
      this.#typed(`@${step.accumulator}`, type);
      const isDone = this.issues.tentatively(() => {
        this.#at = before.at;
        this.#stores = before.stores.copy();
        this.#foldRounds(step, list, { term, labels: everywhere(label) }, (value) => {
          next = value;
        });
        const nextType = joinTypes(type, typeOfTerm(next.term, types));
        const nextLabel = join(label, this.#outside(whole(next.labels), local));
        const same = isBelow(nextLabel, label) && JSON.stringify(nextType) === JSON.stringify(type);
        label = nextLabel;
        // Types of few values would grow round by round.
        type = same ? type : widened(nextType);
        return same;
      });
      if (isDone) break;
      this.graph.cut(size);
    }
    this.#typed(`@${step.as}`, type);
    return { term: symbol(step.as), labels: everywhere(label) };
  }

  #foldRounds(
    step: StepOf<'fold'>,
    list: Abstract,
    accumulator: Abstract,
    after: (next: Abstract) => void,
  ): void {
    this.#names.within(() => {
      this.#names.set(step.accumulator, accumulator);
      this.#unbounded(step, list, step.do, () => after(this.#names.evaluate(step.next)));
    });
  }

  #add(issue: Omit<Issue, 'path'>): void {
    this.issues.add({ ...issue, path: this.#way(issue), facts: this.#facts.terms.slice() });
  }

  /** The steps of the path, of findings about data without requirements that do not tell of them. */
  #way({ kind, decider }: Omit<Issue, 'path'>): readonly PathStep[] {
    if (!ASKED.has(kind)) return this.#path;
    return this.#path.filter(({ step }) => step === decider || !this.#requires.has(step));
  }

  /** The step that tells of data of these readers: the innermost around, or else the last that may have ended the run. */
  #decider({ key }: ReaderSet): string | null {
    const tells = ({ label }: Decider) => label.readers.some((one) => one.key === key);
    return (this.#around.findLast(tells) ?? this.#ends.findLast(tells))?.step ?? null;
  }

  #trail(step: StepOf<'call'>, argument: string, source: string): string {
    const way = this.#trails.way(namesRead(step.with[argument]), source);
    return way === null
      ? `${quoted(source)}, by a store or by what decides that steps are taken`
      : [...way.map(quoted), `${step.id}.${argument}`].join(' → ');
  }
}

function sizeAtMost(list: Term, most: number): Term {
  const size: Term = { kind: 'call', function: 'size', arguments: [list], place: NOWHERE };
  return { kind: 'binary', operator: '<=', left: size, right: termOf(most), place: NOWHERE };
}

/** Most steps of a path that findings show. */
const MOST_PATH = 24;

/** The elements of a list that is written out or known. */
function elementsOf(term: Term): readonly Term[] | undefined {
  if (term.kind === 'list') return term.elements;
  const constant = constantOf(term)?.value;
  return Array.isArray(constant) ? constant.map((one) => termOf(one as Json)) : undefined;
}

function widened(type: ValueType): ValueType {
  switch (type.kind) {
    case 'text':
      return { kind: 'text' };
    case 'integer':
    case 'number':
      return { kind: 'number' };
    case 'list':
      return { kind: 'list', of: { kind: 'any' } };
    case 'boolean':
    case 'null':
      return type;
    default:
      return { kind: 'any' };
  }
}

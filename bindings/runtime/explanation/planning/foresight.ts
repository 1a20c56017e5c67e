import { InvalidArgumentError, NotSupportedError } from '../../../base/errors.js';
import {
  type Automaton,
  bindAutomaton,
  buildAutomaton,
  type Stepper,
  successorsUnder,
  VIOLATED,
} from '../../../languages/automaton/index.js';
import { type Formula, predicatesOf } from '../../../languages/logic/index.js';
import type { ActionModel, DeclaredCall } from '../../../observations/effects/index.js';

/** A rule by which calls are judged. */
export interface PlannedRule {
  readonly name: string;
  /** Over named predicates of the action model. */
  readonly formula: Formula;
}

/**
 * A place in a run, packed: the state of each rule's automaton, which has read all steps before the present one, then the present valuation. The present step is
 * read together with the call of that step.
 */
export type PackedPosition = Uint32Array;

/** What a call would lead to. */
export interface Prospect {
  /** The rules, by their places, that it breaks in some way in which it may turn out. A rule that was broken before is none of them. */
  readonly broken: readonly number[];
  /** Whether it breaks them however it turns out. */
  readonly certainly: boolean;
  /** The positions that may follow; empty if constraints forbid all of them. */
  readonly positions: readonly PackedPosition[];
}

/** Predicates over the call and the state at once: each doubles the ways in which a step may be read. */
const MAX_UNREAD = 8;

/** A rule's automaton, bound to the predicates of a model. */
export interface RuleReader {
  readonly automaton: Automaton;
  readonly stepper: Stepper;
  /** For each predicate of the automaton, its number in the model. */
  readonly numbers: readonly number[];
  readonly readsCall: boolean;
}

/** Follows rules over declared actions: from a position and a call to the positions after it. */
export class Foresight {
  readonly model: ActionModel;
  readonly rules: readonly string[];
  /** Words that a packed position takes. */
  readonly size: number;
  readonly #readers: readonly RuleReader[];
  /** The predicates over the call that some rule reads. */
  readonly #ofCall: readonly number[];

  /** @throws InvalidArgumentError, NotSupportedError as `createPlanner` */
  constructor(
    model: ActionModel,
    rules: readonly PlannedRule[],
    samplingPeriod: number | string | null = null,
  ) {
    this.model = model;
    this.rules = rules.map(({ name }) => name);
    this.#readers = rules.map((rule) => readerOf(rule, model, samplingPeriod));
    this.size = rules.length + model.words;
    const read = new Set(this.#readers.flatMap(({ numbers }) => numbers));
    this.#ofCall = model.roles.flatMap((role, i) => (role === 'call' && read.has(i) ? [i] : []));
  }

  first(present: Uint32Array): PackedPosition {
    return this.#packed(
      this.#readers.map(({ automaton }) => automaton.initial),
      present,
    );
  }

  /** The position after a step that was read as a whole. @param step values of all predicates at the present step, with its call */
  advance(position: PackedPosition, step: Uint32Array, present: Uint32Array): PackedPosition {
    return this.#packed(this.#statesAfter(position, step), present);
  }

  present(position: PackedPosition): Uint32Array {
    return position.subarray(this.#readers.length);
  }

  isBroken(position: PackedPosition, rule: number): boolean {
    return this.#readers[rule].automaton.verdict[position[rule]] === VIOLATED;
  }

  /** What a call at the present step would lead to. @throws NotSupportedError if it may turn out in too many ways */
  prospect(position: PackedPosition, call: DeclaredCall): Prospect {
    const present = this.present(position);
    const outcomes = this.model.outcomes(call, present);
    const positions: PackedPosition[] = [];
    const broken = new Set<number>();
    let certainly = outcomes.length > 0;
    for (const step of this.#steps(present, call)) {
      const states = this.#statesAfter(position, step);
      for (const outcome of outcomes) {
        const lost = this.#readers.flatMap((reader, r) =>
          !this.isBroken(position, r) && isLost(reader, states[r], outcome, this.model) ? [r] : [],
        );
        for (const rule of lost) broken.add(rule);
        if (lost.length === 0) certainly = false;
        positions.push(this.#packed(states, outcome));
      }
    }
    return { broken: [...broken].sort((a, b) => a - b), certainly, positions };
  }

  /** The ways in which the present step may be read with a call: one, unless a predicate over the call also reads the state. */
  #steps(present: Uint32Array, call: DeclaredCall): Uint32Array[] {
    if (this.#ofCall.length === 0) return [present];
    let steps = [present.slice()];
    let unread = 0;
    for (const i of this.#ofCall) {
      const value = this.model.atCall(i, call);
      const mask = 1 << (i & 31);
      for (const step of steps) step[i >>> 5] = value === true ? step[i >>> 5] | mask : step[i >>> 5] & ~mask;
      if (value !== undefined) continue;
      if (++unread > MAX_UNREAD)
        throw new NotSupportedError(
          `the call ${call.text} leaves the value of more than ${MAX_UNREAD} predicates open, such as "${this.model.predicates[i]}", because they read more than the call; ` +
            'write predicates over the call and over the state apart, and list the values of the arguments that they read',
        );
      steps = steps.flatMap((step) => {
        const other = step.slice();
        other[i >>> 5] |= mask;
        return [step, other];
      });
    }
    return steps;
  }

  #statesAfter(position: PackedPosition, step: Uint32Array): number[] {
    return this.#readers.map(({ stepper }, r) => stepper.step(position[r], step));
  }

  #packed(states: readonly number[], valuation: Uint32Array): PackedPosition {
    const packed = new Uint32Array(this.size);
    packed.set(states);
    packed.set(valuation, states.length);
    return packed;
  }
}

/** Whether no call at the next step keeps a rule open, whose automaton is in state `q`. */
export function isLost(reader: RuleReader, q: number, next: Uint32Array, { roles }: ActionModel): boolean {
  const { automaton, stepper, numbers, readsCall } = reader;
  if (automaton.verdict[q] === VIOLATED) return true;
  if (!readsCall) return automaton.verdict[stepper.step(q, next)] === VIOLATED;
  const value = (predicate: number): boolean | undefined => {
    const i = numbers[predicate];
    return roles[i] === 'call' ? undefined : ((next[i >>> 5] >>> (i & 31)) & 1) === 1;
  };
  return successorsUnder(automaton, q, value).every((after) => automaton.verdict[after] === VIOLATED);
}

/** @throws InvalidArgumentError, NotSupportedError as `createPlanner` */
export function readerOf(
  { name, formula }: PlannedRule,
  model: ActionModel,
  samplingPeriod: number | string | null,
): RuleReader {
  for (const predicate of predicatesOf(formula)) {
    const i = model.predicates.indexOf(predicate);
    if (i >= 0 && model.roles[i] === 'history')
      throw new NotSupportedError(
        `rule "${name}" reads "${predicate}", which counts or looks up earlier calls, so that it is not known what it is after a call; ` +
          'declare the actions that change it: sets, clears or may',
      );
  }
  if (formula.kind === 'probability')
    throw new InvalidArgumentError(
      `rule "${name}" bounds a probability, which no single run keeps or breaks; leave it out`,
    );
  return boundTo(buildAutomaton(formula, { samplingPeriod }), model);
}

/** @throws InvalidArgumentError if the automaton reads an unknown predicate (the message suggests the nearest name) */
function boundTo(automaton: Automaton, model: ActionModel): RuleReader {
  // Names unknown predicates, with the nearest one.
  const stepper = bindAutomaton(automaton, model.predicates);
  const numbers = automaton.predicates.map((predicate) => model.predicates.indexOf(predicate));
  return { automaton, stepper, numbers, readsCall: numbers.some((i) => model.roles[i] === 'call') };
}

/**
 * Which automata a call may break by what follows it, given their states after the step of the call; those that are violated by then are left out.
 *
 * @throws InvalidArgumentError if an automaton reads a predicate that the model does not have
 */
export function breachesAhead(
  model: ActionModel,
  automata: readonly Automaton[],
): (call: DeclaredCall, present: Uint32Array, states: readonly number[]) => readonly number[] {
  const readers = automata.map((automaton) => boundTo(automaton, model));
  return (call, present, states) => {
    const outcomes = model.outcomes(call, present);
    return readers.flatMap((reader, rule) => {
      const isOpen = reader.automaton.verdict[states[rule]] !== VIOLATED;
      return isOpen && outcomes.some((one) => isLost(reader, states[rule], one, model)) ? [rule] : [];
    });
  };
}

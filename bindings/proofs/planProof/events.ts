import { type Automaton, buildAutomaton, explicitAutomaton } from '../../languages/automaton/index.js';
import type { Expression, Trilean } from '../../languages/expression/index.js';
import { predicatesOf } from '../../languages/logic/index.js';
import type { CallEvent, Contracts, OrderRule } from '../contract/index.js';
import type { Letter } from './graph.js';
import type { Prover } from './prover.js';
import { constantOf, folded, instantiate, negation, type Term } from './terms.js';

/** A rule of order with its automaton, whose predicates are events by number. */
export interface OrderAutomaton {
  readonly name: string;
  readonly message: string | null;
  readonly automaton: Automaton;
  /** For each predicate of the automaton, the number of its event. */
  readonly events: readonly number[];
}

/** What makes the letters of calls as a plan is walked through. */
export interface Letters {
  /** The letter of a call with these arguments. */
  letter(
    step: string,
    tool: string,
    argument: (name: string) => Term | undefined,
    facts: readonly Term[],
    prover: Prover,
  ): Letter;
}

/** The events that rules of order speak of, and the automata of these rules. */
export class Events implements Letters {
  readonly rules: readonly OrderAutomaton[];
  readonly #events: CallEvent[] = [];
  readonly #numbers = new Map<CallEvent, number>();

  constructor(contracts: Contracts) {
    this.rules = [...contracts.rules.values()].map((rule) => this.#rule(rule, contracts));
  }

  #rule(rule: OrderRule, contracts: Contracts): OrderAutomaton {
    const { name, message } = rule;
    if (rule.kind === 'formula') {
      const automaton = automatonOf(rule);
      const events = predicatesOf(rule.formula).map((predicate) =>
        this.#numberOf(eventNamed(predicate, contracts)),
      );
      return { name, message, automaton, events };
    }
    const { states, initial, errors, transitions } = rule.automaton;
    const automaton = explicitAutomaton({
      states,
      initial,
      errors,
      transitions: transitions.map(({ from, to }) => ({ from, to })),
    });
    return { name, message, automaton, events: transitions.map(({ event }) => this.#numberOf(event)) };
  }

  #numberOf(event: CallEvent): number {
    let number = this.#numbers.get(event);
    if (number === undefined) {
      number = this.#events.push(event) - 1;
      this.#numbers.set(event, number);
    }
    return number;
  }

  /** Which events a call is, by their numbers. @param holds whether a condition over its arguments is true */
  of(tool: string, holds: (when: Expression) => boolean): boolean[] {
    return this.#events.map(
      ({ tools, when }) => (tools === null || tools.includes(tool)) && (when === null || holds(when)),
    );
  }

  letter(
    step: string,
    tool: string,
    argument: (name: string) => Term | undefined,
    facts: readonly Term[],
    prover: Prover,
  ): Letter {
    const when = this.#events.map(({ tools, when: condition }) => {
      const happens = tools === null || tools.includes(tool);
      return happens && condition !== null ? instantiate(condition.root, argument) : happens;
    });
    return letterOf(step, tool, when, facts, prover);
  }
}

/** The letter of a call, of whose events it is known whether they happen, or the condition when they do. */
export function letterOf(
  step: string,
  tool: string,
  when: readonly (boolean | Term)[],
  facts: readonly Term[],
  prover: Prover,
): Letter {
  const found = when.map((one): readonly [Trilean, Term | null] => {
    if (typeof one === 'boolean') return [one, null];
    const condition = folded(one);
    const happens = truthOf(condition, facts, prover);
    return [happens, happens === undefined ? condition : null];
  });
  return { step, tool, events: found.map(([happens]) => happens), conditions: found.map(([, one]) => one) };
}

/** The truth of a condition where facts hold; undefined if it may be true and may be not. */
export function truthOf(condition: Term, facts: readonly Term[], prover: Prover): Trilean {
  const constant = constantOf(condition);
  if (constant !== undefined) return typeof constant.value === 'boolean' ? constant.value : undefined;
  if (prover.proves(facts, condition).kind === 'proved') return true;
  return prover.proves(facts, negation(condition)).kind === 'proved' ? false : undefined;
}

/** Automata of formulas are built once. */
const built = new WeakMap<object, Automaton>();

function automatonOf(rule: Extract<OrderRule, { kind: 'formula' }>): Automaton {
  let automaton = built.get(rule.formula);
  if (automaton === undefined) {
    automaton = buildAutomaton(rule.formula);
    built.set(rule.formula, automaton);
  }
  return automaton;
}

/** An event by its name; the name of a tool stands for each call of it. */
function eventNamed(name: string, contracts: Contracts): CallEvent {
  return contracts.events.get(name) ?? { name, tools: [name], when: null };
}

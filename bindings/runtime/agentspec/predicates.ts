import { EvaluationError, InvalidArgumentError } from '../../base/errors.js';
import { describeValue, nearestName } from '../../base/suggest.js';
import {
  compilePredicate,
  type Fields,
  freeNames,
  parseExpression,
} from '../../languages/expression/index.js';
import { printCall } from './printAgentSpec.js';
import type { ProposedAction } from './reactiveRules.js';
import { type AgentSpecRule, type Argument, type Condition, describePlace } from './rule.js';

/** The input of a predicate that is a function. */
export interface PredicateContext {
  readonly state: Fields;
  readonly action: ProposedAction;
  /** The arguments that the rule gives the predicate: `[2]` for `trafficlight_color(2)`. */
  readonly parameters: readonly Argument[];
}

/**
 * The meaning of a rule's predicate: an expression (docs/rules.md) over the fields of the state, `action.name`, `arguments` (those of the action) and
 * `parameters` (those the rule gives the predicate); or a synchronous function. Both treat text of the agent as data.
 */
export type PredicateBinding = string | ((context: PredicateContext) => boolean);

/** A predicate with the arguments from a rule. */
export interface BoundPredicate {
  /** The predicate as the rule writes it, without negation: the key under which its value is recorded. */
  readonly key: string;
  /** @throws EvaluationError if it throws or does not return a Boolean */
  read(state: Fields, action: ProposedAction): boolean;
}

type PredicateCondition = Extract<Condition, { kind: 'predicate' }>;
type Read = (context: PredicateContext) => boolean;

/** Binds the predicates of rules; compiles each expression once. */
export class Predicates {
  readonly #reads = new Map<string, Read>();
  readonly #bound = new Map<string, BoundPredicate>();

  constructor(bindings: Readonly<Record<string, PredicateBinding>>) {
    for (const [name, binding] of Object.entries(bindings))
      this.#reads.set(name, compileBinding(name, binding));
  }

  /** @throws InvalidArgumentError if the predicate is not bound, with rule, line and the nearest bound name */
  bind(condition: PredicateCondition, rule: AgentSpecRule): BoundPredicate {
    const { name, arguments: parameters } = condition;
    const key = printCall(condition);
    const known = this.#bound.get(key);
    if (known !== undefined) return known;
    const read = this.#reads.get(name);
    if (read === undefined) {
      const nearest = nearestName(name, [...this.#reads.keys(), 'true', 'True', 'false', 'False']);
      throw new InvalidArgumentError(
        `rule @${rule.id}${describePlace(condition)} reads the predicate ${name}, which is not bound; ` +
          `${nearest === undefined ? `add "${name}" to predicates` : `did you mean ${nearest}?`}`,
      );
    }
    const predicate: BoundPredicate = {
      key,
      read(state, action) {
        try {
          return read({ state, action, parameters });
        } catch (cause) {
          if (cause instanceof EvaluationError) throw cause;
          const said = cause instanceof Error ? cause.message : 'no error';
          throw new EvaluationError(`predicate "${name}" threw: ${said}`, { predicate: name, cause });
        }
      },
    };
    this.#bound.set(key, predicate);
    return predicate;
  }
}

function compileBinding(name: string, binding: PredicateBinding): Read {
  if (typeof binding === 'string') return compileText(name, binding);
  if (typeof binding !== 'function') {
    throw new InvalidArgumentError(
      `predicate ${name} is bound to ${describeValue(binding)}; expected an expression or a function`,
    );
  }
  return (context) => {
    const value: unknown = binding(context);
    if (typeof value === 'boolean') return value;
    const given = value instanceof Promise ? 'a promise' : describeValue(value);
    // Nobody awaits the promise; its rejection must not end the process.
    if (value instanceof Promise) value.catch(() => undefined);
    throw new EvaluationError(`predicate "${name}" gave ${given}; expected a Boolean, at once`, {
      predicate: name,
    });
  };
}

function compileText(name: string, text: string): Read {
  const expression = parseExpression(text, { name: `predicate "${name}"` });
  const evaluate = compilePredicate(expression, name);
  const names = new Set(freeNames(expression));
  const readsMore = names.has('arguments') || names.has('parameters');
  return ({ state, action, parameters }) => {
    const given = action.arguments ?? {};
    // A spread copies own fields as they are, even one named __proto__, and runs no setter.
    const fields = readsMore ? { ...state, arguments: given, parameters } : state;
    return evaluate(fields, { action: { name: action.name, arguments: given } });
  };
}

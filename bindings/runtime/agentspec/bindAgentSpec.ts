import { InvalidArgumentError } from '../../base/errors.js';
import { describeValue, type OptionNames, refuseUnknownOptions } from '../../base/suggest.js';
import type { Fields } from '../../languages/expression/index.js';
import type { Strategy } from '../guard/index.js';
import {
  type BoundEnforcement,
  bindEnforcements,
  type EnforcementBinding,
  severityOf,
} from './enforcements.js';
import { type BoundPredicate, type PredicateBinding, Predicates } from './predicates.js';
import type { ProposedAction, ReactiveDecision, ReactiveRules } from './reactiveRules.js';
import type { AgentSpecRule } from './rule.js';
import { type BoundTriggers, bindTriggers } from './triggers.js';

/** The meaning of the words in AgentSpec rules for the agent that they are bound to. */
export interface BindAgentSpecOptions {
  /** The meaning of each predicate of the rules. */
  readonly predicates?: Readonly<Record<string, PredicateBinding>>;
  /**
   * Strategies of enforcements, in addition to or instead of the defaults: stop → stop, skip → block, user_inspection → inspect, llm_self_examine and
   * llm_self_reflect → reflect, `invoke_action(a)` → replace by `a`, none → no strategy. A setting such as `real:trj:emergency_stop = 1` has no default; its
   * namespaces, `real:trj` and `real`, also name it.
   */
  readonly strategies?: Readonly<Record<string, EnforcementBinding>>;
  /** The actions of a trigger, such as `{ 'turn on': ['ToggleObjectOn'] }`. Default: the actions of the trigger's name. */
  readonly triggers?: Readonly<Record<string, string | readonly string[]>>;
  /** The agent's tools; if given, a trigger that is none of them is refused, because its rule would never apply. */
  readonly tools?: readonly string[];
}

const optionNames: OptionNames<BindAgentSpecOptions> = {
  predicates: true,
  strategies: true,
  triggers: true,
  tools: true,
};

/**
 * Binds AgentSpec rules to an agent.
 *
 * @throws InvalidArgumentError if a predicate is not bound, or an enforcement or trigger is unknown, with rule, line and the nearest name; ParseError if an
 * expression is malformed; NotSupportedError if one uses `matches` and `loadRegexEngine` was not awaited
 */
export function bindAgentSpec(
  rules: readonly AgentSpecRule[],
  options: BindAgentSpecOptions = {},
): ReactiveRules {
  refuseUnknownOptions('bindAgentSpec', options, optionNames);
  if (!Array.isArray(rules as unknown)) {
    throw new InvalidArgumentError(
      `bindAgentSpec is given ${describeValue(rules)}; expected the \`rules\` of parseAgentSpec`,
    );
  }
  const predicates = new Predicates(options.predicates ?? {});
  const strategies = new Map(Object.entries(options.strategies ?? {}));
  const triggers = new Map(Object.entries(options.triggers ?? {}));
  const bound = rules.map(
    (rule): BoundRule => ({
      id: rule.id,
      triggers: bindTriggers(rule, triggers, options.tools),
      conditions: rule.conditions.map((condition) =>
        condition.kind === 'constant'
          ? { predicate: null, holdsOn: condition.value }
          : { predicate: predicates.bind(condition, rule), holdsOn: !condition.negated },
      ),
      enforcement: bindEnforcements(rule, strategies),
    }),
  );
  return new BoundRules(bound, definitionOf(rules, options));
}

/** Of a function there is only its name. */
function definitionOf(
  rules: readonly AgentSpecRule[],
  { predicates = {}, triggers = {} }: BindAgentSpecOptions,
): unknown {
  const texts = Object.entries(predicates).map(([name, binding]) => [
    name,
    typeof binding === 'string' ? binding : null,
  ]);
  return { rules, predicates: texts, triggers };
}

interface BoundRule {
  readonly id: string;
  readonly triggers: BoundTriggers;
  /** `predicate` is null for a constant, whose value is `holdsOn`. */
  readonly conditions: readonly { readonly predicate: BoundPredicate | null; readonly holdsOn: boolean }[];
  readonly enforcement: BoundEnforcement;
}

class BoundRules implements ReactiveRules {
  readonly strategies: readonly Strategy[];
  /** The most severe rules first, equals in the rules' order: the first rule that applies decides, and predicates of less severe rules are not read. */
  readonly #rules: readonly BoundRule[];

  readonly definition: unknown;

  constructor(rules: readonly BoundRule[], definition: unknown) {
    this.definition = definition;
    this.#rules = [...rules].sort((a, b) => severityOf(b.enforcement) - severityOf(a.enforcement));
    this.strategies = rules.flatMap(({ enforcement: { strategy } }) => (strategy === null ? [] : [strategy]));
  }

  decide(state: Fields, action: ProposedAction): ReactiveDecision {
    return this.#first(action.name, (predicate) => predicate.read(state, action));
  }

  decideOn(values: Readonly<Record<string, boolean>>, action: string): ReactiveDecision {
    return this.#first(action, ({ key }) => {
      if (Object.hasOwn(values, key) && typeof values[key] === 'boolean') return values[key];
      throw new InvalidArgumentError(
        `the recorded values lack ${key}, which a rule reads on ${JSON.stringify(action)}; were they recorded under other rules?`,
      );
    });
  }

  #first(action: string, read: (predicate: BoundPredicate) => boolean): ReactiveDecision {
    const values = new Map<string, boolean>();
    const said = (predicate: BoundPredicate): boolean => {
      const value = values.get(predicate.key) ?? read(predicate);
      values.set(predicate.key, value);
      return value;
    };
    const applies = ({ triggers, conditions }: BoundRule): boolean =>
      (triggers === null || triggers.has(action)) &&
      conditions.every(({ predicate, holdsOn }) =>
        predicate === null ? holdsOn : said(predicate) === holdsOn,
      );
    const rule = this.#rules.find(applies);
    const { strategy, note } = rule?.enforcement ?? { strategy: null, note: null };
    return { rule: rule?.id ?? '', strategy, note, values: Object.fromEntries(values) };
  }
}

import { InvalidArgumentError } from '../../base/errors.js';
import type { ObjectCondition } from '../trace/index.js';
import type { AbstractionDefinition, PredicateDefinition } from './definition.js';

/** Predicates, constraints on them, and the rule for which they were generated. */
export interface GeneratedRule extends AbstractionDefinition {
  /** `G !(…)`: the conditions never all hold at once. */
  readonly formula: string;
}

/** A required property of an object: the suffix of its predicate's name, and an expression over `o`. */
interface Property {
  readonly suffix: string;
  readonly expression: string;
}

/**
 * Generates the smallest abstraction that decides whether a list of object conditions holds, and the rule that they never all hold together.
 *
 * A condition is about one object: `{ objectType: 'Microwave', flags: { isToggled: true, isOpen: false } }` requires one microwave that is
 * both on and shut. Each condition becomes a predicate (`microwaveToggledNotOpen`). A condition with several properties also adds a
 * predicate for each property (`microwaveToggled`, `microwaveNotOpen`), so that a chain has states on the way to it, and the constraint
 * that the condition implies them.
 *
 * @param conditions as `objectConditions` reads them from a task's `final_state`. States hold `objects`, a list of objects
 * with `objectType`, the flags, `parentReceptacles` and, if required, `receptacleObjectIds`, both lists of types.
 * @throws InvalidArgumentError if there are none, or a flag's name is not an identifier
 */
export function fromConditions(conditions: readonly ObjectCondition[]): GeneratedRule {
  if (conditions.length === 0) {
    throw new InvalidArgumentError('there are no object conditions; a rule needs at least one');
  }
  const predicates = new Map<string, string>();
  const implications = new Map<string, string>();
  const unsafe = conditions.map((condition) => {
    const properties = propertiesOf(condition);
    const define = (asked: readonly Property[]): string =>
      defineIn(predicates, camelCase(condition.objectType) + suffixOf(asked), existence(condition, asked));
    if (properties.length < 2) return define(properties);
    const parts = properties.map((property) => define([property]));
    const whole = define(properties);
    implications.set(whole, `(!${whole} || ${parts.join(' && ')})`);
    return whole;
  });
  return {
    predicates: Array.from(predicates, ([name, expression]): PredicateDefinition => ({ name, expression })),
    ...(implications.size > 0 && { constraints: { state: [...implications.values()].join(' && ') } }),
    formula: never(unsafe),
  };
}

/** Returns `G !(a & b)`, with each name once. */
export function never(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  return distinct.length === 1 ? `G !${distinct[0]}` : `G !(${distinct.join(' & ')})`;
}

/** Converts a type to the start of a name: `AlarmClock` becomes `alarmClock`, `TVStand` becomes `tvStand`. */
function camelCase(type: string): string {
  const name = type
    .replace(/[^A-Za-z0-9_]/g, '')
    .replace(/^(?:[A-Z]+(?![a-z])|[A-Z])/, (start) => start.toLowerCase());
  return /^[a-z_]/.test(name) ? name : `_${name}`;
}

function propertiesOf({ flags, parentReceptacles, receptacleObjectIds }: ObjectCondition): Property[] {
  const properties: Property[] = [];
  const memberships = (types: readonly string[] | undefined, field: string, word: string): void => {
    if (types?.length === 0) {
      properties.push({ suffix: `${word}Nothing`, expression: `size(o.${field}) == 0` });
    }
    for (const type of types ?? []) {
      properties.push({
        suffix: word + pascalCase(type),
        expression: `${JSON.stringify(type)} in o.${field}`,
      });
    }
  };
  memberships(parentReceptacles, 'parentReceptacles', 'In');
  memberships(receptacleObjectIds, 'receptacleObjectIds', 'Holds');
  for (const [flag, value] of Object.entries(flags)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(flag)) {
      throw new InvalidArgumentError(`"${flag}" is not a name of a flag; expected one such as isOpen`);
    }
    const word = pascalCase(flag.replace(/^is(?=[A-Z])/, ''));
    properties.push(
      value ? { suffix: word, expression: `o.${flag}` } : { suffix: `Not${word}`, expression: `!o.${flag}` },
    );
  }
  return properties;
}

/** The suffix of a condition's name, kept short because a name of all properties could be longer than the expression. */
function suffixOf(properties: readonly Property[]): string {
  if (properties.length === 0) return 'Present';
  return properties.length > 4 ? 'AsDescribed' : properties.map(({ suffix }) => suffix).join('');
}

function existence({ objectType }: ObjectCondition, properties: readonly Property[]): string {
  const conditions = [
    `o.objectType == ${JSON.stringify(objectType)}`,
    ...properties.map((one) => one.expression),
  ];
  return `objects.exists(o, ${conditions.join(' && ')})`;
}

/** Defines an expression and returns its name: `name`, with a number appended if `name` already has another expression. */
function defineIn(predicates: Map<string, string>, name: string, expression: string): string {
  let free = name;
  for (let i = 2; predicates.has(free) && predicates.get(free) !== expression; i++) free = `${name}${i}`;
  predicates.set(free, expression);
  return free;
}

/** Converts `isOpen` to `IsOpen`, for the middle of a name. */
export function pascalCase(name: string): string {
  const word = name.replace(/[^A-Za-z0-9_]/g, '');
  return word.charAt(0).toUpperCase() + word.slice(1);
}

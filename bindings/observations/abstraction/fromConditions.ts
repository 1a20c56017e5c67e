import { InvalidArgumentError } from '../../base/errors.js';
import type { ObjectCondition } from '../trace/index.js';
import type { AbstractionDefinition, PredicateDefinition } from './definition.js';

/** Predicates, what is known of them, and the rule over them that they were made for. */
export interface GeneratedRule extends AbstractionDefinition {
  /** `G !(…)`: never all conditions at once. */
  readonly formula: string;
}

/** One thing asked of an object: how its predicate's name goes on, and an expression over `o`. */
interface Property {
  readonly suffix: string;
  readonly expression: string;
}

/**
 * The least abstraction that can tell whether a list of object conditions holds, and the rule that they never hold together.
 *
 * A condition is about one object: `{ objectType: 'Microwave', flags: { isToggled: true, isOpen: false } }` asks for a
 * microwave that is on and shut, not for one of each. It becomes a predicate (`microwaveToggledNotOpen`); one that asks for
 * several properties also gives a predicate to each (`microwaveToggled`, `microwaveNotOpen`), so that a chain can see it
 * coming, and the constraint that it implies them.
 *
 * @param conditions as `objectConditions` reads them from a task's `final_state`. States hold `objects`, a list of objects
 * with `objectType`, the flags, `parentReceptacles` and, where asked for, `receptacleObjectIds`, both lists of types.
 * @throws InvalidArgumentError if there are none, or a flag's name is no identifier
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

/** `G !(a & b)`, each name once. */
export function never(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  return distinct.length === 1 ? `G !${distinct[0]}` : `G !(${distinct.join(' & ')})`;
}

/** `AlarmClock` as the start of a name: `alarmClock`; `TVStand`: `tvStand`. */
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
      throw new InvalidArgumentError(`"${flag}" is no name of a flag; expected one such as isOpen`);
    }
    const word = pascalCase(flag.replace(/^is(?=[A-Z])/, ''));
    properties.push(
      value ? { suffix: word, expression: `o.${flag}` } : { suffix: `Not${word}`, expression: `!o.${flag}` },
    );
  }
  return properties;
}

/** Conditions on everything about an object would have names longer than their expressions. */
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

/** The name under which an expression is kept: `name`, or with a number where that means something else already. */
function defineIn(predicates: Map<string, string>, name: string, expression: string): string {
  let free = name;
  for (let i = 2; predicates.has(free) && predicates.get(free) !== expression; i++) free = `${name}${i}`;
  predicates.set(free, expression);
  return free;
}

/** `isOpen` as the middle of a name: `IsOpen`. */
export function pascalCase(name: string): string {
  const word = name.replace(/[^A-Za-z0-9_]/g, '');
  return word.charAt(0).toUpperCase() + word.slice(1);
}

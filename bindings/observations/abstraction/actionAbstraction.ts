import { EvaluationError } from '../../base/errors.js';
import { compilePredicate, parseExpression } from '../../languages/expression/index.js';
import type { Action } from '../trace/index.js';
import type { ActionDefinition } from './definition.js';
import { checkPredicateName } from './predicateName.js';

interface Predicate {
  readonly name: string;
  readonly holds: (action: Action) => boolean;
}

/**
 * The abstraction of actions: a tool's name, refined by the values of named predicates over its arguments. A call of `transfer`, for which
 * `large` is defined, becomes `transfer[large]` or `transfer[!large]`; several predicates are all listed, in their order. A name that
 * contains a bracket or a quotation mark is quoted, so that different abstractions have different names.
 */
export class ActionAbstraction {
  readonly definition: ActionDefinition;
  readonly #predicates: ReadonlyMap<string, readonly Predicate[]>;

  /**
   * @throws ParseError if an expression is malformed; InvalidArgumentError if a predicate's name is not an identifier, or is reserved
   */
  constructor(definition: ActionDefinition = {}) {
    this.definition = definition;
    this.#predicates = new Map(
      Object.entries(definition).map(([tool, predicates]) => [
        tool,
        predicates.map(({ name, expression }) => {
          checkPredicateName(name);
          const what = `predicate "${name}" of action "${tool}"`;
          const evaluate = compilePredicate(parseExpression(expression, { name: what }), name);
          return {
            name,
            // Arguments may have reserved names, because a call has no time and no action of its own.
            holds: ({ arguments: given }) => {
              const args = given ?? {};
              return evaluate(args, { time: args.time, action: args.action });
            },
          };
        }),
      ]),
    );
  }

  /**
   * @returns null for no action, which is also a choice: to do nothing, or to stop
   * @throws EvaluationError if an action has no name, or if a predicate over its arguments cannot be evaluated
   */
  nameOf(action: Action | null | undefined): string | null {
    if (action === undefined || action === null) return null;
    const { name } = action;
    if (typeof name !== 'string')
      throw new EvaluationError(`an action has a name; found ${typeof name} instead of text`);
    const plain = plainName(name);
    const predicates = this.#predicates.get(name);
    if (predicates === undefined || predicates.length === 0) return plain;
    return `${plain}[${predicates.map((one) => (one.holds(action) ? one.name : `!${one.name}`)).join(', ')}]`;
  }
}

/** The abstraction of a tool's calls without predicates: its name, quoted if it could be taken for one with predicates. */
export function plainName(tool: string): string {
  return /["[]/.test(tool) ? JSON.stringify(tool) : tool;
}

/** The tool of a call, and the value of each predicate over its arguments, in their order. */
export interface AbstractCall {
  readonly tool: string;
  readonly values: readonly boolean[];
}

/** Reads an abstraction of actions back: the inverse of `ActionAbstraction.nameOf`. @returns null for what is none */
export function abstractCall(name: string, definition: ActionDefinition = {}): AbstractCall | null {
  for (const [tool, predicates] of Object.entries(definition)) {
    const plain = plainName(tool);
    if (predicates.length === 0 || !name.startsWith(`${plain}[`) || !name.endsWith(']')) continue;
    const found = name.slice(plain.length + 1, -1).split(', ');
    const fits =
      found.length === predicates.length &&
      predicates.every((one, i) => [one.name, `!${one.name}`].includes(found[i]));
    if (fits) return { tool, values: found.map((one) => !one.startsWith('!')) };
  }
  const tool = name.startsWith('"') ? unquoted(name) : name;
  return tool !== null && plainName(tool) === name ? { tool, values: [] } : null;
}

function unquoted(name: string): string | null {
  try {
    const tool: unknown = JSON.parse(name);
    return typeof tool === 'string' ? tool : null;
  } catch {
    return null;
  }
}

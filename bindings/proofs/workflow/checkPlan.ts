import { nearestName } from '../../base/suggest.js';
import { describeType, type ValueType } from '../contract/index.js';
import { either, fitness, widened } from './fitness.js';
import type { Plan, Step, Value } from './plan.js';
import { MOST_PROBLEMS, type PlanProblem, planProblem } from './planError.js';
import { quoted } from './reading.js';
import type { ToolTypes } from './toolTypes.js';
import { type Report, type Scope, typeOfPlanExpression, typeOfValue } from './typeOf.js';

/** What is known of a plan and the types of tools. */
export interface PlanCheck {
  /** What is wrong in every run, up to 100; empty if nothing is. */
  readonly problems: readonly PlanProblem[];
  /** Where a value may be of another type than is expected: to be proved, or to be checked when the plan runs. */
  readonly narrowings: readonly Narrowing[];
  /** The type of each name of the plan. */
  readonly types: ReadonlyMap<string, ValueType>;
}

/** A value whose type has values that are not of the type that is expected. */
export interface Narrowing {
  readonly step: string;
  /** JSON pointer to the value in the nested form. */
  readonly pointer: string;
  readonly value: Value;
  readonly found: ValueType;
  readonly expected: ValueType;
  /** The argument of the tool that expects it; null: a list that a loop goes through, or the next value of a fold. */
  readonly argument: string | null;
  /** In one sentence. */
  readonly text: string;
}

/**
 * Checks a plan against the types of tools: known tools and arguments, names that are given once and known where they are used, types of arguments, conditions and lists.
 * It finds everything in one pass, and takes time in proportion to the size of the plan. Data are not looked at: there are none yet.
 */
export function checkPlan(plan: Plan, tools: ToolTypes): PlanCheck {
  return new PlanChecker(tools).check(plan);
}

type Way = readonly (string | number)[];

class PlanChecker {
  readonly #tools: ToolTypes;
  readonly #problems: PlanProblem[] = [];
  readonly #narrowings: Narrowing[] = [];
  readonly #types = new Map<string, ValueType>();
  /** The names that are known here, each with the step that gave it. */
  readonly #known = new Map<string, string | null>();
  readonly #ids = new Set<string>();
  readonly #scope: Scope;
  #step = '';

  constructor(tools: ToolTypes) {
    this.#tools = tools;
    this.#scope = {
      type: (name) => (this.#known.has(name) ? this.#types.get(name) : undefined),
      isTaken: (name) => this.#types.has(name),
      names: () => this.#known.keys(),
    };
  }

  check(plan: Plan): PlanCheck {
    for (const [name, type] of Object.entries(plan.inputs)) {
      this.#types.set(name, type);
      this.#known.set(name, null);
    }
    this.#steps(plan.steps, ['steps']);
    return { problems: this.#problems, narrowings: this.#narrowings, types: this.#types };
  }

  #problem(way: Way, kind: 'shape' | 'type', found: string, expected: string, hint?: string): void {
    if (this.#problems.length < MOST_PROBLEMS)
      this.#problems.push(
        planProblem({ kind, step: this.#step, pointer: pointerOf(way), found, expected, hint }),
      );
  }

  #reportAt(way: Way): Report {
    return (part, kind, found, expected, hint) =>
      this.#problem([...way, ...part], kind, found, expected, hint);
  }

  /** A list of steps; names that it gives are known to the end of it. `last` sees them. */
  #steps(
    steps: readonly Step[],
    way: Way,
    last: () => void = () => {},
    given: readonly (readonly [string, ValueType])[] = [],
  ): void {
    const outer = this.#step;
    const known: string[] = [];
    const give = (name: string, type: ValueType, at: Way): void => {
      if (this.#give(name, type, at)) known.push(name);
    };
    for (const [name, type] of given) give(name, type, way.slice(0, -1));
    for (const [i, step] of steps.entries()) {
      const at = [...way, i];
      this.#step = step.id;
      if (this.#ids.has(step.id))
        this.#problem(
          [...at, 'id'],
          'shape',
          `the id ${quoted(step.id)} a second time`,
          'an id that no other step has',
        );
      this.#ids.add(step.id);
      if (i > 0 && steps[i - 1].kind === 'return')
        this.#problem(
          at,
          'shape',
          'a step after "return", which never runs',
          '"return" as the last step of its list',
        );
      this.#check(step, at, (name, type, part) => give(name, type, [...at, part]));
    }
    this.#step = outer;
    last();
    for (const name of known) this.#known.delete(name);
  }

  #give(name: string, type: ValueType, way: Way): boolean {
    if (this.#types.has(name)) {
      const before = this.#known.get(name);
      const by = before === undefined || before === null ? '' : `, which step ${before} gives`;
      this.#problem(
        way,
        'shape',
        `the name ${quoted(name)} a second time${by}`,
        'a name that the plan has not given yet',
      );
      return false;
    }
    this.#types.set(name, type);
    this.#known.set(name, this.#step);
    return true;
  }

  #check(step: Step, way: Way, give: (name: string, type: ValueType, part: string) => void): void {
    const typeOf = (value: Value, ...part: Way) =>
      typeOfValue(value, this.#scope, this.#reportAt([...way, ...part]));
    switch (step.kind) {
      case 'call': {
        const type = this.#call(step, way);
        if (step.as !== undefined) give(step.as, type, 'as');
        break;
      }
      case 'ask':
        for (const [i, value] of step.about.entries()) typeOf(value, 'ask', 'about', i);
        give(step.as, step.type, 'as');
        break;
      case 'let':
        give(step.name, typeOf(step.be, 'be'), 'let');
        break;
      case 'if':
        this.#if(step, way, give);
        break;
      case 'forEach': {
        const list = this.#list(step.in, [...way, 'forEach']);
        const collected: [string, ValueType][] = [];
        const collect = () => {
          for (const [name, value] of Object.entries(step.collect ?? {}))
            collected.push([name, { ...list, of: typeOf(value, 'collect', name) }]);
        };
        this.#steps(step.do, [...way, 'do'], collect, [[step.item, list.of]]);
        for (const [name, type] of collected) give(name, type, 'collect');
        break;
      }
      case 'fold': {
        const list = this.#list(step.in, [...way, 'fold']);
        const type = widened(typeOf(step.from, 'from'));
        const next = () => this.#expect(step.next, type, [...way, 'next'], null);
        const given = [
          [step.item, list.of],
          [step.accumulator, type],
        ] as const;
        this.#steps(step.do, [...way, 'do'], next, given);
        give(step.as, type, 'as');
        break;
      }
      case 'require':
        this.#condition(step, [...way, 'require']);
        break;
      case 'return':
        typeOf(step.value, 'return');
    }
  }

  #if(
    step: Extract<Step, { kind: 'if' }>,
    way: Way,
    give: (name: string, type: ValueType, part: string) => void,
  ): void {
    this.#condition(step, [...way, 'if']);
    const yields = Object.entries(step.yields ?? {});
    const branches = (['then', 'else'] as const).map((branch, side) => {
      let types: ValueType[] = [];
      this.#steps(step[branch], [...way, branch], () => {
        types = yields.map(([name, pair]) =>
          typeOfValue(pair[side], this.#scope, this.#reportAt([...way, 'yields', name, side])),
        );
      });
      return types;
    });
    for (const [i, [name]] of yields.entries())
      give(name, either([branches[0][i], branches[1][i]]), 'yields');
  }

  #condition({ condition }: Extract<Step, { kind: 'if' | 'require' }>, way: Way): void {
    const type = typeOfPlanExpression(condition, this.#scope, this.#reportAt(way));
    if (fitness(type, { kind: 'boolean' }) === 'never')
      this.#problem(
        way,
        'type',
        `${quoted(condition.source)}, which is ${describeType(type)}`,
        'a condition: true or false',
      );
  }

  #list(value: Value, way: Way): Extract<ValueType, { kind: 'list' }> {
    const type = typeOfValue(value, this.#scope, this.#reportAt(way));
    if (type.kind === 'list') return type;
    this.#narrow(value, type, { kind: 'list', of: { kind: 'any' } }, way, null);
    if (type.kind !== 'either') return { kind: 'list', of: { kind: 'any' } };
    const lists = type.of.filter((one) => one.kind === 'list');
    return { kind: 'list', of: either(lists.map(({ of }) => of)) };
  }

  #call(step: Extract<Step, { kind: 'call' }>, way: Way): ValueType {
    const tool = this.#tools.tools.get(step.tool);
    if (tool === undefined) {
      const names = [...this.#tools.tools.keys()];
      const near = nearestName(step.tool, names);
      const listed = names.length > 30 ? [...names.slice(0, 30), '…'] : names;
      this.#problem(
        [...way, 'call'],
        'shape',
        `the unknown tool ${quoted(step.tool)}`,
        `one of ${listed.join(', ') || 'no tool'}`,
        near && quoted(near),
      );
      for (const [name, value] of Object.entries(step.with))
        typeOfValue(value, this.#scope, this.#reportAt([...way, 'with', name]));
      return { kind: 'any' };
    }
    for (const [name, value] of Object.entries(step.with)) {
      const at = [...way, 'with', name];
      const argument = tool.arguments.get(name);
      if (argument !== undefined) {
        this.#expect(value, argument.type, at, name);
        continue;
      }
      const names = [...tool.arguments.keys()];
      const near = nearestName(name, names);
      this.#problem(
        at,
        'shape',
        `the unknown argument ${quoted(name)} of ${step.tool}`,
        names.length === 0 ? 'no arguments' : `one of ${names.join(', ')}`,
        near && quoted(near),
      );
      typeOfValue(value, this.#scope, this.#reportAt(at));
    }
    for (const [name, { type, optional }] of tool.arguments)
      if (!optional && !Object.hasOwn(step.with, name))
        this.#problem(
          [...way, 'with'],
          'shape',
          `no argument ${quoted(name)} of ${step.tool}`,
          describeType(type),
        );
    return tool.result.type;
  }

  #expect(value: Value, expected: ValueType, way: Way, argument: string | null): void {
    const type = typeOfValue(value, this.#scope, this.#reportAt(way));
    this.#narrow(value, type, expected, way, argument);
  }

  /** Compares a type with the one that is expected. */
  #narrow(value: Value, found: ValueType, expected: ValueType, way: Way, argument: string | null): void {
    const fits = fitness(found, expected);
    if (fits === 'always') return;
    const what = argument === null ? '' : ` as ${quoted(argument)}`;
    if (fits === 'never')
      this.#problem(way, 'type', `${wordsOf(value, found)}${what}`, describeType(expected));
    else {
      const text = `step ${this.#step}: ${wordsOf(value, found)}${what} may be other than ${describeType(expected)}`;
      this.#narrowings.push({
        step: this.#step,
        pointer: pointerOf(way),
        value,
        found,
        expected,
        argument,
        text,
      });
    }
  }
}

/** A value in a few words: literals as they are, others by their type. */
function wordsOf(value: Value, type: ValueType): string {
  if (value.kind === 'literal') return quotedJson(value.value);
  return value.kind === 'reference'
    ? `${[value.name, ...value.path].join('.')}, ${describeType(type)},`
    : describeType(type);
}

function quotedJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function pointerOf(way: Way): string {
  return way
    .map((key) => `/${String(key).slice(0, 80).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

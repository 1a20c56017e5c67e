import type { ExpressionNode } from '../../languages/expression/index.js';
import { schemaOfType } from '../contract/index.js';
import { parsed } from './canonical.js';
import { isPlanName } from './names.js';
import type { Json, Plan, PlanExpression, Step, Value } from './plan.js';
import { namesOf } from './planNames.js';
import { eachStep, StepIds } from './stepIds.js';

/**
 * Prints a plan as code: a subset of JavaScript, which `lowerCode` of `foreguard/workflow/code` reads back as the same plan. Comments hold ids that do not follow from
 * the code, and notes.
 */
export function printPlan(plan: Plan): string {
  return new Printer(plan).program();
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

class Printer {
  readonly #plan: Plan;
  readonly #explicit: ReadonlySet<string>;
  /** Names of the plan: tools of these names are printed as fields of `tools`. */
  readonly #names: ReadonlySet<string>;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#explicit = explicitIds(plan);
    this.#names = namesOf(plan);
  }

  program(): string {
    const { goal, inputs, steps } = this.#plan;
    const types = Object.entries(inputs).map(
      ([name, type]) => `${name}: ${json(schemaOfType(type) as Json)}`,
    );
    const lines = [`goal(${json(goal)});`];
    if (types.length > 0)
      lines.push(`const { ${Object.keys(inputs).join(', ')} } = inputs({ ${types.join(', ')} });`);
    return `${[...lines, ...this.#steps(steps, '')].join('\n')}\n`;
  }

  #steps(steps: readonly Step[], indent: string): string[] {
    return steps.flatMap((step) => {
      const lines: string[] = [];
      if (this.#explicit.has(step.id)) lines.push(`// id: ${step.id}`);
      if (step.note !== undefined) lines.push(`// note: ${json(step.note)}`);
      return [...lines.map((line) => indent + line), ...this.#step(step, indent)];
    });
  }

  /** Lines with the indentation of the list that they stand in. */
  #step(step: Step, indent: string): string[] {
    const at = (line: string) => indent + line;
    const body = (steps: readonly Step[], last: readonly string[] = []) => {
      const inner = `${indent}  `;
      return [...this.#steps(steps, inner), ...last.map((line) => inner + line)];
    };
    switch (step.kind) {
      case 'call': {
        const call = `await ${this.#tool(step.tool)}(${Object.keys(step.with).length === 0 ? '' : fields(step.with)})`;
        if (step.onError === 'skip') return [at(`try { ${call}; } catch {}`)];
        return [at(step.as === undefined ? `${call};` : `const ${step.as} = ${call};`)];
      }
      case 'ask': {
        const about = step.about.map(printValue).join(', ');
        const type = json(schemaOfType(step.type) as Json);
        return [at(`const ${step.as} = await ask(${json(step.question)}, [${about}], ${type});`)];
      }
      case 'let':
        return [at(`const ${step.name} = ${printValue(step.be)};`)];
      case 'if': {
        const yields = Object.entries(step.yields ?? {});
        const given = (side: 0 | 1) => yields.map(([name, pair]) => `${name} = ${printValue(pair[side])};`);
        const lines = yields.map(([name]) => at(`let ${name};`));
        lines.push(at(`if (${printExpressionAsCode(step.condition)}) {`), ...body(step.then, given(0)));
        if (step.else.length > 0 || yields.length > 0)
          lines.push(at('} else {'), ...body(step.else, given(1)));
        return [...lines, at('}')];
      }
      case 'forEach': {
        const collect = Object.entries(step.collect ?? {});
        const list =
          step.atMost === undefined ? printValue(step.in) : `atMost(${step.atMost}, ${printValue(step.in)})`;
        return [
          ...collect.map(([name]) => at(`const ${name} = [];`)),
          at(`for (const ${step.item} of ${list}) {`),
          ...body(
            step.do,
            collect.map(([name, value]) => `${name}.push(${printValue(value)});`),
          ),
          at('}'),
        ];
      }
      case 'fold': {
        const { accumulator, as, item } = step;
        return [
          at(`let ${accumulator} = ${printValue(step.from)};`),
          at(`for (const ${item} of ${printValue(step.in)}) {`),
          ...body(step.do, [`${accumulator} = ${printValue(step.next)};`]),
          at('}'),
          at(`const ${as} = ${accumulator};`),
        ];
      }
      case 'require':
        return [at(`require(${printExpressionAsCode(step.condition)}, ${json(step.otherwise)});`)];
      case 'return':
        return [at(`return ${printValue(step.value)};`)];
    }
  }

  #tool(name: string): string {
    if (isPlanName(name) && !this.#names.has(name)) return name;
    return IDENTIFIER.test(name) ? `tools.${name}` : `tools[${json(name)}]`;
  }
}

/** The ids that reading the code would not give. */
function explicitIds(plan: Plan): Set<string> {
  const explicit = new Set<string>();
  for (let round = 0; ; round++) {
    const before = explicit.size;
    const ids = new StepIds(explicit);
    eachStep(plan.steps, (step) => {
      if (!explicit.has(step.id) && (round === 4 || ids.make(step) !== step.id)) explicit.add(step.id);
    });
    if (explicit.size === before) return explicit;
  }
}

/** JSON as code. */
function json(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(json).join(', ')}]`;
  if (typeof value !== 'object' || value === null)
    // Line separators end a comment.
    return JSON.stringify(value).replace(/[\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`);
  const entries = Object.entries(value).map(([name, one]) => `${keyOf(name)}: ${json(one)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function keyOf(name: string): string {
  // Written plainly it would set the prototype.
  if (name === '__proto__') return '["__proto__"]';
  return IDENTIFIER.test(name) ? name : json(name);
}

function fields(values: Readonly<Record<string, Value>>): string {
  const entries = Object.entries(values).map(([name, value]) => `${keyOf(name)}: ${printValue(value)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** A value as code. */
export function printValue(value: Value): string {
  switch (value.kind) {
    case 'literal':
      return json(value.value);
    case 'reference':
      return value.name + value.path.map(memberOf).join('');
    case 'list':
      return `[${value.of.map(printValue).join(', ')}]`;
    case 'record':
      return fields(value.fields);
    case 'text': {
      const parts = value.of.map((part) =>
        part.kind === 'literal' && typeof part.value === 'string'
          ? templateOf(part.value)
          : `\${${printValue(part)}}`,
      );
      return `\`${parts.join('')}\``;
    }
    case 'expression':
      return printExpressionAsCode(value.expression);
  }
}

function templateOf(text: string): string {
  // In templates a carriage return is read as a line feed.
  return text
    .replace(/[`\\]|\$(?=\{)/g, '\\$&')
    .replaceAll('\r', '\\r')
    .replaceAll('\n', '\\n')
    .replace(/\$$/, '\\$');
}

function memberOf(step: string | number): string {
  // `length` is what code says for the size of a list.
  return typeof step === 'string' && IDENTIFIER.test(step) && step !== 'length'
    ? `.${step}`
    : `[${json(step)}]`;
}

const STRENGTH = {
  conditional: 0,
  or: 1,
  and: 2,
  relation: 3,
  sum: 4,
  product: 5,
  unary: 6,
  member: 7,
} as const;
const OPERATORS: Readonly<Record<string, readonly [string, number]>> = {
  '==': ['===', STRENGTH.relation],
  '!=': ['!==', STRENGTH.relation],
  '<': ['<', STRENGTH.relation],
  '<=': ['<=', STRENGTH.relation],
  '>': ['>', STRENGTH.relation],
  '>=': ['>=', STRENGTH.relation],
  '+': ['+', STRENGTH.sum],
  '-': ['-', STRENGTH.sum],
  '*': ['*', STRENGTH.product],
  '/': ['/', STRENGTH.product],
  '%': ['%', STRENGTH.product],
};
const METHODS = { exists: 'some', all: 'every', filter: 'filter', map: 'map' } as const;

/** An expression of a plan as code. */
export function printExpressionAsCode(expression: PlanExpression): string {
  return code(parsed(expression).root, STRENGTH.conditional);
}

function code(node: ExpressionNode, minimum: number): string {
  const [text, strength] = bare(node);
  return strength < minimum ? `(${text})` : text;
}

function list(nodes: readonly ExpressionNode[]): string {
  return nodes.map((node) => code(node, STRENGTH.conditional)).join(', ');
}

/** Code with its binding strength. */
function bare(node: ExpressionNode): readonly [string, number] {
  const { member } = STRENGTH;
  switch (node.kind) {
    case 'literal': {
      const isNegative = typeof node.value === 'number' && node.value < 0;
      return [
        json(node.value),
        isNegative ? STRENGTH.unary : typeof node.value === 'number' ? STRENGTH.unary + 0.5 : member,
      ];
    }
    case 'name':
      return [node.name, member];
    case 'list':
      return [`[${list(node.elements)}]`, member];
    case 'map':
      return [
        `({ ${node.keys.map((key, i) => `[${list([key])}]: ${list([node.values[i]])}`).join(', ')} })`,
        member,
      ];
    case 'field':
      return [code(node.object, member) + memberOf(node.field), member];
    case 'has':
      return [`has(${code(node.object, member)}${memberOf(node.field)})`, member];
    case 'index':
      return [`${code(node.object, member)}[${list([node.index])}]`, member];
    case 'unary': {
      const operand = code(node.operand, STRENGTH.unary);
      // Two signs in a row would be another operator.
      return [
        node.operator + (operand.startsWith('-') && node.operator === '-' ? `(${operand})` : operand),
        STRENGTH.unary,
      ];
    }
    case 'binary': {
      const { operator, left, right } = node;
      if (operator === 'in') return [includes(left, right), member];
      const [symbol, strength] = OPERATORS[operator];
      // Comparisons in comparisons bind otherwise in JavaScript.
      const first = strength === STRENGTH.relation ? strength + 1 : strength;
      return [`${code(left, first)} ${symbol} ${code(right, strength + 1)}`, strength];
    }
    case 'logical': {
      const strength = node.operator === '||' ? STRENGTH.or : STRENGTH.and;
      return [node.operands.map((one) => code(one, strength + 1)).join(` ${node.operator} `), strength];
    }
    case 'conditional': {
      const { condition, whenTrue, whenFalse } = node;
      const branches = `${code(whenTrue, STRENGTH.or)} : ${code(whenFalse, STRENGTH.conditional)}`;
      return [`${code(condition, STRENGTH.or)} ? ${branches}`, STRENGTH.conditional];
    }
    case 'call': {
      const [first, second] = node.arguments;
      if (node.function === 'startsWith' || node.function === 'endsWith')
        return [`${code(first, member)}.${node.function}(${list([second])})`, member];
      return [`${node.function}(${list(node.arguments)})`, member];
    }
    case 'macro': {
      const { macro, variable } = node;
      const body = code(node.body, STRENGTH.conditional);
      const arrow = `(${variable}) => ${body}`;
      if (macro === 'exists_one') return [`existsOne(${list([node.list])}, ${arrow})`, member];
      return [`${code(node.list, member)}.${METHODS[macro]}(${arrow})`, member];
    }
  }
}

/** Membership: a method where the list is written out, since the same method of texts is another operation. */
function includes(element: ExpressionNode, container: ExpressionNode): string {
  if (container.kind === 'list') return `${code(container, STRENGTH.member)}.includes(${list([element])})`;
  return `isIn(${list([element, container])})`;
}

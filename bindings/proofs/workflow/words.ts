import { printable, printableName } from '../../base/words.js';
import { describeType, placeOf } from '../contract/index.js';
import type { Plan, PlanExpression, Step, Value } from './plan.js';

/** Longest text of a plan's author that is shown in full. */
const MOST_SHOWN = 200;

/**
 * A plan in plain English, a line for each step, with steps of branches and loops below theirs.
 *
 * What a step does is said from the step itself. Texts that the plan's author wrote (the goal, notes, questions, literals) stand in quotes on one line, and say
 * nothing about what is done.
 */
export function planWords(plan: Plan): string {
  const inputs = Object.entries(plan.inputs).map(([name, type]) => `${name} (${describeType(type)})`);
  const head = [`The author of the plan says that it is for ${quotedWords(plan.goal)}.`];
  if (inputs.length > 0) head.push(`It is given ${inputs.join(', ')}.`);
  if (plan.steps.length === 0) head.push('It does nothing.');
  return `${[...head, ...stepLines(plan.steps, '', '')].join('\n')}\n`;
}

function stepLines(steps: readonly Step[], number: string, indent: string): string[] {
  return steps.flatMap((step, i) => {
    const own = `${number}${i + 1}.`;
    const note = step.note === undefined ? '' : ` The author notes: ${quotedWords(step.note)}.`;
    const lines = [`${indent}${own} ${sentence(step)}${note}`];
    const inner = (list: readonly Step[], prefix = '') => stepLines(list, `${own}${prefix}`, `${indent}   `);
    const last = afterwards(step).map((line) => `${indent}   ${line}`);
    switch (step.kind) {
      case 'if':
        lines.push(...(step.then.length > 0 ? inner(step.then) : [`${indent}   nothing.`]));
        if (step.else.length > 0) lines.push(`${indent}   Otherwise:`, ...inner(step.else, 'else.'));
        break;
      case 'forEach':
      case 'fold':
        lines.push(...(step.do.length > 0 ? inner(step.do) : []));
    }
    return [...lines, ...last];
  });
}

/** What a step does, in one sentence; with a colon where others follow. */
export function sentence(step: Step): string {
  switch (step.kind) {
    case 'call': {
      const given = Object.entries(step.with).map(
        ([name, value]) => `${printableName(name)} ${valueWords(value)}`,
      );
      const what = given.length === 0 ? ' without arguments' : ` with ${given.join(', ')}`;
      const result = step.as === undefined ? '' : `; call the result ${step.as}`;
      return `Call ${printableName(step.tool)}${what}${result}${step.onError === 'skip' ? '; if it fails, go on' : ''}.`;
    }
    case 'ask': {
      const about = step.about.length === 0 ? 'nothing' : step.about.map(valueWords).join(', ');
      return `Ask a model without tools ${quotedWords(step.question)} about ${about}; call the answer, ${printable(describeType(step.type))}, ${step.as}.`;
    }
    case 'let':
      return `Let ${step.name} be ${valueWords(step.be)}.`;
    case 'if':
      return `If ${expressionWords(step.condition)}:`;
    case 'forEach': {
      const most = step.atMost === undefined ? '' : `, which may have at most ${step.atMost} elements`;
      return `For each element ${step.item} of ${valueWords(step.in)}${most}${step.do.length > 0 ? ', in order:' : ':'}`;
    }
    case 'fold':
      return `Begin with ${valueWords(step.from)} as ${step.accumulator}. For each element ${step.item} of ${valueWords(step.in)}, in order:`;
    case 'require':
      return `Stop unless ${expressionWords(step.condition)}, and say ${quotedWords(step.otherwise)}.`;
    case 'return':
      return `Give ${valueWords(step.value)} to the user, and end.`;
  }
}

/** What a step gives after the steps within it. */
function afterwards(step: Step): string[] {
  switch (step.kind) {
    case 'if':
      return Object.entries(step.yields ?? {}).map(
        ([name, [then, otherwise]]) =>
          `Afterwards ${name} is ${valueWords(then)} if the condition held, and ${valueWords(otherwise)} otherwise.`,
      );
    case 'forEach':
      return Object.entries(step.collect ?? {}).map(
        ([name, value]) => `Collect ${valueWords(value)} in the list ${name}.`,
      );
    case 'fold':
      return [`Go on with ${valueWords(step.next)} as ${step.accumulator}. The last one is ${step.as}.`];
    default:
      return [];
  }
}

/** A value in words: paths and expressions as expressions write them, literals as JSON. */
export function valueWords(value: Value): string {
  switch (value.kind) {
    case 'literal':
      return typeof value.value === 'string' ? quotedWords(value.value) : cut(JSON.stringify(value.value));
    case 'reference':
      return printable(placeOf(value.name, value.path));
    case 'list':
      return `[${value.of.map(valueWords).join(', ')}]`;
    case 'record': {
      const fields = Object.entries(value.fields).map(
        ([name, one]) => `${printableName(name)}: ${valueWords(one)}`,
      );
      return `{${fields.join(', ')}}`;
    }
    case 'text':
      return value.of.length === 1
        ? `the text of ${valueWords(value.of[0])}`
        : value.of.map(valueWords).join(' + ');
    case 'expression':
      return expressionWords(value.expression);
  }
}

function expressionWords({ source }: PlanExpression): string {
  return cut(source);
}

/** A text of the author in quotes, on one line. */
function quotedWords(text: string): string {
  return cut(JSON.stringify(text.length > MOST_SHOWN ? text.slice(0, MOST_SHOWN) : text), text.length);
}

function cut(text: string, length = text.length): string {
  const shown = text.length > MOST_SHOWN * 4 ? text.slice(0, MOST_SHOWN * 4) : text;
  return length > MOST_SHOWN * 4 || length > text.length
    ? `${printable(shown)} … (${length} characters)`
    : printable(shown);
}

import { printableName } from '../../base/words.js';
import { describeType, type ValueType } from '../contract/index.js';
import type { ToolTypes } from './toolTypes.js';

/** Options of the prompt. */
export interface PlanPromptOptions {
  /** How the plan is to be written. Default `flat`. */
  readonly form?: 'flat' | 'nested' | 'code';
  /** The names that are given to the plan, with their types. */
  readonly inputs?: Readonly<Record<string, ValueType>>;
  /** What plans must keep to, in the operator's words. */
  readonly policy?: string;
}

const COMMON = `You write a plan. You do not carry it out, and you see no data while you write it. The plan is checked before anything runs.
Each name is given once. A name that a loop or a branch gives is known within it alone. Lists are gone through by loops. Data are never read by you: where a text must be understood, the plan asks a model without tools, for an answer of a type.
Expressions: literals, names, fields (mail.from), positions (mails[0]), == != < <= > >= + - * / %, && || !, a ? b : c, x in list, size(x),
text.startsWith(t), text.endsWith(t), text.contains(t), domainOf(email), list.filter(x, …), list.map(x, …), list.exists(x, …), list.all(x, …), has(a.b).`;

const FORMS: Readonly<Record<'flat' | 'nested' | 'code', string>> = {
  flat: `Answer with one JSON object: {"goal": …, "blocks": [{"id": "main", "steps": […]}, …], "values": []}. The first block is the plan; other blocks are named once, by then, else or do.
A step has an id, a kind and the fields of its kind:
  call: tool, arguments [{name, value}], as, onError    ask: question, about [values], schema (JSON Schema as text), as
  let: as, value    if: condition, then, else, yields [{name, then, else}]    forEach: in, item, atMost, do, collect [{name, value}]
  fold: in, item, from, accumulator, do, next, as    require: condition, otherwise    return: value
A value is {"kind": "text", "text": …}, {"kind": "number", "number": …}, {"kind": "boolean", "boolean": …}, {"kind": "null"}, {"kind": "json", "json": …}, {"kind": "reference", "name": …, "path": […]},
{"kind": "expression", "expression": …}, {"kind": "list", "of": […]}, {"kind": "record", "fields": [{name, value}]} or {"kind": "template", "of": […]}.
A list, record or template within another value stands in "values" and is named by {"kind": "value", "value": ID}.`,
  nested: `Answer with one JSON object: {"goal": …, "steps": […]}. A step is one of
  {"call": TOOL, "with": {NAME: value}, "as": NAME}    {"ask": {"question": …, "about": [values], "schema": {…}}, "as": NAME}
  {"let": NAME, "be": value}    {"if": EXPRESSION, "then": [steps], "else": [steps], "yields": {NAME: [value, value]}}
  {"forEach": value, "item": NAME, "do": [steps], "collect": {NAME: value}}    {"fold": value, "item": NAME, "from": value, "accumulator": NAME, "do": [steps], "next": value, "as": NAME}
  {"require": EXPRESSION, "else": TEXT}    {"return": value}
A value is a text, a number, true, false, null, {"ref": NAME, "path": […]}, {"literal": …}, {"list": [values]}, {"record": {NAME: value}}, {"text": [values]} or {"expr": EXPRESSION}.`,
  code: `Answer with one block of JavaScript, as statements without a function around them. It is read, never run, and this is all there is:
  const x = await tool({ name: value });    const x = await ask('question', [values], { type: 'string' });    const x = value;
  if (condition) { … } else { … }    for (const x of list) { … }    require(condition, 'why not');    return value;
  const xs = []; for (const x of list) { …; xs.push(value); }    let t = 0; for (const x of list) { t = t + x.size; }    let y; if (c) { y = a; } else { y = b; }
Values are literals, templates, records, lists, fields, c ? a : b, comparisons by === and !==, .includes .startsWith .endsWith, .map .filter .some .every with an arrow that is one expression, size(x), domainOf(email), has(a.b).`,
};

/** The text that tells a language model how plans are written, and with which tools. It holds no data. */
export function planPrompt(tools: ToolTypes, options: PlanPromptOptions = {}): string {
  const { form = 'flat', inputs = {}, policy } = options;
  const given = Object.entries(inputs).map(([name, type]) => `  ${name}: ${describeType(type)}`);
  const parts = [COMMON, FORMS[form], `Tools:\n${Array.from(tools.tools, toolLines).join('\n')}`];
  if (given.length > 0) parts.push(`Names that are given:\n${given.join('\n')}`);
  if (policy !== undefined) parts.push(`What plans must keep to:\n${policy}`);
  return `${parts.join('\n\n')}\n`;
}

function toolLines([name, tool]: readonly [
  string,
  ToolTypes['tools'] extends ReadonlyMap<string, infer T> ? T : never,
]): string {
  const given = Array.from(
    tool.arguments,
    ([argument, { type, optional }]) =>
      `${printableName(argument)}${optional ? '?' : ''}: ${describeType(type)}`,
  );
  const about = tool.description ? `\n    ${JSON.stringify(tool.description.slice(0, 1000))}` : '';
  return `  ${printableName(name)}(${given.join('; ')}) gives ${describeType(tool.result.type)}${about}`;
}

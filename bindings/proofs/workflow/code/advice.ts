import type { AnyNode } from 'acorn';

/** What code has that plans do not, and what to write in its place. */
const ADVICE: Readonly<Record<string, readonly [found: string, expected: string]>> = {
  WhileStatement: ['a while loop', 'for (const x of list), which ends'],
  DoWhileStatement: ['a do loop', 'for (const x of list), which ends'],
  ForStatement: ['a for loop with a counter', 'for (const x of list)'],
  ForInStatement: ['a for … in loop', 'for (const x of list)'],
  FunctionDeclaration: ['a function', 'its steps themselves, where it is called'],
  FunctionExpression: [
    'a function',
    'an arrow that is one expression, as argument of map, filter, some or every',
  ],
  ArrowFunctionExpression: [
    'a function',
    'an arrow that is one expression, as argument of map, filter, some or every',
  ],
  ClassDeclaration: ['a class', 'records: { name: value }'],
  ClassExpression: ['a class', 'records: { name: value }'],
  NewExpression: ['an object made by new', 'a literal, or what a tool gives'],
  ThisExpression: ['this', 'a name'],
  Super: ['super', 'a name'],
  ThrowStatement: ['a throw', "require(condition, 'why not'), or if (!condition) throw new Error('why not')"],
  TryStatement: [
    'a try',
    'try { await tool({…}); } catch {}, with this one call, or no try: a call that fails ends the run',
  ],
  SwitchStatement: ['a switch', 'if and else'],
  LabeledStatement: ['a label', 'no label'],
  BreakStatement: ['a break', 'a list that ends there: list.filter((x) => …)'],
  ContinueStatement: ['a continue', 'if with the rest of the steps in it'],
  DebuggerStatement: ['a debugger statement', 'nothing in its place'],
  WithStatement: ['a with statement', 'names'],
  BlockStatement: ['a block of its own', 'its steps without the braces'],
  ImportDeclaration: [
    'an import',
    'the tools by their names: they are known; a program that calls workflow(…) is for you to run: have it write planJson(plan)',
  ],
  ImportExpression: ['an import', 'the tools by their names: they are known'],
  ExportNamedDeclaration: ['an export', 'the steps themselves, and return for the result'],
  ExportDefaultDeclaration: ['an export', 'the steps themselves, and return for the result'],
  ExportAllDeclaration: ['an export', 'the steps themselves, and return for the result'],
  AssignmentExpression: ['an assignment', 'const with another name'],
  UpdateExpression: ['a counter', 'size(list), or a sum in a loop: total = total + 1'],
  SequenceExpression: ['expressions joined by a comma', 'one after the other'],
  YieldExpression: ['a yield', 'return'],
  TaggedTemplateExpression: ['a tagged template', 'a template without a tag'],
  ChainExpression: ['an optional chain', 'has(a.b) ? a.b : otherwise'],
  MetaProperty: ['import.meta', 'a name'],
  AwaitExpression: ['an await within a value', 'a name for it first: const x = await …'],
  SpreadElement: ['a spread', 'the elements or fields one by one'],
  ObjectPattern: ['a pattern of fields', 'const a = value.a, one by one'],
  ArrayPattern: ['a pattern of elements', 'const a = value[0], one by one'],
  AssignmentPattern: ['a default', 'has(a.b) ? a.b : otherwise'],
  PrivateIdentifier: ['a private name', 'a name'],
};

/** What stands at a node, and what is expected in its place. */
export function adviceFor({ type }: AnyNode): readonly [found: string, expected: string] {
  return ADVICE[type] ?? [`what plans do not have (${type})`, 'a step or a value'];
}

/** Methods that are not those of plans, and what to write in their place. */
export const METHODS_ADVICE: Readonly<Record<string, string>> = {
  join: 'a template with the parts, or a loop',
  forEach: 'for (const x of list)',
  reduce: 'a sum in a loop: let total = 0; for (const x of list) { total = total + x.size; }',
  find: 'list.filter((x) => …)[0]',
  indexOf: 'isIn(x, list), or contains(text, part)',
  toLowerCase: 'lowerAscii(text)',
  toUpperCase: 'lowerAscii(text) on both sides of a comparison',
  trim: 'trim(text)',
  match: 'matches(text, "pattern")',
  test: 'matches(text, "pattern")',
  split: 'what a tool gives as a list',
  concat: 'a template for texts, or a + b',
  push: 'list.push(value) at the end of the body of the loop that follows const list = []',
  toString: 'a template',
  hasOwnProperty: 'has(a.b)',
  slice: 'atMost(5, list) after for (const x of',
  sort: 'a tool that sorts',
  then: 'await',
  catch: 'try { await tool({…}); } catch {}',
};

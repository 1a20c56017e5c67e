import { describe, expect, it } from 'vitest';
import type { Inputs } from '../../../bindings/languages/inputs/index.js';
import { readScript } from '../../../bindings/languages/policyScript/index.js';

const INPUTS: Inputs = {
  to: { type: { kind: 'list', of: { kind: 'text', most: 100 }, most: 10 } },
  title: { type: { kind: 'text', most: 100 } },
  note: { type: { kind: 'text', most: 100 }, optional: true },
  amount: { type: { kind: 'number' } },
  cents: { type: { kind: 'integer', least: 0, most: 100 } },
  secret: { type: { kind: 'boolean' } },
  mode: { type: { kind: 'enum', values: ['draft', 'final'] } },
};
const HEAD = `import { deny, domainOf, glob, permit, size, trim, type Decision } from 'foreguard/policy';
interface Inputs {
  to: readonly string[]; title: string; note: string | null; amount: number; cents: number; secret: boolean;
  mode: 'draft' | 'final';
}
`;

/** All that is wrong with a script, without the first lines. */
function problemsOf(source: string): string[] {
  return readScript(source, INPUTS).problems.map(
    ({ line, column, message }) => `${line}:${column}: ${message}`,
  );
}

/** What is wrong with statements, which stand from line 7 on. */
function wrongWith(statements: string): string[] {
  const body = `${HEAD}export function p(inputs: Inputs): Decision { const { to, title, note, amount, cents, secret, mode } = inputs;`;
  return problemsOf(`${body}\n${statements}\nif (secret) return permit(); return deny('no'); }`);
}

/** What is wrong with a condition, which stands in line 7 from column 5 on. */
const wrongWithCondition = (condition: string) => wrongWith(`if (${condition}) return permit();`);

describe('what scripts refuse', () => {
  it.each([
    ['secret == true', '7:12: found "==", expected ==='],
    ['title != "a"', '7:11: found "!=", expected !=='],
    [
      'to[0] === "a"',
      '7:7: found an element by its index, expected every, some, includes or filter(…).length',
    ],
    ['note?.length === 0', '7:9: found "?.", expected a comparison with null before it: x !== null && x.…'],
    ['note!.length === 0', '7:9: found a "!" after a value, expected a comparison with null before it'],
    [
      'note.startsWith("a")',
      '7:5: found "note", which may be null, expected a comparison before it: note !== null && …',
    ],
    [
      'secret === null',
      '7:12: found a comparison of null with what is never null, expected an optional input',
    ],
    [
      'note === undefined',
      '7:14: found "undefined", expected null, which stands for an input that is absent',
    ],
    ['`a` === title', "7:5: found a template, expected texts in quotes, joined by +: 'a' + b"],
    ['title', "7:5: found a text, expected a truth value, as in text !== ''"],
    ['cents', '7:5: found a number, expected a truth value, as of a comparison'],
    ['!title', '7:6: found a text, expected a truth value'],
    [
      'title < "b"',
      '7:5: found a text beside "<", expected numbers: JavaScript orders texts by UTF-16 units',
    ],
    [
      'title.length > 3',
      '7:18: found a comparison of the length of a text, which counts UTF-16 units, expected size(text)',
    ],
    [
      // False in JavaScript whatever the title.
      "title.length === '0'",
      '7:18: found a comparison of the length of a text, which counts UTF-16 units, expected size(text)',
    ],
    [
      'title.length + 1 > 3',
      '7:11: found the length of a text, which counts UTF-16 units, expected size(text)',
    ],
    ['title + 1 === "a1"', '7:11: found a text + a number, expected two numbers or two texts'],
    [
      'amount * amount * amount > 1',
      '7:21: found "*" whose result may be no number (NaN), expected inputs with bounds',
    ],
    ['cents / 2 > 1', '7:11: found "/", expected a multiplication'],
    ['cents % 2 === 0', '7:11: found "%", expected comparisons, + - and *'],
    ['to === to', '7:8: found a list === a list, expected every, some or includes'],
    ['title === cents', '7:11: found a text === a number, expected two values of one kind'],
    [
      'mode === "darft"',
      '7:10: found a comparison with "darft", which is none of its values, expected draft',
    ],
    ['to.evry(r => secret)', '7:8: found the method "evry" of a list, expected every'],
    ['to.map(r => r).length > 1', '7:8: found the method "map" of a list, expected every or some'],
    [
      'to.every(r => r.toLowerCase() === "a")',
      'found the method "toLowerCase" of a text, expected lowerAscii(text)',
    ],
    ['to.every((r, i) => i > 1)', '7:16: found ",", expected one parameter: r => …'],
    ['to.every(r => { const a = r; return a === ""; })', 'found "const", expected an expression: r => …'],
    [
      'to.some(domainOf)',
      '7:13: found no function as the argument of some, expected one of one parameter: r => …',
    ],
    ['to.some(title => secret)', '7:13: found a second "title", expected another name'],
    ['title.startsWith("a", 1)', '7:11: found 2 arguments of startsWith, expected 1'],
    ['title.includes(note)', '7:20: found "note", which may be null'],
    ['to.includes(3)', '7:17: found a number, expected a text'],
    ['domainof(title) === "a"', '7:5: found the unknown function "domainof", expected domainOf'],
    [
      'hostOf(title) === "a"',
      `7:5: found "hostOf", which is not imported, expected import { hostOf } from 'foreguard/policy'`,
    ],
    ['domainOf() === "a"', '7:5: found 0 arguments of domainOf, expected 1'],
    ['glob(title, title)', '7:17: found such a pattern, expected a pattern of at most 1000 characters'],
    [
      'p(inputs)',
      'found a call of "p", expected its condition itself: functions of scripts call none of each other, nor themselves',
    ],
    ['permit()', '7:5: found permit(…) within an expression, expected return permit(…)'],
    ['titel === "a"', '7:5: found the unknown name "titel", expected title'],
    ['inputs.titel === "a"', '7:12: found "titel", which is no input, expected title'],
    ['inputs', '7:5: found all inputs, expected one of them: inputs.to'],
    ['new Date() > 1', '7:5: found "new", expected inputs, texts, numbers and lists of them'],
    ['Date.now() > 1', '7:5: found "Date", expected an input that says the time'],
    ['Math.random() > 0.5', '7:5: found "Math", expected comparisons, + - and *'],
    ['JSON.parse(title)', '7:5: found "JSON", expected inputs, which are read already'],
    ['typeof title === "string"', '7:5: found "typeof", expected a comparison of values'],
    ['await secret', '7:5: found "await", expected inputs, which are there before the function runs'],
    ['(secret = true)', '7:13: found an assignment, expected a const of another name'],
    ['cents++ > 1', '7:10: found an assignment'],
    ['secret as any', '7:12: found "as", expected the value alone'],
    ['{ a: 1 }', '7:5: found an object, expected texts, numbers, truth values or lists of them'],
    ['[[1]].length > 1', '7:6: found a list in a list, expected texts, numbers or truth values'],
    ['[1, "a"].includes(1)', '7:9: found a text in a list, expected a number, as before it'],
    [
      '/a.c/.test(title)',
      '7:7: found ".", which matches halves of characters without the flag u, expected the flag u',
    ],
    [
      'secret || secret ?? secret',
      'found "??" beside another logical operator, expected parentheses around one of them',
    ],
    ['12n > 1', '7:5: found "12n".'],
    ['010 > 1', '7:5: found "010".'],
    ["title === '\\ud800'", '7:15: found half of a surrogate pair in a text, expected whole characters'],
    ["title === '\\07'", '7:16: found the escape \\0'],
    ["title === 'a", "7:15: found a text without its end, expected the closing '"],
  ])('%s', (condition, expected) => {
    expect(wrongWithCondition(condition).join('\n')).toContain(expected);
  });

  it.each([
    ['let x = 1;', '7:1: found "let", expected const'],
    ['var x = 1;', '7:1: found "var", expected const'],
    [
      'for (const r of to) { return permit(); }',
      '7:1: found "for", expected every, some or filter(…).length of a list',
    ],
    ['while (secret) { }', '7:1: found "while", expected every, some or filter(…).length of a list'],
    ['do { } while (secret)', '7:1: found "do", expected every'],
    [
      "switch (mode) { case 'draft': return permit(); }",
      '7:1: found "switch", expected if (…) … else if (…) …',
    ],
    ['try { } catch (e) { }', '7:1: found "try", expected return deny'],
    ['throw 1;', '7:1: found "throw", expected return deny(\'…\')'],
    [
      'function f() { return 1; }',
      '7:1: found "function", expected the condition itself, or a const that holds it',
    ],
    [
      'const f = (r) => r;',
      '7:11: found a function as a value, expected it as the argument of every, some or filter',
    ],
    ['const title = 1;', '7:1: found a second "title", expected another name'],
    ['const [a] = to;', '7:7: found "[", expected a name, or { names } of inputs'],
    ['const { title: a = 1 } = inputs;', '7:18: found "=", expected no default'],
    ['const { titel } = inputs;', '7:9: found "titel", which is no input, expected title'],
    ['const a: number = title;', '7:10: found another type than that of the value'],
    ['const a = null;', '7:11: found a const that is null'],
    ['cents = 3;', '7:7: found an assignment, expected a const of another name'],
    [
      'if (secret) return',
      "7:13: found a return without a decision, expected return permit() or return deny('…'), on one line",
    ],
    ['return\npermit();', '7:1: found a return without a decision'],
    ['return secret;', "7:8: found no decision, expected permit() or deny('why')"],
    ["return permit('a');", '7:15: found an argument of permit'],
    ['return deny();', '7:8: found no reason of deny, expected a text'],
    ['return deny(title);', '7:13: found no reason of deny, expected a text'],
    ['secret;', '7:1: found an expression by itself, expected const, if or return'],
    ['if (secret) const a = 1;', '7:13: found "const" without braces'],
    ['const a = 1, b = 2;', '7:12: found ",", expected ";", and another const for the next name'],
  ])('%s', (statement, expected) => {
    expect(wrongWith(statement).join('\n')).toContain(expected);
  });

  it.each([
    ['const a = trim;', '1:11: found'],
    [
      "import { domainOf } from 'foreguard/policy'; const d = domainOf('a');",
      'found a const of the file that may have no value, expected it within the function',
    ],
    ["import fs from 'fs';", '1:8: found "fs", expected { permit, deny, … } from \'foreguard/policy\''],
    [
      "import { readFileSync } from 'fs';",
      `1:1: found an import of "fs", expected 'foreguard/policy', or import type`,
    ],
    [
      "import { permitt } from 'foreguard/policy';",
      '1:10: found "permitt", which foreguard/policy has not, expected permit',
    ],
    ["import { permit as yes } from 'foreguard/policy';", '1:17: found "as", expected the name as it is'],
    ['function f() {}', '1:1: found a function that is not exported'],
    ['class A {}', '1:1: found "class", expected functions and consts'],
    ['export async function f() {}', '1:8: found "async"'],
    ['export function f() {}', '1:19: found ")", expected a name, or { names } of inputs'],
    ['export function f(a) {}', '1:20: found ")", expected the type of the inputs, as in (inputs: Inputs)'],
    ['export function f(a: any) { }', '1:22: found the type any, expected the type of the value'],
    ['export function f(a: Inputz) { }', '1:22: found the unknown type "Inputz"'],
    ['export function f(a: { titel: string }) { }', '1:24: found "titel", which is no input, expected title'],
    ['export function f(a: { title: number }) { }', '1:31: found another type of "title", expected string'],
    [
      'export function f(a: { note: string }) { }',
      '1:30: found another type of "note", expected string | null',
    ],
    ['export function f(a: { note?: string | null }) { }', '1:28: found "?", expected note: T | null'],
    [
      "export function f(a: { mode: 'draft' }) { }",
      "1:30: found another type of \"mode\", expected 'draft' | 'final'",
    ],
    [
      'export function f(a: { to: string }) { }',
      '1:28: found another type of "to", expected readonly string[]',
    ],
    [
      'export function f(a: { title: string }): boolean { }',
      '1:42: found another type of result, expected Decision',
    ],
    [
      "export function f(a: { title: string }) { if (a.secret) return deny('x'); }",
      '1:49: found "secret", which the type of the inputs lacks, expected secret: boolean in it',
    ],
    [
      "export function f(a: { title: string }) { if (a.title === '') return deny('x'); }",
      `found "deny", which is not imported, expected import { deny } from 'foreguard/policy'`,
    ],
    [
      'export function f(a: { title: string }) { }',
      "1:43: found the end of the function on a path without a return, expected return deny('why')",
    ],
    [
      "import { deny } from 'foreguard/policy'; export function f(a: { title: string }) { return deny('x'); }",
      'found a function that permits nothing, expected return permit() on some path',
    ],
    ['', '1:1: found no function, expected export function NAME'],
    ['/* a', '1:1: found a comment without its end'],
  ])('%s', (source, expected) => {
    expect(problemsOf(source).join('\n')).toContain(expected);
  });

  it('come all in one run, in order, each once', () => {
    const problems = wrongWith(
      'let x = 1;\nfor (const r of to) {}\nif (secret == true) return permit();\nconst d = new Date();\nreturn deny(`x`);',
    );
    expect(problems.map((one) => one.split(':')[0])).toEqual(['7', '8', '9', '10', '11']);
  });
});

describe('what scripts accept', () => {
  it.each([
    ["note !== null && note.startsWith('a')", 'note != null && note.startsWith("a")'],
    ["note === null || note !== 'a' && size(note) > 2", 'note == null || note != "a" && size(note) > 2'],
    ["(note ?? 'x') === 'x'", 'note == null || note == "x"'],
    ["['a', 'b'].includes(title)", 'title in ["a", "b"]'],
    ["to.filter(r => r !== '').length > 1", 'size(to.filter(r, r != "")) > 1'],
    ["to.filter((r: string) => r !== '').every(q => q === 'a')", 'to.all(r, r == "" || r == "a")'],
    ['to.some(loop => loop === title)', 'to.exists(element1, element1 == title)'],
    ['title.length > 0', 'title != ""'],
    ['to.length === 0', 'size(to) == 0'],
    ['(secret ? 10 : 100) >= cents', 'secret ? 10 >= cents : 100 >= cents'],
    ['/^a[^b]\\d$/iu.test(title) || /^a/i.test(title)', null],
    ['/^[^\\s@]+@a\\.b$/u.test(title)', null],
    ['secret === (cents > 3)', 'secret ? cents > 3 : !(cents > 3)'],
    ['1_000 + 0x10 - -2 > cents * 2', '1018 > cents * 2'],
    ["'\\u{1F600}' + 'a' === title", '"😀a" == title'],
  ])('%s', (condition, expected) => {
    const body = `${HEAD}export function p({ to, title, note, amount, cents, secret, mode }: Inputs): Decision {`;
    const { functions, problems } = readScript(
      `${body} if (${condition}) return permit(); return deny('no'); }`,
      INPUTS,
    );
    if (condition.includes('/iu')) expect(problems).toHaveLength(1);
    else expect(problems).toEqual([]);
    const found = functions[0]?.returns[0]?.expression;
    if (expected !== null) expect(found).toBe(expected);
  });

  it('know after a return what is not null, and of a const what it says', () => {
    const { problems } = readScript(
      `${HEAD}export function p({ note }: Inputs): Decision {
  const isThere = note !== null;
  if (isThere && note.endsWith('x')) return deny('x')
  if (note === null) { return deny('absent') }
  return note.startsWith('a') ? permit() : deny('other')
}`,
      INPUTS,
    );
    expect(problems).toEqual([]);
  });
});

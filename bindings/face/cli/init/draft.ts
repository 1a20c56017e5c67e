import { comment, flow, plain, scalar, wrapped } from '../../../base/yamlText.js';
import { unreadPaths } from './argumentTexts.js';
import type { DraftedCall, DraftedRule, DraftedTool } from './draftedRules.js';
import { typeText } from './toolArguments.js';

/** What a drafted specification is made of. */
export interface Draft {
  /** What it was made from, for its first line. */
  readonly source: string;
  readonly tools: readonly DraftedTool[];
  readonly rules: readonly DraftedRule[];
  /** Predicates that recordings suggest, as lines of comments; empty if there are none. */
  readonly candidates: readonly string[];
  /** Commands to go on with. */
  readonly next: readonly string[];
}

const WIDTH = 110;

/** The text of a drafted specification. Rules that need a choice are comments; each is enforced once the `# ` before its lines is taken away. */
export function draftText({ source, tools, rules, candidates, next }: Draft): string {
  const active = rules.filter(({ isChoice }) => !isChoice);
  const choices = rules.filter(({ isChoice }) => isChoice);
  const lines = [
    `# Drafted by foreguard init from ${comment(source, 90)}.`,
    '# Its rules are enforced from the first call; what breaks one does not run. Rules that need a choice of yours are comments.',
    ...next.map((command) => `#   ${comment(command, 200)}`),
    'version: 1',
    '',
  ];
  if (tools.length > 0)
    lines.push(
      '# The tools, what each does as far as its description tells, and its arguments. A predicate that names another tool is refused.',
      'tools:',
      ...tools.flatMap(toolLines),
      '',
    );
  lines.push(
    'predicates:',
    ...active.flatMap(({ predicate, condition }) => scalar(predicate, ofCall(condition, tools), '  ', WIDTH)),
    ...candidates.map((line) => `  # ${line}`.trimEnd()),
    '',
    'rules:',
    ...active.flatMap((rule) => [...says(rule), `  ${ruleLine(rule, rule.predicate)}`]),
  );
  if (choices.length > 0)
    lines.push(
      '',
      '  # To choose from: take away the "# " before the lines of a rule, and run foreguard test.',
    );
  for (const rule of choices)
    lines.push('', ...says(rule), ...choiceLines(rule, tools).map((line) => `  # ${line}`));
  const tests = active.flatMap(testLines);
  if (tests.length > 0) lines.push('', 'tests:', ...tests);
  return `${lines.join('\n')}\n`;
}

function toolLines({ name, description, effect, why, arguments: all }: DraftedTool): string[] {
  const told = comment(description);
  const types = all.map((one) => [one.name, typeText(one)] as const);
  const line = `  ${plain(name)}: { arguments: ${types.length === 0 ? '{}' : `{ ${types.map(([key, type]) => `${plain(key)}: ${type}`).join(', ')} }`} }`;
  const listed = all.flatMap(({ name: argument, values, minimum, maximum }) => {
    if (values !== null) return [`${argument}: ${values.map((value) => JSON.stringify(value)).join(', ')}`];
    if (minimum === null && maximum === null) return [];
    return [
      `${argument}: ${minimum === null ? `at most ${maximum}` : maximum === null ? `at least ${minimum}` : `${minimum} to ${maximum}`}`,
    ];
  });
  return [
    `  # ${effect} (${comment(why, 60)})${told === '' ? '' : `: ${told}`}`,
    ...(listed.length === 0 ? [] : [`  # ${comment(listed.join('; '), 100)}`]),
    ...unreadPaths(all).map(
      (path) => `  # NOT READ by any rule below, though it may be a path: ${comment(path, 60)}`,
    ),
    ...(line.length <= WIDTH
      ? [line]
      : [
          `  ${plain(name)}:`,
          `    arguments:${types.length === 0 ? ' {}' : ''}`,
          ...types.map(([key, type]) => `      ${plain(key)}: ${type}`),
        ]),
  ];
}

/** Predicates also have a value at steps without a call. */
function ofCall(condition: string, tools: readonly DraftedTool[]): string {
  if (tools.length === 0) return condition;
  return `has(action.name) && ${condition.includes(' || ') ? `(${condition})` : condition}`;
}

function says({ says: text }: DraftedRule): string[] {
  return wrapped(text, WIDTH - 4).map((line) => `  # ${line}`);
}

function ruleLine({ name, strategy }: DraftedRule, predicate: string): string {
  return `${name}: { formula: 'G !${predicate}'${strategy === undefined ? '' : `, strategy: ${strategy}`} }`;
}

/** A rule whose condition stands in its formula, so that its lines are all there is to it. */
function choiceLines({ name, condition, strategy }: DraftedRule, tools: readonly DraftedTool[]): string[] {
  return [
    `${name}:`,
    ...scalar('formula', `G !\`${ofCall(condition, tools)}\``, '  ', WIDTH - 4),
    ...(strategy === undefined ? [] : [`  strategy: ${strategy}`]),
  ];
}

function testLines({ name, passes, stops, strategy }: DraftedRule): string[] {
  const test = (what: string, calls: readonly DraftedCall[], expect: string): string[] => [
    `  - name: ${name} ${what}`,
    `    rule: ${name}`,
    ...runLines(calls),
    `    expect: ${expect}`,
  ];
  return [
    ...(passes.length === 0 ? [] : test('lets pass', passes, 'allowed')),
    ...(strategy === 'report' || stops.length === 0
      ? []
      : test('stops', stops, `{ stopped: ${stops.length - 1} }`)),
  ];
}

function runLines(calls: readonly DraftedCall[]): string[] {
  const line = `    run: [${calls.map(callText).join(', ')}]`;
  if (line.length <= WIDTH) return [line];
  const short = wrapped(calls.map(callText).join(', '), WIDTH - 6);
  if (calls.every(({ arguments: given }) => given === undefined))
    return ['    run:', '      [', ...short.map((part) => `        ${part}`), '      ]'];
  return ['    run:', ...calls.map((call) => `      - ${callText(call)}`)];
}

/** Words that `tests` reads otherwise than as the name of a tool. */
const CALL_KEYS = ['call', 'arguments', 'result', 'error', 'state', 'time', '__proto__'];

function callText({ call, arguments: given = {}, state }: DraftedCall): string {
  if (state !== undefined) return `{ call: ${plain(call)}, state: ${flow(state)} }`;
  if (Object.keys(given).length === 0) return plain(call);
  if (CALL_KEYS.includes(call)) return `{ call: ${plain(call)}, arguments: ${flow(given)} }`;
  return `{ ${plain(call)}: ${flow(given)} }`;
}

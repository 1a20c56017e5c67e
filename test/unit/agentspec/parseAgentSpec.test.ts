import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../../bindings/base/errors.js';
import { parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import { sharedData } from '../../shared.js';

/** The one rule of a text, without places. */
function read(text: string) {
  const { rules, skipped } = parseAgentSpec(text);
  expect(rules).toHaveLength(1);
  expect(skipped).toEqual([]);
  return JSON.parse(JSON.stringify(rules[0], (key, value) => (key === 'place' ? undefined : value)));
}

function failure(text: string): ParseError {
  try {
    parseAgentSpec(text, { source: 'my.rule' });
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError);
    return error as ParseError;
  }
  throw new Error('it parses');
}

const rule = (check: string, enforce = 'stop', trigger = 'PythonREPL') =>
  `rule @r\ntrigger\n  ${trigger}\ncheck\n  ${check}\nenforce\n  ${enforce}\nend\n`;

describe('rules of AgentSpec', () => {
  it('have an id, a trigger, a condition and an enforcement', () => {
    expect(read('rule @no_delete trigger Todoist.Delete check is_important enforce stop end')).toEqual({
      id: 'no_delete',
      triggers: ['Todoist.Delete'],
      conditions: [{ kind: 'predicate', name: 'is_important', arguments: [], negated: false }],
      enforcements: [{ name: 'stop', arguments: [], value: null }],
    });
  });

  it('have triggers of several words, and alternatives', () => {
    expect(read(rule('true', 'stop', 'turn on | put down\n  | "pick  up | hold"')).triggers).toEqual([
      'turn on',
      'put down',
      'pick  up | hold',
    ]);
  });

  it('join conditions by & and by lines, negated and with arguments', () => {
    const { conditions } = read(
      rule('near(2, "a, b") & !!raised // why\n  !lowered()\n  ! colour( the red, or so (dark) )'),
    );
    expect(conditions).toEqual([
      { kind: 'predicate', name: 'near', arguments: [2, 'a, b'], negated: false },
      { kind: 'predicate', name: 'raised', arguments: [], negated: false },
      { kind: 'predicate', name: 'lowered', arguments: [], negated: true },
      { kind: 'predicate', name: 'colour', arguments: ['the red', 'or so (dark)'], negated: true },
    ]);
  });

  it('write true and false in letters of any case', () => {
    const { conditions } = read(rule('True\n  true\n  FALSE\n  !false'));
    expect(conditions.map(({ value }: { value: boolean }) => value)).toEqual([true, true, false, true]);
  });

  it('enforce with arguments, and set parameters', () => {
    const { enforcements } = read(
      rule(
        'true',
        'user_inspection("is \\"this\\" right? // no comment")\n  invoke_action(brake, {"force": [1, 2]})\n  real:trj:stop = -1.50',
      ),
    );
    expect(enforcements).toEqual([
      { name: 'user_inspection', arguments: ['is "this" right? // no comment'], value: null },
      { name: 'invoke_action', arguments: ['brake', '{"force": [1, 2]}'], value: null },
      { name: 'real:trj:stop', arguments: [], value: -1.5 },
    ]);
  });

  it('know where they stand', () => {
    const { rules } = parseAgentSpec(`\r\n// one\r\n  ${rule('a &\n b')}`, { source: 'my.rule' });
    expect(rules[0].place).toEqual({ source: 'my.rule', line: 3, column: 3 });
    expect(rules[0].conditions.map(({ place }) => place)).toEqual([
      { source: 'my.rule', line: 7, column: 3 },
      { source: 'my.rule', line: 8, column: 2 },
    ]);
  });

  it('are none in an empty text', () => {
    for (const text of ['', ' \n', '// nothing', '\uFEFF'])
      expect(parseAgentSpec(text)).toEqual({ rules: [], skipped: [] });
  });

  it('may have other text between them, which is given back', () => {
    const text = `case 1 ???? // why\n${rule('a')}rest of it\n${rule('b')}`;
    const { rules, skipped } = parseAgentSpec(text, { source: 'my.rule' });
    expect(rules).toHaveLength(2);
    expect(skipped).toEqual([
      { source: 'my.rule', line: 1, column: 1, text: 'case 1 ????' },
      { source: 'my.rule', line: 10, column: 1, text: 'rest of it' },
    ]);
  });
});

describe('errors in rules of AgentSpec', () => {
  it.each([
    [
      'a part outside a rule',
      'my rule\ntrigger\n  x\ncheck\n  true\nenforce\n stop\nend',
      2,
      1,
      '"rule @name" before it',
    ],
    ['a rule without name', 'rule no_delete\ntrigger x', 1, 6, '"@" and the name of the rule'],
    ['no trigger', 'rule @r\ntrigger\ncheck\n true', 3, 1, 'a trigger, such as the name of a tool'],
    [
      'two triggers on two lines',
      'rule @r\ntrigger\n a\n b\ncheck true',
      4,
      2,
      '"|" and another trigger, or "check"',
    ],
    ['no condition', 'rule @r trigger a check enforce stop end', 1, 25, '"true" or a predicate'],
    ['nothing behind &', 'rule @r trigger a check p & enforce stop end', 1, 29, '"true" or a predicate'],
    [
      '| between conditions',
      'rule @r trigger a check p | q enforce stop end',
      1,
      27,
      '"true" or a predicate',
    ],
    [
      'nothing to enforce',
      'rule @r trigger a check p enforce end',
      1,
      35,
      'what to enforce, such as "stop" or "user_inspection"',
    ],
    [
      'a rule that does not end',
      `${rule('a').replace('end\n', '')}${rule('b')}`,
      8,
      1,
      'something else to enforce, or "end"',
    ],
    ['a bracket that stays open', 'rule @r trigger a check p(1, (2) enforce stop end', 1, 26, '")"'],
    ['an argument that is missing', 'rule @r trigger a check p(1,) enforce stop end', 1, 29, 'an argument'],
    [
      'text in quotes that stays open',
      'rule @r trigger a check p("x) enforce stop end',
      1,
      27,
      'text in quotes, as in JSON',
    ],
    [
      'an escape that JSON has not',
      'rule @r trigger a check p("\\d") enforce stop end',
      1,
      27,
      'text in quotes, as in JSON',
    ],
    ['a setting without number', 'rule @r trigger a check p enforce real:x = fast end', 1, 44, 'a number'],
    ['an infinite setting', 'rule @r trigger a check p enforce real:x = 1e999 end', 1, 44, 'a number'],
  ])('point at %s', (_, text, line, column, expected) => {
    const error = failure(text);
    expect(error).toMatchObject({ source: 'my.rule', line, column, expected });
    expect(error.message).toContain(`my.rule:${line}:${column}: `);
  });

  const whole = rule('a');
  it.each([
    ['capitals', whole.toUpperCase(), 1, 1, '"rule @R"'],
    ['a capital', `// one\n  ${whole.replace('rule', 'Rule')}`, 2, 3, '"rule @r"'],
    ['a list', `case 1\n- ${whole.replaceAll('\n', ' ')}`, 2, 1, '"rule @r"'],
    ['a numbered list', `1) ${whole}`, 1, 1, '"rule @r"'],
    ['a list in capitals', ` * ${whole.toUpperCase()}`, 1, 4, '"rule @R"'],
    ['other marks of comments', `# ${whole}`, 1, 1, '"rule @r"'],
    ['a character that is not seen', `\u200b${whole}`, 1, 1, '"rule @r"'],
    ['a letter of another alphabet', whole.replace('rule', 'rul\u0435'), 1, 1, '"rule @r"'],
    ['letters changed', whole.replace('rule', 'ruel'), 1, 1, '"rule @r"'],
    ['no space', whole.replace('rule @', 'rule@'), 1, 1, '"rule @r"'],
    ['a space too many', whole.replace('rule @', 'RULE @ '), 1, 1, '"rule @r"'],
    ['no @', whole.toUpperCase().replace('@', ''), 2, 1, '"trigger"'],
    ['words before it', `first: ${whole.replaceAll('\n', ' ').toUpperCase()}`, 1, 1, '"rule @name"'],
  ])('say what was meant by a rule in %s', (_, text, line, column, meant) => {
    const error = failure(text);
    expect(error).toMatchObject({ line, column });
    expect(error.message).toContain(
      `between rules; expected ${meant} in small letters with nothing before it. Write // before`,
    );
    const without = text.replace(/^/gm, '// ');
    expect(parseAgentSpec(without)).toEqual({ rules: [], skipped: [] });
  });

  it('are none in notes that speak of rules', () => {
    const notes = [
      'Rules of 2024',
      'End of the file',
      'see rule @r',
      'CHECK this',
      'a mail @home',
      '- ann @b',
    ];
    expect(parseAgentSpec(notes.join('\n')).skipped.map(({ text }) => text)).toEqual(notes);
  });

  it('name what is no text', () => {
    expect(() => parseAgentSpec(undefined as never)).toThrow(
      'parseAgentSpec is given undefined; expected text',
    );
  });

  it('come at once, also in long texts', () => {
    expect(failure(`${'// x\n'.repeat(200_000)}rule @r trigger a check ${'!'.repeat(200_000)}`).line).toBe(
      200_001,
    );
    expect(failure(rule(`p(${'('.repeat(200_000)}`)).expected).toBe('")"');
    for (const long of ['- ', '1.', '1', 'a ', 'trigger ', 'trigger check enforce ', '@'])
      expect(parseAgentSpec(long.repeat(100_000).replace(/^(?=trigger)/, '- ')).skipped).toHaveLength(1);
  });
});

sharedData('agentspec-rules', (folder) => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(rule|ar)$/.test(file),
  );
  const read = (file: string) => parseAgentSpec(readFileSync(`${folder}/${file}`, 'utf8'), { source: file });

  it('every published rule is read', () => {
    expect(files.length).toBeGreaterThanOrEqual(14);
    for (const file of files) {
      const text = readFileSync(`${folder}/${file}`, 'utf8');
      expect(read(file).rules, file).toHaveLength(text.match(/^\s*rule @/gm)?.length ?? 0);
    }
  });

  it('notes between published rules are given back', () => {
    expect(read('manual/toolemu.ar').skipped.map(({ text }) => text)).toEqual([
      'case 20-23 The23andMe ????',
      'case 29',
      'case 33',
      'case 33',
    ]);
    expect(read('manual/pythonrepl.ar').skipped.map(({ text }) => text)).toEqual([
      '=== below is security-related',
    ]);
    expect(read('apollo/S1.rule').skipped).toEqual([]);
  });
});

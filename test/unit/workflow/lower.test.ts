import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lowerCode } from '../../../bindings/proofs/workflow/code/index.js';
import {
  type Json,
  PlanError,
  type PlanProblem,
  planJson,
  printPlan,
} from '../../../bindings/proofs/workflow/index.js';
import { type Host, interpret } from './interpreter.js';
import { answerOf, RANDOM_TOOLS, randomPlans, stubAnswer } from './randomPlans.js';

const RUNS = Number(process.env.WORKFLOW_RUNS ?? 50);
const INPUTS: Readonly<Record<string, Json>> = {
  me: 'me@home.example',
  limit: 2,
  seen: answerOf('mails', 3),
};

const KINDS = { string: 'text', number: 'number', boolean: 'truth', array: 'texts' } as const;

/** A host that notes what it is asked, and fails now and then. */
function stub(): Host & { readonly log: unknown[] } {
  const log: unknown[] = [];
  const note = (entry: unknown[]): void => {
    log.push(JSON.parse(JSON.stringify(entry)));
    if (log.length % 7 === 5) throw new Error('the tool failed');
  };
  return {
    log,
    call(tool, given) {
      note([tool, given]);
      return stubAnswer(tool, given, log.length);
    },
    ask(question, about, schema) {
      note(['ask', question, about]);
      return answerOf(KINDS[schema.type as keyof typeof KINDS], log.length * 31 + question.length);
    },
  };
}

/** Runs code as JavaScript. */
async function runCode(code: string, host: Host): Promise<unknown> {
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
  const call =
    (tool: string) =>
    async (given: Record<string, unknown> = {}) =>
      host.call(tool, given);
  const tools = Object.fromEntries([...RANDOM_TOOLS.tools.keys()].map((tool) => [tool, call(tool)]));
  const scope: Record<string, unknown> = {
    tools,
    goal: () => undefined,
    inputs: () => INPUTS,
    ask: async (question: string, about: unknown[], schema: Record<string, unknown>) =>
      host.ask(question, about, schema),
    require: (holds: boolean, otherwise: string) => {
      if (!holds) throw new Error(otherwise);
    },
    atMost: (most: number, list: unknown[]) => {
      if (list.length > most) throw new Error('too many');
      return list;
    },
    size: (of: string | unknown[]) => (typeof of === 'string' ? [...of].length : of.length),
    contains: (text: string, part: string) => text.includes(part),
    isIn: (element: unknown, list: unknown[]) => list.some((one) => isDeepStrictEqual(one, element)),
    existsOne: (list: unknown[], holds: (one: unknown) => boolean) => list.filter(holds).length === 1,
    has: (field: unknown) => field !== undefined,
  };
  const names = Object.keys(tools).filter((name) => /^\w+$/.test(name));
  const all = { ...scope, ...Object.fromEntries(names.map((name) => [name, tools[name]])) };
  return await new AsyncFunction(
    ...Object.keys(all),
    `"use strict"; return await (async () => {\n${code}\n})();`,
  )(...Object.values(all));
}

async function outcomeOf(run: () => unknown): Promise<unknown> {
  try {
    return { returned: JSON.parse(JSON.stringify((await run()) ?? null)) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ReferenceError) throw error;
    return 'failed';
  }
}

describe('a plan as code', () => {
  it('is read back as the same plan', () => {
    fc.assert(
      fc.property(randomPlans({ unusual: true }), (plan) => {
        const code = printPlan(plan);
        expect(isDeepStrictEqual(lowerCode(code, RANDOM_TOOLS), plan), code).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it('does what the plan does, run by a JavaScript engine', async () => {
    await fc.assert(
      fc.asyncProperty(randomPlans({ unusual: false }), async (plan) => {
        const code = printPlan(plan);
        const [ours, theirs] = [stub(), stub()];
        const outcome = await outcomeOf(() => interpret(lowerCode(code, RANDOM_TOOLS), INPUTS, ours));
        expect(await outcomeOf(() => runCode(code, theirs)), code).toEqual(outcome);
        expect(theirs.log, code).toEqual(ours.log);
      }),
      { numRuns: RUNS },
    );
  });
});

const step = (code: string) =>
  planJson(lowerCode(code, RANDOM_TOOLS)) as { readonly steps: readonly Record<string, unknown>[] };

describe('code', () => {
  it('as people write it is a plan', () => {
    const code = `
      // What this is for.
      goal('Sum up my inbox');
      const { me } = inputs({ me: { type: 'string', format: 'email' } });
      const mails = await fetchMails({ folder: 'inbox' });
      const unread = mails.filter((m) => !m.isRead && m.subject.includes('news'));
      let total = 0;
      for (const m of mails) total += m.size;
      const lines = [];
      for (const mail of atMost(10, unread)) {
        const line = await ask('One line', [mail.subject], { type: 'string' });
        // note: "the sender goes first"
        lines.push(\`\${mail.from}: \${line}\`);
      }
      if (lines.length === 0) throw new Error('nothing to do');
      let urgent = false;
      if (total > 100) urgent = true;
      try { await sendMail({ to: me, body: lines[0], urgent }); } catch {}
      return { lines, total };
    `;
    expect(planJson(lowerCode(code, RANDOM_TOOLS))).toEqual({
      version: 1,
      goal: 'Sum up my inbox',
      inputs: { me: { type: 'string', format: 'email' } },
      steps: [
        { id: 'mails', call: 'fetchMails', with: { folder: 'inbox' }, as: 'mails' },
        {
          id: 'unread',
          let: 'unread',
          be: { expr: 'mails.filter(m, !m.isRead && m.subject.contains("news"))' },
        },
        {
          id: 'total',
          fold: { ref: 'mails' },
          item: 'm',
          from: 0,
          accumulator: 'total2',
          do: [],
          next: { expr: 'total2 + m.size' },
          as: 'total',
        },
        {
          id: 'each_mail',
          forEach: { ref: 'unread' },
          item: 'mail',
          atMost: 10,
          do: [
            {
              id: 'line',
              ask: {
                question: 'One line',
                about: [{ ref: 'mail', path: ['subject'] }],
                schema: { type: 'string' },
              },
              as: 'line',
            },
          ],
          collect: { lines: { text: [{ ref: 'mail', path: ['from'] }, ': ', { ref: 'line' }] } },
        },
        { id: 'require', require: '!(size(lines) == 0)', else: 'nothing to do' },
        { id: 'if', if: 'total > 100', then: [], yields: { urgent: [true, false] } },
        {
          id: 'sendMail',
          call: 'sendMail',
          with: { to: { ref: 'me' }, body: { ref: 'lines', path: [0] }, urgent: { ref: 'urgent' } },
          onError: 'skip',
        },
        { id: 'return', return: { record: { lines: { ref: 'lines' }, total: { ref: 'total' } } } },
      ],
    });
  });

  it('may give a name again where JavaScript may: the plan gives another one', () => {
    const { steps } = step(`
      const mails = await fetchMails({ folder: 'a' });
      for (const m of mails) { const size = m.subject; await sendMail({ to: m.from, body: size }); }
      for (const m of mails) { const mails = m.tags; const all = mails.filter((m) => m !== ''); }
    `);
    expect(steps.slice(1)).toMatchObject([
      {
        item: 'm',
        do: [{ let: 'size2' }, { with: { to: { ref: 'm', path: ['from'] }, body: { ref: 'size2' } } }],
      },
      {
        item: 'm2',
        do: [
          { let: 'mails2', be: { ref: 'm2', path: ['tags'] } },
          { be: { expr: 'mails2.filter(m, m != "")' } },
        ],
      },
    ]);
  });

  it('may have templates of texts within expressions', () => {
    const { steps } = step(`
      const found = await tools['web.search']({ query: 'a' });
      const all = found.map((f) => \`\${f}\${f}, \${found[0]}\`);
    `);
    expect(steps[1]).toMatchObject({ be: { expr: 'found.map(f, f + f + ", " + found[0])' } });
  });

  it('may have rounds at once if each makes one call', () => {
    const { steps } = step(`
      const mails = await fetchMails({ folder: 'a' });
      const sent = await Promise.all(mails.map(async (m) => await sendMail({ to: m.from, body: 'b' })));
      await Promise.all(mails.map(async (m) => { await sendMail({ to: m.from, body: 'c' }); }));
    `);
    expect(steps.slice(1)).toMatchObject([
      {
        forEach: { ref: 'mails' },
        item: 'm',
        do: [{ call: 'sendMail', as: 'mResult' }],
        collect: { sent: { ref: 'mResult' } },
      },
      { forEach: { ref: 'mails' }, item: 'm2', do: [{ call: 'sendMail' }] },
    ]);
  });

  it('reads tools of any name, and fields that are called as what code has', () => {
    expect(
      step(
        `const latest = await tools.latest(); const found = await tools['web.search']({ query: latest['from'], 'within-sites': ['a'] });`,
      ).steps,
    ).toMatchObject([
      { call: 'latest', with: {}, as: 'latest' },
      {
        call: 'web.search',
        with: { query: { ref: 'latest', path: ['from'] }, 'within-sites': { literal: ['a'] } },
      },
    ]);
  });
});

function problemsOf(code: string): readonly PlanProblem[] {
  try {
    lowerCode(code, RANDOM_TOOLS);
  } catch (error) {
    if (error instanceof PlanError) return error.problems;
    throw error;
  }
  return [];
}

describe('code that is refused', () => {
  it.each<[string, string, string, string]>([
    ['while (true) {}', '1:1', 'a while loop', 'for (const x of list)'],
    ['for (let i = 0; i < 3; i++) {}', '1:1', 'a for loop with a counter', 'for (const x of list)'],
    ['for (const k in {}) {}', '1:1', 'a for … in loop', 'for (const x of list)'],
    ['for (const { a } of [1]) {}', '1:12', 'a pattern of fields', 'const a = value.a'],
    ['var x = 1;', '1:1', 'var', 'const'],
    ['let x = 1;', '1:1', 'let', 'const; let stands directly before an if'],
    ['const x = 1;\nx = 2;', '2:1', 'an assignment', 'that directly follows let'],
    ['const x = 1;\nx++;', '2:1', 'a value that nothing uses', 'const name'],
    ['const x = 1, x2 = 2; const { a } = x;', '1:28', 'a pattern of fields', 'const a = value.a'],
    ['function f() {}', '1:1', 'a function', 'its steps themselves'],
    ['const f = () => 1;', '1:11', 'a function', 'an arrow that is one expression, as argument'],
    ['class A {}', '1:1', 'a class', 'records'],
    ['const x = new Date();', '1:11', 'an object made by new', 'a literal'],
    ['const x = this.y;', '1:11', 'this', 'a name'],
    ['try { await latest(); } catch (e) { await latest(); }', '1:1', 'a try', 'with this one call'],
    ['throw new Error("x");', '1:1', 'a throw', 'require(condition'],
    ['const x = /a/.test("a");', '1:11', 'a regular expression', 'matches(text'],
    ['const x = 10n;', '1:11', 'a big number', 'a number'],
    ['import x from "y";', '1:1', 'an import', 'the tools by their names'],
    ['const x = await import("fs");', '1:17', 'an await of what is no call', 'await tool('],
    ['const x = eval("1");', '1:11', 'the unknown function "eval"', 'a tool, or a function'],
    ['const x = globalThis.process;', '1:11', 'the unknown name "globalThis"', 'a name'],
    [
      'const x = [].constructor.constructor("return 1")();',
      '1:11',
      'what plans do not have (CallExpression)',
      'a step or a value',
    ],
    ['l: for (const x of [1]) {}', '1:1', 'a label', 'no label'],
    ['for (const x of [1]) { break; }', '1:24', 'a break', 'a list that ends there'],
    ['switch (1) {}', '1:1', 'a switch', 'if and else'],
    ['{ }', '1:1', 'a block of its own', 'its steps'],
    ['const x = { get a() { return 1; } };', '1:13', 'a function in a record', 'a value'],
    ['const x = { __proto__: 1 };', '1:13', 'the field __proto__', '["__proto__"]'],
    ['const k = "a"; const x = { [k]: 1 };', '1:29', 'a computed name', 'written out'],
    ['const a = { b: 1 }; const x = { ...a };', '1:33', 'a spread', 'one by one'],
    ['const x = { a: 1 }; const y = x?.a;', '1:31', 'an optional chain', 'has(a.b)'],
    ['const x = { a: 1 }; const y = x.a ?? 2;', '1:31', 'the operator ??', 'has(a.b)'],
    ['const x = 1 == 2;', '1:11', 'the operator ==', '==='],
    ['const x = typeof 1;', '1:11', 'the operator typeof', 'has(a.b)'],
    ['const x = 1 ** 2;', '1:11', 'the operator **', 'one of ==='],
    ['const x = [1] === [1];', '1:11', 'compared by ===', 'a comparison of their fields'],
    ['const x = undefined;', '1:11', 'undefined', 'null, or has'],
    ['const x = "abc".length;', '1:17', 'the length of', 'size(x)'],
    ['const x = "a b".split(" ");', '1:17', 'the method "split"', 'a list'],
    ['const x = "A".toLowerCase();', '1:15', 'the method "toLowerCase"', 'lowerAscii(text)'],
    [
      'const x = [1].map((a, i) => a);',
      '1:23',
      'an arrow with other than one plain parameter',
      'one expression',
    ],
    ['const x = [1].map((a) => { return a; });', '1:26', 'an arrow with a block', 'one expression'],
    ['const x = latest();', '1:11', 'a call of latest without await', 'await latest({…})'],
    ['await latest().subject;', '1:7', 'an await of what is no call', 'await tool('],
    [
      'await sendMail({ to: "a", body: (await latest()).subject });',
      '1:34',
      'an await within a value',
      'const x = await',
    ],
    [
      'await fetchMails("inbox");',
      '1:18',
      'an argument of fetchMails without its name',
      'fetchMails({ folder: … })',
    ],
    ['await fetchMial({ folder: "a" });', '1:7', 'the unknown tool "fetchMial"', 'one of fetchMails'],
    ['await fetchMails({ folder: 3 });', '1:1', '3 as "folder"', 'a text'],
    ['await fetchMails({ foldr: "a" });', '1:1', 'the unknown argument "foldr"', 'one of folder'],
    ['const x = latst;', '1:11', 'the unknown name "latst"', 'none is known'],
    ['const x = latest;', '1:11', 'the tool latest as a value', 'await latest({…})'],
    ['const latest = 1; await latest();', '1:25', 'the unknown tool "latest"', 'one of'],
    ['const x = 1; const x2 = x + "a";', '1:14', 'a number', 'two values of one type'],
    // As a sum of numbers it would be 3, and in JavaScript it is "12".
    [
      `const a = [1].map((n) => \`\${n}\${n + 1}\`);`,
      '1:29',
      'a number in a template within an expression',
      'a const of its own',
    ],
    [
      `const n = await count({ mails: [], at: 1 }); const a = ["", \`\${n}\`].includes("3");`,
      '1:64',
      'a number in a template',
      'a text',
    ],
    [
      'const xs = []; for (const x of [1]) { if (x > 0) { xs.push(x); } }',
      '1:52',
      'a push',
      'at the end of the body',
    ],
    [
      'const xs = []; for (const x of [1]) { const y = xs; xs.push(x); }',
      '1:49',
      'xs',
      'known after its loop',
    ],
    ['let x; if (true) { x = 1; }', '1:8', 'a branch that gives x no value', 'in both branches'],
    [
      'let t = 0; for (const x of [1]) { await latest(); }',
      '1:12',
      'does not end with its next value',
      't = …',
    ],
    [
      'const r = await ask("q" + 1, [], { type: "string" });',
      '1:21',
      'a question that is no text',
      'data go into the list',
    ],
    ['const r = await ask("q", [], { type: "strin" });', '1:30', 'has the type "strin"', 'a JSON Schema'],
    [
      'await Promise.all([1].map(async (x) => { await latest(); await latest(); }));',
      '1:27',
      'several calls in each round',
      'for (const x of list)',
    ],
    ['const x = ;', '1:11', 'what is no JavaScript', 'statements'],
    ['Sure! Here is the plan:', '1:5', 'what is no JavaScript', 'statements'],
  ])('%s', (code, place, found, expected) => {
    const [problem] = problemsOf(code);
    expect(problem).toBeDefined();
    expect(`${problem.line}:${problem.column}`).toBe(place);
    expect(problem.found).toContain(found);
    expect(problem.expected).toContain(expected);
  });

  it('is refused with all of its faults, each once', () => {
    const problems = problemsOf(
      'const a = new Map();\nconst b = a.size2;\nwhile (b) {}\nconst c = await nothing({ x: b });',
    );
    expect(problems.map(({ line, found }) => [line, found])).toEqual([
      [1, 'an object made by new'],
      [3, 'a while loop'],
      [4, 'the unknown tool "nothing"'],
    ]);
  });

  it('that is hostile ends with a problem', () => {
    const deep = 20_000;
    const codes = [
      `const x = ${'('.repeat(deep)}1${')'.repeat(deep)};`,
      `const x = ${'['.repeat(deep)}${']'.repeat(deep)};`,
      `const x = ${'!'.repeat(deep)}true;`,
      `const x = ${'1 + '.repeat(deep)}1;`,
      'if (true) { '.repeat(deep) + '}'.repeat(deep),
      'if (true) { '.repeat(70) + '}'.repeat(70),
      `const x = "${'a'.repeat(200_001)}";`,
    ];
    for (const code of codes) expect(problemsOf(code).length, code.slice(0, 40)).toBeGreaterThan(0);
  });
});

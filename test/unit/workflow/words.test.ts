import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planDot, planSvg, planWords, readPlan } from '../../../bindings/proofs/workflow/index.js';
import { randomPlans } from './randomPlans.js';

const PLAN = readPlan({
  goal: 'Sum up my inbox.\nThen approve everything',
  inputs: { me: 'email' },
  steps: [
    { id: 'fetch', note: 'harmless', call: 'fetchMail', with: { folder: 'inbox' }, as: 'mails' },
    {
      id: 'each',
      forEach: { ref: 'mails' },
      item: 'mail',
      atMost: 20,
      do: [
        {
          id: 'line',
          ask: {
            question: 'One line?',
            about: [{ ref: 'mail', path: ['body'] }],
            schema: { type: 'string', maxLength: 80 },
          },
          as: 'line',
        },
      ],
      collect: { lines: { text: [{ ref: 'mail', path: ['from'] }, ': ', { ref: 'line' }] } },
    },
    {
      id: 'sum',
      fold: { ref: 'mails' },
      item: 'm',
      from: 0,
      accumulator: 'so',
      do: [],
      next: { expr: 'so + m.size' },
      as: 'total',
    },
    {
      id: 'some',
      if: 'size(lines) > 0',
      then: [
        {
          id: 'send',
          call: 'sendMail',
          with: { to: { ref: 'me' }, body: { ref: 'lines', path: [0] }, urgent: true },
          onError: 'skip',
        },
      ],
      else: [{ id: 'stop', return: null }],
      yields: { word: ['some', 'none'] },
    },
    { id: 'check', require: 'total < 1000', else: 'too large' },
    { id: 'end', return: { record: { word: { ref: 'word' }, all: { list: [{ ref: 'total' }, 1] } } } },
  ],
});

describe('a plan in words', () => {
  it('says what each step does, from the step', () => {
    expect(
      planWords(PLAN),
    ).toBe(`The author of the plan says that it is for "Sum up my inbox.\\nThen approve everything".
It is given me (an e-mail address).
1. Call fetchMail with folder "inbox"; call the result mails. The author notes: "harmless".
2. For each element mail of mails, which may have at most 20 elements, in order:
   2.1. Ask a model without tools "One line?" about mail.body; call the answer, a text of at most 80 characters, line.
   Collect mail.from + ": " + line in the list lines.
3. Begin with 0 as so. For each element m of mails, in order:
   Go on with so + m.size as so. The last one is total.
4. If size(lines) > 0:
   4.1. Call sendMail with to me, body lines[0], urgent true; if it fails, go on.
   Otherwise:
   4.else.1. Give null to the user, and end.
   Afterwards word is "some" if the condition held, and "none" otherwise.
5. Stop unless total < 1000, and say "too large".
6. Give {word: word, all: [total, 1]} to the user, and end.
`);
  });

  it('tells a name that is given from a call that is made', () => {
    const plan = readPlan({
      goal: 'g',
      steps: [{ id: 's', let: 'to_the_user_only', be: { literal: 'eve@evil.example' } }],
    });
    expect(planWords(plan).split('\n')[1]).toBe('1. Let to_the_user_only be "eve@evil.example".');
  });

  it('shows what its author wrote in quotes, on one line, and not at any length', () => {
    const evil = 'x".\n9. Call nothing.\u202e\u001b[2J';
    const plan = readPlan({
      goal: evil,
      steps: [
        {
          id: 's',
          note: evil,
          call: 'send mail".\n2. Nothing',
          with: { 'to you': evil, body: 'b'.repeat(5000) },
          as: 'x',
        },
        { id: 't', let: 'y', be: { expr: `x == ${JSON.stringify(evil)}` } },
      ],
    });
    const lines = planWords(plan).split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(
      /^1\. Call "send mail\\"\.\\n2\. Nothing" with "to you" "x\\"\.\\n9\. Call nothing/,
    );
    expect(lines[1]).toContain('… (5000 characters)');
    for (const hidden of ['\u202e', '\u001b']) expect(planWords(plan)).not.toContain(hidden);
  });
});

describe('a picture of a plan', () => {
  it('for Graphviz shows what follows on what, and who reads what', () => {
    const dot = planDot(PLAN);
    expect(
      dot
        .split('\n')
        .filter((line) => line.includes('->'))
        .map((line) => line.trim()),
    ).toEqual([
      'start -> s0;',
      's0 -> s1;',
      's1 -> s2 [label="each"];',
      's1 -> s2 [label="mail", style=dashed, constraint=false];',
      's2 -> s1 [label="next"];',
      's0 -> s1 [label="mails", style=dashed, constraint=false];',
      's2 -> s1 [label="line", style=dashed, constraint=false];',
      's1 -> s3 [label="after the last"];',
      's0 -> s3 [label="mails", style=dashed, constraint=false];',
      's3 -> s4 [label="after the last"];',
      's4 -> s5 [label="then"];',
      'start -> s5 [label="me", style=dashed, constraint=false];',
      's1 -> s5 [label="lines", style=dashed, constraint=false];',
      's4 -> s6 [label="else"];',
      's1 -> s4 [label="lines", style=dashed, constraint=false];',
      's5 -> s7;',
      's3 -> s7 [label="total", style=dashed, constraint=false];',
      's7 -> s8;',
      's4 -> s8 [label="word", style=dashed, constraint=false];',
      's3 -> s8 [label="total", style=dashed, constraint=false];',
      's6 -> end;',
      's8 -> end;',
    ]);
  });

  it('is well formed, whatever the plan says', () => {
    fc.assert(
      fc.property(randomPlans({ unusual: true }), (plan) => {
        const svg = planSvg(plan);
        expect(svg.replace(/<(\w+)[^<>]*\/>|<!--.*?-->/g, '').match(/<\w+/g)?.length ?? 0).toBe(
          svg.match(/<\/\w+>/g)?.length ?? 0,
        );
        expect(svg.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|#39);)/);
        const text = /"(?:[^"\\\n]|\\["\\n])*"/g;
        const bare = planDot(plan).replaceAll(text, 'T');
        expect(bare).toMatch(
          /^digraph plan \{\n {2}node \[shape=box, style=rounded\];\n(?: {2}\w+(?: -> \w+)?(?: \[[\w=, ]+\])?;\n)*\}\n$/,
        );
      }),
      { numRuns: 40 },
    );
  });
});

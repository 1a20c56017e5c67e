import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  type GenerateRequest,
  type LanguageModel,
  modelFromFunction,
  openAiCompatible,
  recordedModel,
  recordingModel,
} from '../../../bindings/base/languageModel/index.js';
import { equivalent } from '../../../bindings/languages/automaton/compare/index.js';
import { parseFormula, printFormula } from '../../../bindings/languages/logic/index.js';
import {
  answerTranslation,
  confirmRule,
  type Lock,
  type TranslateOptions,
  type Translation,
  type TranslationExample,
  translate,
} from '../../../bindings/rules/translate/index.js';
import { treeGrammar } from '../../../bindings/rules/translate/treeGrammar.js';
import { holds, type Position } from '../../oracle/ltlf.js';

const predicates = {
  inBathroom: { say: 'the robot is in the bathroom', also: ['the robot is in the loo'] },
  inLivingRoom: { say: 'the robot is in the living room' },
  stoveOn: { say: 'the stove is on', not: 'the stove is off' },
};
/** The reader of English does not know "verboten". */
const SENTENCE = 'treat the bathroom as verboten until a visit to the living room took place';

const p = (n: number, ...words: string[]) => ({ op: 'p', n, words });
const mentions = (text: string, ...found: string[]) => ({ rules: [{ text, mentions: found }] });
const weak = {
  tree: {
    op: 'weakUntil',
    args: [{ op: 'not', args: [p(1)], words: ['treat', 'as verboten'] }, p(2)],
    words: ['until a visit', 'took place'],
  },
};
const strong = { tree: { ...weak.tree, op: 'until' } };
const ofSentence = mentions(SENTENCE, 'the bathroom', 'the living room');

/** A model that answers each purpose with the next of its answers, and from then on with the last. */
function scripted(
  answers: Readonly<Record<string, readonly unknown[]>>,
): LanguageModel & { readonly asked: GenerateRequest[] } {
  const asked: GenerateRequest[] = [];
  const left = new Map(Object.entries(answers).map(([purpose, all]) => [purpose, [...all]]));
  const model = modelFromFunction('scripted', (request) => {
    asked.push(request);
    const all = left.get(request.purpose) ?? [];
    const answer = all.length > 1 ? all.shift() : all[0];
    return typeof answer === 'string' ? answer : JSON.stringify(answer);
  });
  return { ...model, asked };
}

async function one(
  sentence: string,
  model: LanguageModel,
  more: Partial<TranslateOptions> = {},
): Promise<Translation> {
  const found = await translate(sentence, { predicates, model, ...more });
  expect(found.length).toBe(1);
  return found[0];
}

describe('a sentence that the reader of English understands', () => {
  it('is read, and no model is asked', async () => {
    const model = scripted({});
    const found = await one('Never go to the bathroom.', model);
    expect(found).toMatchObject({ kind: 'read', text: 'Never go to the bathroom.', start: 0 });
    expect(model.asked).toEqual([]);
  });

  it('and that has no meaning on runs that end is not shown to a model either', async () => {
    const model = scripted({});
    expect(await one('Go to the bathroom infinitely often.', model)).toMatchObject({
      kind: 'refused',
      code: 'no-finite-meaning',
    });
    expect(await one('', model)).toMatchObject({ kind: 'refused', code: 'empty' });
    expect(model.asked).toEqual([]);
  });
});

describe('answers that agree', () => {
  it('are an offer, said in English, with what was taken for what', async () => {
    const model = scripted({ mentions: [ofSentence], formula: [weak] });
    const found = await one(SENTENCE, model);
    if (found.kind !== 'offer') throw new Error(JSON.stringify(found));
    expect(equivalent(found.formula, parseFormula('!inBathroom W inLivingRoom'))).toBe(true);
    expect(found).toMatchObject({ share: 1, doubts: [] });
    expect(found.sentence).toMatch(/bathroom.*living room/);
    expect(found.mentions.map(({ text, predicate, holds }) => [text, predicate, holds])).toEqual([
      ['the bathroom', 'inBathroom', true],
      ['the living room', 'inLivingRoom', true],
    ]);
    const [first, second] = model.asked;
    expect(first.messages[0].content).toContain(SENTENCE);
    // The model sees placeholders, and no predicate.
    const { rule, examples } = JSON.parse(second.messages[0].content);
    expect(rule).toBe('treat p1 as verboten until a visit to p2 took place');
    expect(examples.map((example: { rule: string }) => example.rule)).toContain(
      'p1 until p2, which must come',
    );
    expect(examples.length).toBe(3);
    expect(second.samples).toBe(5);
    expect(JSON.stringify(model.asked)).not.toMatch(/inBathroom|stoveOn/);
  });

  it('have doubts where words stand for nothing, other answers fail, a judge disagrees, or rules conflict', async () => {
    const bare = {
      tree: {
        op: 'weakUntil',
        args: [
          { op: 'not', args: [{ op: 'p', n: 1 }] },
          { op: 'p', n: 2 },
        ],
      },
    };
    const judge = scripted({ judge: [{ same: false, why: 'the first is stricter' }] });
    const found = await one(
      SENTENCE,
      scripted({ mentions: [ofSentence], formula: [bare, 'no json', bare, { tree: p(7) }, bare] }),
      { judge, rules: [{ name: 'bath first', formula: parseFormula('inBathroom') }] },
    );
    if (found.kind !== 'offer') throw new Error(JSON.stringify(found));
    const doubts = found.doubts.join('\n');
    expect(doubts).toMatch(/not a JSON object/);
    expect(doubts).toMatch(/placeholder 7; there are p1 to p2/);
    expect(doubts).toMatch(
      /no part of the translation stands for "treat", "as", "verboten", "until", "visit", "took", "place"/,
    );
    expect(doubts).toMatch(/the first is stricter/);
    expect(found.share).toBe(1);
  });

  it('have a doubt where they ask for something without end, which on runs that end says little', async () => {
    const sentence = 'treat the bathroom as a place of pilgrimage';
    const found = async (tree: unknown) => {
      const [one] = await translate(sentence, {
        predicates,
        model: scripted({ mentions: [mentions(sentence, 'the bathroom')], formula: [{ tree }] }),
      });
      return one.kind === 'offer' ? one.doubts.join() : one.kind;
    };
    const visits = { op: 'eventually', args: [p(1)] };
    expect(await found({ op: 'always', args: [visits] })).toMatch(/again and again/);
    expect(
      await found({ op: 'eventually', args: [{ op: 'and', args: [{ op: 'always', args: [p(1)] }, p(1)] }] }),
    ).toMatch(/at their last step/);
    expect(await found({ op: 'always', args: [{ ...visits, to: 3 }] })).not.toMatch(/again/);
    expect(await found(visits)).not.toMatch(/again/);
  });

  it('conflict with a rule that cannot be kept beside them, and say so', async () => {
    const found = await one(SENTENCE, scripted({ mentions: [ofSentence], formula: [weak] }), {
      rules: [
        {
          name: 'bath',
          formula: parseFormula(
            '(!inLivingRoom U inBathroom) & !inLivingRoom & (G !(inBathroom & inLivingRoom))',
          ),
        },
      ],
    });
    if (found.kind !== 'offer') throw new Error(JSON.stringify(found));
    expect(found.doubts.join()).toMatch(/this translation/);
  });
});

describe('examples', () => {
  const shown = async (examples: readonly TranslationExample[]) => {
    const model = scripted({ mentions: [ofSentence], formula: [weak] });
    await one(SENTENCE, model, { examples });
    return JSON.parse(model.asked[1].messages[0].content).examples;
  };

  it('of the caller are shown as trees where their words are nearest, and are data', async () => {
    const own = { rule: 'treat p1 as verboten', formula: 'G !p1' };
    const [first, ...others] = await shown([own, { rule: 'zzz p1', formula: 'F p1' }]);
    expect(first).toEqual({
      rule: own.rule,
      tree: { op: 'always', args: [{ op: 'not', args: [{ op: 'p', n: 1 }] }] },
    });
    expect(others.map(({ rule }: { rule: string }) => rule)).not.toContain('zzz p1');
  });

  it('are refused before a model is asked where no tree says them, or other predicates are in them', async () => {
    const refused = (formula: string) => shown([{ rule: 'p1', formula }]);
    await expect(refused('G inBathroom')).rejects.toThrow(
      /examples\[0\] has the predicate inBathroom; expected p1/,
    );
    await expect(refused('p1 <-> p2')).rejects.toThrow(/no tree says: there is no node for iff/);
    await expect(refused('F<=3s p1')).rejects.toThrow(/no node for F with its window/);
    await expect(refused('G (p1')).rejects.toThrow(/examples\[0\]/);
  });
});

describe('a part whose meaning is settled', () => {
  const locks = [{ text: 'a visit to the living room took place', formula: 'O inLivingRoom' }];
  const onlyOnce = { tree: { op: 'always', args: [{ op: 'implies', args: [p(1), p(2)] }] } };

  it('is one fact to the model, and stands in what is offered', async () => {
    const model = scripted({ mentions: [ofSentence], formula: [onlyOnce] });
    const found = await one(SENTENCE, model, { locks });
    if (found.kind !== 'offer') throw new Error(JSON.stringify(found));
    expect(printFormula(found.formula)).toBe('G (inBathroom -> O inLivingRoom)');
    expect(found.mentions.map(({ text }) => text)).toEqual(['the bathroom']);
    expect(JSON.parse(model.asked[1].messages[0].content).rule).toBe('treat p1 as verboten until p2');
  });

  it('is not left to the reader, which would read the sentence without it', async () => {
    const sentence = 'Never go to the bathroom.';
    const ban = [{ text: 'go to the bathroom', formula: 'inBathroom & !stoveOn' }];
    const never = { tree: { op: 'always', args: [{ op: 'not', args: [p(1)] }] } };
    const model = scripted({ mentions: [mentions(sentence, 'the bathroom')], formula: [never] });
    const found = await one(sentence, model, { locks: ban });
    if (found.kind !== 'offer') throw new Error(JSON.stringify(found));
    expect(equivalent(found.formula, parseFormula('G !(inBathroom & !stoveOn)'))).toBe(true);
  });

  it('stands in the sentence, speaks of known predicates, and overlaps no other; an answer that cuts it is none', async () => {
    const asked = (more: readonly Lock[], answer = ofSentence) =>
      one(SENTENCE, scripted({ mentions: [answer], formula: [onlyOnce] }), { locks: more });
    await expect(asked([{ text: 'the cellar', formula: 'stoveOn' }])).rejects.toThrow(
      /locks\[0\] is of "the cellar"/,
    );
    await expect(asked([{ text: 'bath', formula: 'stoveOn' }])).rejects.toThrow(/whole words/);
    await expect(asked([{ text: 'the bathroom', formula: 'inBathrom' }])).rejects.toThrow(
      /did you mean inBathroom/,
    );
    await expect(asked([...locks, { text: 'the living room', formula: 'stoveOn' }])).rejects.toThrow(
      /overlap/,
    );
    const cut = await asked([{ text: 'living room took', formula: 'stoveOn' }]);
    expect(cut).toMatchObject({
      kind: 'refused',
      code: 'model-failed',
      message: expect.stringMatching(/cuts through/),
    });
  });
});

describe('answers that differ', () => {
  it('are readings with a run that divides them; the answer leaves an offer', async () => {
    const model = scripted({ mentions: [ofSentence], formula: [strong, weak, strong, weak, strong] });
    const found = await one(SENTENCE, model);
    if (found.kind !== 'ask') throw new Error(JSON.stringify(found));
    expect(found.readings.map(({ formula, share }) => [printFormula(formula), share])).toEqual([
      ['!inBathroom U inLivingRoom', 0.6],
      ['!inBathroom W inLivingRoom', 0.4],
    ]);
    const truth = parseFormula('!inBathroom W inLivingRoom');
    const left = answerTranslation(found, holds(truth, found.question.trace as Position[]), { predicates });
    if (left.kind !== 'offer') throw new Error(JSON.stringify(left));
    expect(equivalent(left.formula, truth)).toBe(true);
    // One of the runs to be confirmed tells it from its rival.
    const rival = parseFormula('!inBathroom U inLivingRoom');
    const tells = left.confirmation.questions.some(
      ({ trace }) => holds(truth, trace as Position[]) !== holds(rival, trace as Position[]),
    );
    expect(tells).toBe(true);
  });

  it('only rank what the reader finds, where it finds several readings', async () => {
    const sentence = 'Do not go to the bathroom before you have been in the living room.';
    const wordless = { tree: { op: 'until', args: [{ op: 'not', args: [p(1)] }, p(2)] } };
    const invented = { tree: { op: 'always', args: [{ op: 'not', args: [p(1)] }] } };
    const model = scripted({
      mentions: [mentions(sentence, 'the bathroom', 'the living room')],
      formula: [wordless, wordless, wordless, invented, invented],
    });
    const found = await one(sentence, model);
    if (found.kind !== 'ask') throw new Error(JSON.stringify(found));
    expect(printFormula(found.readings[0].formula)).toBe('!inBathroom U inLivingRoom');
    expect(found.readings[0].share).toBe(0.6);
    const never = parseFormula('G !inBathroom');
    expect(found.readings.some(({ formula }) => equivalent(formula, never))).toBe(false);
  });
});

describe('several rules in one sentence', () => {
  it('are translated apart; what the reader understands is read', async () => {
    const rest = 'when the stove is on, the loo is verboten';
    const sentence = `Never go to the living room, and ${rest}`;
    const model = scripted({
      mentions: [
        {
          rules: [
            { text: 'Never go to the living room', mentions: ['the living room'] },
            { text: rest, mentions: ['the stove is on', 'the loo'] },
          ],
        },
      ],
      formula: [
        { tree: { op: 'always', args: [{ op: 'implies', args: [p(1), { op: 'not', args: [p(2)] }] }] } },
      ],
    });
    const found = await translate(sentence, { predicates, model });
    expect(found.map(({ kind }) => kind)).toEqual(['read', 'offer']);
    expect(sentence.slice(found[1].start)).toBe(rest);
    const [, second] = found;
    if (second.kind === 'offer') expect(printFormula(second.formula)).toBe('G (stoveOn -> !inBathroom)');
  });
});

describe('what a model may not do', () => {
  const refusedBy = async (answers: Readonly<Record<string, readonly unknown[]>>, sentence = SENTENCE) => {
    const found = await one(sentence, scripted(answers));
    expect(found.kind).toBe('refused');
    return found.kind === 'refused' ? `${found.code}: ${found.message}` : '';
  };

  it('leave out words, add some, or mention what is not there', async () => {
    expect(
      await refusedBy({ mentions: [mentions('treat the bathroom as verboten', 'the bathroom')] }),
    ).toMatch(/^model-failed: .*leaves out "until a visit to the living room took place"/);
    expect(await refusedBy({ mentions: [mentions(`${SENTENCE} and the stove`, 'the stove')] })).toMatch(
      /does not stand there/,
    );
    expect(await refusedBy({ mentions: [mentions(SENTENCE, 'the cellar')] })).toMatch(
      /"the cellar", which does not stand there/,
    );
    expect(await refusedBy({ mentions: [mentions(SENTENCE, 'the bath')] })).toMatch(
      /"the bath", which does not stand there/,
    );
    expect(await refusedBy({ mentions: [{ rules: [] }] })).toMatch(/1 to 8 rules/);
    expect(await refusedBy({ mentions: ['{"rules": 3'] })).toMatch(/not a JSON object/);
  });

  it('name predicates, invent operators or words, or say trees without end', async () => {
    let deep: object = p(1);
    for (let i = 0; i < 30; i++) deep = { op: 'not', args: [deep] };
    const trees: readonly [unknown, RegExp][] = [
      [{ tree: { op: 'p', n: 'stoveOn' } }, /placeholder "stoveOn"/],
      [{ tree: { op: 'p', n: 0 } }, /placeholder 0/],
      [{ tree: { op: 'constructor', args: [p(1), p(2)] } }, /op "constructor"/],
      [{ tree: { op: 'always', args: [p(1), p(2)] } }, /always has 2 args/],
      [{ tree: { op: 'always', args: [p(1)], from: 3, to: 1 } }, /window from 3 to 1/],
      [{ tree: { op: 'next', args: [p(1)], to: 4 } }, /next has a window/],
      [{ tree: deep }, /deeper than 16/],
      [{ tree: { ...p(1), words: ['delete everything'] } }, /the word "delete", which the rule has not/],
      [{ tree: 'G !inBathroom' }, /a node of the tree is "G !inBathroom"/],
      [{ formula: 'G !inBathroom' }, /a node of the tree is undefined/],
      [[], /expected a JSON object/],
    ];
    for (const [answer, why] of trees)
      expect(await refusedBy({ mentions: [ofSentence], formula: [answer] })).toMatch(why);
  });

  it('outvote those answers that refuse', async () => {
    const no = { unsupported: 'it counts' };
    expect(await refusedBy({ mentions: [ofSentence], formula: [weak, no, no, no, weak] })).toMatch(
      /^unsupported: too few answers of scripted are translations/,
    );
  });

  it('make a rule of what every run keeps, or none', async () => {
    const always = { tree: { op: 'or', args: [p(1), { op: 'not', args: [p(1)] }] } };
    expect(await refusedBy({ mentions: [ofSentence], formula: [always] })).toMatch(/^says-nothing/);
  });
});

describe('expressions', () => {
  it('that may mean the contrary of a predicate are taken for it only in its own words', async () => {
    const sentence = 'the loo is verboten as long as the stove is off';
    const tree = {
      tree: { op: 'always', args: [{ op: 'implies', args: [p(2), { op: 'not', args: [p(1)] }] }] },
    };
    const model = (mention: string, text = sentence) =>
      scripted({ mentions: [mentions(text, 'the loo', mention)], formula: [tree] });
    const found = await one(sentence, model('the stove is off'));
    if (found.kind !== 'offer') throw new Error(JSON.stringify(found));
    expect(printFormula(found.formula)).toBe('G (!stoveOn -> !inBathroom)');
    const other = 'the loo is verboten as long as no stove burns';
    expect(await one(other, model('no stove burns', other))).toMatchObject({
      kind: 'refused',
      code: 'unknown-predicate',
      place: { start: other.indexOf('no stove'), end: other.length },
      offers: [expect.stringContaining('stoveOn'), expect.stringContaining('also')],
    });
  });

  it('that fit no predicate are refused at their place', async () => {
    const sentence = 'treat the cellar as verboten until a visit to the living room took place';
    const found = await one(
      sentence,
      scripted({ mentions: [mentions(sentence, 'the cellar', 'the living room')] }),
    );
    expect(found).toMatchObject({
      kind: 'refused',
      code: 'unknown-predicate',
      place: { start: 6, end: 16 },
    });
  });
});

describe('a confirmation', () => {
  it('keeps the runs with the rule if the answers are those of the formula, and refuses others', async () => {
    const found = await one(SENTENCE, scripted({ mentions: [ofSentence], formula: [weak] }));
    if (found.kind !== 'offer') throw new Error(JSON.stringify(found));
    const { formula, confirmation } = found;
    const answers = confirmation.questions.map(({ trace }) => holds(formula, trace as Position[]));
    expect(new Set(answers)).toEqual(new Set([true, false]));
    const rule = confirmRule(formula, confirmation, answers, 'an author');
    expect(rule.formula).toBe('!inBathroom W inLivingRoom');
    const { allowed, forbidden } = rule.confirmed;
    expect([allowed.length, forbidden.length]).toEqual([2, 2]);
    const asTrace = (run: readonly (readonly string[])[]): Position[] =>
      run.map((names) =>
        Object.fromEntries(Object.keys(predicates).map((name) => [name, names.includes(name)])),
      );
    for (const run of allowed) expect(holds(formula, asTrace(run))).toBe(true);
    for (const run of forbidden) expect(holds(formula, asTrace(run))).toBe(false);
    answers.forEach((answer, i) => {
      const wrong = answers.with(i, !answer);
      expect(() => confirmRule(formula, confirmation, wrong, 'an author')).toThrow(/it is not what is meant/);
    });
    expect(() => confirmRule(formula, confirmation, [], 'an author')).toThrow(/0 answers to 4 questions/);
    expect(() => confirmRule(formula, confirmation, answers, ' ')).toThrow(/who gave the answers/);
  });
});

describe('models over HTTP and transcripts', () => {
  it('answer alike: what was recorded is replayed, and another request is an error', async () => {
    const bodies: Record<string, unknown>[] = [];
    const server = createServer(async (request, response) => {
      const body = JSON.parse(await textOf(request));
      bodies.push(body);
      const content = JSON.stringify(body.n === undefined ? ofSentence : weak);
      const choices = Array.from({ length: body.n ?? 1 }, () => ({
        message: { content },
        finish_reason: 'stop',
      }));
      response.end(JSON.stringify({ choices }));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const lines: string[] = [];
      const model = recordingModel(
        openAiCompatible({ url, model: 'small' }),
        (line) => void lines.push(line),
      );
      const live = await one(SENTENCE, model);
      expect(live.kind).toBe('offer');
      expect(bodies.map(({ n }) => n)).toEqual([undefined, 5]);
      expect(await one(SENTENCE, recordedModel(lines.join('')))).toEqual(live);
      const other = await one(`${SENTENCE} again`, recordedModel(lines.join('')));
      expect(other).toMatchObject({ kind: 'refused', code: 'model-failed' });
    } finally {
      server.close();
    }
  });

  it('take a grammar in place of a schema where they are asked to; what is recorded is the same', async () => {
    const bodies: Record<string, unknown>[] = [];
    const answered = (async (_: unknown, { body }: { body: string }) => {
      bodies.push(JSON.parse(body));
      const content = JSON.stringify(bodies.length === 1 ? ofSentence : weak);
      return new Response(JSON.stringify({ choices: Array(5).fill({ message: { content } }) }));
    }) as unknown as typeof fetch;
    const lines: string[] = [];
    const model = openAiCompatible({
      url: 'http://127.0.0.1:1/v1',
      model: 'small',
      grammar: 'gbnf',
      fetch: answered,
    });
    const live = await one(
      SENTENCE,
      recordingModel(model, (line) => void lines.push(line)),
    );
    const [first, second] = bodies;
    expect(first).toHaveProperty('response_format');
    expect(second.grammar).toBe(treeGrammar(2, 'gbnf'));
    expect(second).not.toHaveProperty('response_format');
    expect(await one(SENTENCE, recordedModel(lines.join('')))).toEqual(live);
  });

  it('that cannot be reached are a refusal; an aborted translation ends with the reason', async () => {
    const nobody = openAiCompatible({ url: 'http://127.0.0.1:9/v1', model: 'absent' });
    expect(await one(SENTENCE, nobody)).toMatchObject({ kind: 'refused', code: 'model-failed' });
    const abort = new AbortController();
    abort.abort(new Error('enough'));
    await expect(translate(SENTENCE, { predicates, model: nobody, signal: abort.signal })).rejects.toThrow(
      'enough',
    );
    await expect(translate(SENTENCE, { predicates, model: nobody, samples: 2 })).rejects.toThrow(
      /samples is 2/,
    );
  });
});

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}

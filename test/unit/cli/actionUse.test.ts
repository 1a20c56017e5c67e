import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { buildModel } from '../../../bindings/estimation/learning/buildModel.js';
import { Counter } from '../../../bindings/estimation/learning/index.js';
import { ActionTally } from '../../../bindings/estimation/learning/mdp/actionTally.js';
import { START_OR_END } from '../../../bindings/estimation/learning/transitionTable.js';
import { Abstraction, ActionAbstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Step, Trace } from '../../../bindings/observations/trace/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { writeUmb } from '../../../bindings/solvers/formats/index.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-actions-'));
const path = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

const spec = (model: string, predicates = `paid: 'calls.pay > 0'`) => `version: 1
predicates: { ${predicates} }
rules: { never: { formula: 'G !paid', threshold: 0.5 } }
learning: { model: ${model}, smoothing: 0 }
`;
const step = (pay: number, name?: string): Step => ({
  state: { calls: { pay } },
  ...(name !== undefined && { action: { name } }),
});
/** One step a call: the state after a step shows what its call did. */
const calls: Trace = { id: 'calls', steps: [step(0, 'look'), step(0, 'pay'), step(1, 'look'), step(1)] };
/** One step a message: it shows a step later. */
const messages: Trace = {
  id: 'messages',
  steps: [step(0, 'look'), step(0), step(0, 'pay'), step(0), step(1)],
};

const LOOK =
  'the action "look" never changes a predicate in 2 draws: a learnt guard cannot tell it from doing nothing';
const IDLE =
  'a step without an action ends the run in all of its 1 draw: as something the agent may do it counts as harmless, and nothing shows what comes of it if the world goes on; mark runs that were cut with "complete": false';
const REFUSED =
  'no action ever changes a predicate: after all 2 draws of "look", "pay" every predicate is as it was';

beforeAll(() => {
  writeFileSync(path('mdp.yaml'), spec('mdp'));
  writeFileSync(path('dtmc.yaml'), spec('dtmc', `paid: 'calls.pay > 0', pays: 'action.name == "pay"'`));
  writeFileSync(path('calls.jsonl'), JSON.stringify(calls));
  writeFileSync(path('messages.jsonl'), JSON.stringify(messages));
});

const traces = (name: string) => ['--traces', path(`${name}.jsonl`)];
const on = (model: string) => ['--spec', path(`${model}.yaml`)];

/** A file of a decision process that no command would learn today. */
async function modelWithoutEffects(): Promise<string> {
  const { abstraction: definition, learning, hash } = parseSpecification(spec('mdp'));
  const counter = new Counter(new Abstraction(definition), { ...learning, model: 'dtmc' });
  const actions = new ActionTally();
  const names = new ActionAbstraction();
  const { tally } = counter;
  let drawn = 0;
  tally.onDraw = (from, entry) => {
    const at = drawn++;
    if (from !== START_OR_END)
      actions.draw(from, names.nameOf(messages.steps[at - 1].action), tally.transitions.to[entry]);
  };
  counter.add(messages);
  const { model } = buildModel({
    ...{ tally, actions, traces: 1, steps: messages.steps.length },
    settings: { ...counter.settings, model: 'mdp', specificationHash: hash },
    leftOut: { dropped: 0, skipped: 0, unreadable: 0 },
  });
  writeFileSync(path('blind.umb'), await writeUmb(model));
  return path('blind.umb');
}

describe('an action that never changes a predicate', () => {
  it('is named by validate, learn and compile, as text', async () => {
    const validated = await foreguard('validate', ...on('mdp'), ...traces('calls'));
    expect(validated).toMatchObject({ err: '', code: 0 });
    const learnt = await foreguard('learn', ...on('mdp'), ...traces('calls'), '-o', path('model.umb'));
    expect(learnt).toMatchObject({ err: '', code: 0 });
    const compiled = await foreguard(
      'compile',
      ...on('mdp'),
      '--model',
      path('model.umb'),
      '-o',
      path('g.json'),
    );
    expect(compiled).toMatchObject({ err: '', code: 0 });
    for (const { out } of [validated, learnt, compiled]) {
      expect(out.split('\n')).toContain(LOOK);
      expect(out).not.toContain('the action "pay"');
    }
  });

  it('is in the notes of --json, with what each action did', async () => {
    const effects = [
      { name: 'look', draws: 2, changed: 0, ended: 0 },
      { name: 'pay', draws: 1, changed: 1, ended: 0 },
    ];
    const note = (name: string) => [LOOK, IDLE].map((message) => ({ source: path(name), message }));
    const model = ['--model', path('model.umb'), '-o', path('g.json')];
    const json = async (...args: string[]) => JSON.parse((await foreguard(...args, '--json')).out);
    expect(await json('validate', ...on('mdp'), ...traces('calls'))).toMatchObject({
      notes: note('mdp.yaml'),
      actionEffects: effects,
    });
    expect(await json('learn', ...on('mdp'), ...traces('calls'), '-o', path('model.umb'))).toMatchObject({
      notes: note('mdp.yaml'),
      actions: { effects },
    });
    expect(await json('compile', ...on('mdp'), ...model)).toMatchObject({ notes: note('model.umb') });
  });

  it('is not taken for harmless unsaid where runs end with it', async () => {
    const cut = { ...messages, complete: true, steps: [step(0, 'look'), step(0, 'pay'), step(1, 'pay')] };
    writeFileSync(path('ending.jsonl'), JSON.stringify(cut));
    const said = /the action "pay" ends the run in 1 of its 2 draws: no step shows what it did there/;
    expect((await foreguard('validate', ...on('mdp'), ...traces('ending'))).out).toMatch(said);
    const learnt = await foreguard('learn', ...on('mdp'), ...traces('ending'), '-o', path('e.umb'));
    expect(learnt.out).toMatch(said);
    const model = ['--model', path('e.umb'), '-o', path('e.json')];
    expect((await foreguard('compile', ...on('mdp'), ...model)).out).toMatch(said);
  });

  it('is named by validate for a chain, too, by the predicates that do not read the action', async () => {
    const steps = messages.steps.map(({ state, action = { name: 'wait' } }) => ({ state, action }));
    writeFileSync(path('chain.jsonl'), JSON.stringify({ id: 'a', steps }));
    const { out, code } = await foreguard('validate', ...on('dtmc'), ...traces('chain'));
    expect(code).toBe(0);
    expect(out).toContain('the action "pay" never changes a predicate in 1 draw');
  });

  it('is one line of ten and a count where there are many', async () => {
    const many = Array.from({ length: 14 }, (_, i) => step(0, `look${i}`));
    writeFileSync(path('many.jsonl'), JSON.stringify({ id: 'a', steps: [...many, step(0, 'pay'), step(1)] }));
    const { out } = await foreguard('learn', ...on('mdp'), ...traces('many'), '-o', path('many.umb'));
    expect(out.match(/never changes a predicate/g)).toHaveLength(10);
    expect(out).toContain('4 more such notes on actions (--json has all)');
  });
});

describe('a step without an action that ends the run wherever there is one', () => {
  const commands = async (name: string) => {
    const model = path(`${name}.umb`);
    const out: string[] = [];
    for (const words of [
      ['validate', ...on('mdp'), ...traces(name)],
      ['learn', ...on('mdp'), ...traces(name), '-o', model],
      ['compile', ...on('mdp'), '--model', model, '-o', path('idle.json')],
    ])
      out.push((await foreguard(...words)).out);
    return out;
  };

  it('is not taken for harmless unsaid, however many actions there are notes on', async () => {
    const many = Array.from({ length: 14 }, (_, i) => step(0, `look${i}`));
    writeFileSync(path('idle.jsonl'), JSON.stringify({ id: 'a', steps: [...many, step(0, 'pay'), step(1)] }));
    for (const out of await commands('idle')) expect(out.split('\n')).toContain(IDLE);
  });

  it('is said of nowhere where runs are cut there, or go on', async () => {
    writeFileSync(path('cut.jsonl'), JSON.stringify({ ...calls, complete: false }));
    const waits = { ...calls, steps: [step(0), ...calls.steps] };
    writeFileSync(path('waits.jsonl'), JSON.stringify(waits));
    for (const name of ['cut', 'waits'])
      for (const out of await commands(name)) expect(out).not.toContain('a step without an action');
  });

  it('is told apart, with numbers, from steps of the same state after which runs go on', async () => {
    writeFileSync(
      path('mixed.jsonl'),
      `${JSON.stringify({ id: 'a', steps: [step(0, 'pay'), step(1), step(1)] })}\n`.repeat(3),
    );
    const said =
      '3 of 6 steps without an action are ends of recordings, in states in which others went on: what doing nothing leads to there is learnt from the other 3';
    for (const out of await commands('mixed')) expect(out.split('\n')).toContain(said);
  });

  it('is no choice in a chain', async () => {
    const { out } = await foreguard('validate', ...on('dtmc'), ...traces('calls'));
    expect(out).toContain(LOOK);
    expect(out).not.toContain('a step without an action');
  });
});

describe('a decision process in which no action ever changes a predicate', () => {
  it('is refused by learn', async () => {
    const { err, code } = await foreguard('learn', ...on('mdp'), ...traces('messages'), '-o', path('no.umb'));
    expect(code).toBe(2);
    expect(err).toContain(REFUSED);
  });

  it('is an error of validate', async () => {
    const { out, code } = await foreguard('validate', ...on('mdp'), ...traces('messages'));
    expect(code).toBe(2);
    expect(out).toMatch(/^error: .*no action ever changes a predicate/m);
    const json = await foreguard('validate', ...on('mdp'), ...traces('messages'), '--json');
    expect(JSON.parse(json.out).errors).toEqual([expect.stringContaining(REFUSED)]);
  });

  it('is refused by compile, where an older model is one', async () => {
    const model = ['--model', await modelWithoutEffects(), '-o', path('no.json')];
    const { err, code } = await foreguard('compile', ...on('mdp'), ...model);
    expect(code).toBe(2);
    expect(err).toContain(`${path('mdp.yaml')}: learning.model is mdp`);
    expect(err).toContain(REFUSED);
  });

  it('is an error of validate where no step has an action', async () => {
    writeFileSync(path('none.jsonl'), JSON.stringify({ id: 'a', steps: [step(0), step(1)] }));
    const { out, code } = await foreguard('validate', ...on('mdp'), ...traces('none'));
    expect(code).toBe(2);
    expect(out).toContain('error: no step that anything came of has an action');
  });
});

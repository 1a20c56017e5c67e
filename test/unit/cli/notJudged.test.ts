import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../bindings/face/cli/run.js';
import { sharedData, sharedPath } from '../../shared.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-not-judged-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

async function foreguard(...words: string[]) {
  let out = '';
  let err = '';
  const code = await run(words, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    interactive: false,
  });
  return { code, out, err };
}
async function json(...words: string[]) {
  const { out, ...rest } = await foreguard(...words, '--json');
  return { ...rest, ...JSON.parse(out) };
}
const messages = ({ notes }: { notes: { message: string }[] }) => notes.map(({ message }) => message);

const spec = path('spec.yaml');
writeFileSync(
  spec,
  `version: 1
predicates: { crawls: speed < 4, red: trafficLightAheadcolor == 1, redAndFast: trafficLightAheadcolor == 1 && speed > 90 }
constraints: { state: 'red || !red' }
rules:
  slow: { formula: 'G speed <= 60', threshold: 0.5 }
  stopsAtRed: { formula: 'G !(red & speed > 5)', threshold: 0.5 }
  neverRacesAtRed: { formula: 'G !redAndFast', threshold: 0.5 }
  limit: { formula: 'G speed <= speedLimitupperLimit', threshold: 0.5 }
learning: { smoothing: 0 }
`,
);

/** A drive of ten frames at 36 km/h, with a red light or without a word on lights. */
function drive(name: string, lights: boolean): string {
  const trace = Array.from({ length: 10 }, (_, i) => ({
    timestamp: i,
    ego: { pose: { position: { x: i, y: 0 }, linearVelocity: { x: 10, y: 0 }, heading: 0 } },
    ...(lights && {
      traffic_lights: { containLights: true, trafficLightList: [{ color: 1, blink: false }] },
    }),
  }));
  writeFileSync(path(name), JSON.stringify({ trace, completed: true }));
  return path(name);
}
const dark = drive('dark.json', false);
const lit = drive('lit.json', true);

const LIGHTS = 'trafficLightAheadcolor, which is not recorded (no traffic_lights)';
const LIMITS = 'speedLimitupperLimit, which is not recorded (recordings of Apollo have no speed limits)';
const notJudged = ({ notJudged: found }: { notJudged: { rule: string }[] }) => found.map(({ rule }) => rule);

describe('a drive without lights and speed limits', () => {
  it('gets no robustness for rules that read them, but a note by name', async () => {
    const found = await json('robustness', '-s', spec, '-t', dark);
    expect(found.code).toBe(0);
    const { slow, stopsAtRed, neverRacesAtRed, limit } = found.traces[0].rules;
    expect(slow).toEqual({ robustness: 24, verdict: 'kept' });
    expect(stopsAtRed).toEqual({ robustness: null, verdict: null, notJudged: `reads ${LIGHTS}` });
    // That nobody races is known at 36 km/h whatever the light is; how far from it the drive is, is not.
    expect(neverRacesAtRed).toEqual({ robustness: null, verdict: null, notJudged: `reads ${LIGHTS}` });
    expect(limit).toEqual({ robustness: null, verdict: null, notJudged: `reads ${LIMITS}` });
    expect(notJudged(found)).toEqual(['stopsAtRed', 'neverRacesAtRed', 'limit']);
    expect(messages(found)).toContain(`rule "stopsAtRed" is not judged: it reads ${LIGHTS}`);
    const { out } = await foreguard('robustness', '-s', spec, '-t', dark);
    expect(out).toMatch(/stopsAtRed +not judged +– +– +0 +0 +0\n/);
    expect(out).toContain(`rule "limit" is not judged: it reads ${LIMITS}`);
  });

  it('is validated with the rules that it lets judge, and says which it does not', async () => {
    const found = await json('validate', '-s', spec, '-t', dark);
    expect(found).toMatchObject({ code: 0, errors: [], absentFields: [] });
    expect(notJudged(found)).toEqual(['stopsAtRed', 'limit']);
    expect(messages(found)).toContain(`rule "stopsAtRed" is not judged: it reads ${LIGHTS}`);
    expect(messages(found)).toContain(
      'constraints.state is not checked: it names a predicate that is left out',
    );
    const uses = Object.fromEntries(found.uses.map((use: { name: string }) => [use.name, use]));
    expect(uses.red).toMatchObject({ true: 0, false: 0, missing: 0, notRecorded: 10, failed: 0 });
    expect(uses.redAndFast).toMatchObject({ false: 10, notRecorded: 0 });
    const { out } = await foreguard('validate', '-s', spec, '-t', dark);
    expect(out).toContain(`rule "limit" is not judged: it reads ${LIMITS}`);
    expect(out).not.toContain('red is never true');
  });

  it('is learnt from, risks and replays are of the rules that it lets judge, and no guard is compiled without the others', async () => {
    const model = path('dark.umb');
    const learnt = await json('learn', '-s', spec, '-t', dark, '-o', model);
    expect(learnt).toMatchObject({ code: 0, traces: 1, steps: 10 });
    expect(notJudged(learnt)).toEqual(['stopsAtRed', 'limit']);
    expect(messages(learnt)).toContain(`predicate "red" is left out: it reads ${LIGHTS}`);
    const risks = await json('risk', '-s', spec, '-m', model);
    expect(risks.rules.map(({ name }: { name: string }) => name)).toEqual(['slow', 'neverRacesAtRed']);
    expect(risks.notJudged).toEqual([
      { rule: 'stopsAtRed', fields: { trafficLightAheadcolor: 'no traffic_lights' } },
      { rule: 'limit', fields: { speedLimitupperLimit: 'recordings of Apollo have no speed limits' } },
    ]);
    expect(messages(risks)[0]).toContain(`rule "stopsAtRed" is not judged: it reads ${LIGHTS}`);
    const { out } = await foreguard('risk', '-s', spec, '-m', model);
    expect(out).toContain(`rule "stopsAtRed" is not judged: it reads ${LIGHTS}`);
    const joint = await foreguard('risk', '-s', spec, '-m', model, '--joint', 'slow,limit');
    expect(joint.code).toBe(2);
    expect(joint.err).toContain(`rule "limit" is not judged: it reads ${LIMITS}`);
    const replayed = await json('replay', '-s', spec, '-t', dark, '-m', model);
    expect(replayed.code).toBe(0);
    expect(Object.keys(replayed.totals)).toEqual(['slow', 'neverRacesAtRed']);
    expect(notJudged(replayed)).toEqual(['stopsAtRed', 'limit']);
    const certified = await json('certify', '-s', spec, '-m', model);
    expect(certified.rules.map(({ name }: { name: string }) => name)).toEqual(['slow', 'neverRacesAtRed']);
    expect(notJudged(certified)).toEqual(['stopsAtRed', 'limit']);
    const fromTraces = await json('certify', '-s', spec, '-t', dark);
    expect(notJudged(fromTraces)).toEqual(['stopsAtRed', 'limit']);
    expect(messages(fromTraces).some((message) => message.includes('speeds are taken for m/s'))).toBe(true);
    const compiled = await foreguard('compile', '-s', spec, '-m', model, '-o', path('guard.json'));
    expect(compiled.code).toBe(2);
    expect(compiled.err).toContain('a guard without the rule would allow what it forbids');
  });

  it.each([
    ['robustness', '-t', dark],
    ['validate', '-t', dark],
    ['learn', '-t', dark, '-o', path('strict.umb')],
    ['risk', '-m', path('dark.umb')],
    ['certify', '-m', path('dark.umb')],
    ['replay', '-t', dark, '-m', path('dark.umb')],
  ])('fails %s under --strict', async (...words) => {
    const { code, out, err } = await foreguard(...words, '-s', spec, '--strict');
    expect(code).toBe(2);
    expect(out + err).toContain(`rule "stopsAtRed" is not judged: it reads ${LIGHTS}`);
  });

  it('tells nothing to learn where no predicate can be read, and no rule to judge', async () => {
    const only = path('only.yaml');
    writeFileSync(
      only,
      `version: 1\nrules: { red: { formula: 'G trafficLightAheadcolor != 1', threshold: 0.5 } }\n`,
    );
    const learnt = await foreguard('learn', '-s', only, '-t', dark, '-o', path('nothing.umb'));
    expect(learnt.code).toBe(2);
    expect(learnt.err).toContain('no predicate can be read in these traces');
    expect(learnt.err).toContain(LIGHTS);
    const validated = await json('validate', '-s', only, '-t', dark);
    expect(validated).toMatchObject({
      code: 2,
      errors: [expect.stringContaining('no predicate can be read in these traces')],
      notJudged: [{ rule: 'red', traces: 1, of: 1 }],
    });
  });
});

describe('drives of which some tell less than others', () => {
  it('are judged each by what it tells, and counted', async () => {
    const found = await json('robustness', '-s', spec, '-t', dark, lit);
    expect(found.traces.map((trace: { rules: object }) => trace.rules)).toMatchObject([
      { stopsAtRed: { robustness: null } },
      { stopsAtRed: { robustness: expect.any(Number) } },
    ]);
    expect(found.notJudged[0]).toMatchObject({ rule: 'stopsAtRed', traces: 1, of: 2, first: 'dark.json' });
    expect(messages(found)).toContain(
      `rule "stopsAtRed" is not judged on 1 of 2 traces, the first "dark.json": it reads ${LIGHTS}`,
    );
    expect(messages(found)).toContain(`rule "limit" is not judged on any of 2 traces: it reads ${LIMITS}`);
  });

  it('are learnt from where they tell all that any tells, in whichever order they come', async () => {
    for (const files of [
      [dark, lit],
      [lit, dark],
    ]) {
      const learnt = await json('learn', '-s', spec, '-t', ...files, '-o', path('some.umb'));
      expect(learnt).toMatchObject({ code: 0, traces: 1, steps: 10 });
      expect(messages(learnt).at(-1)).toContain('1 trace left out, which lack fields that others have');
      const certified = await foreguard('certify', '-s', spec, '-m', path('some.umb'));
      expect(certified.code).toBe(2);
      expect(certified.err).toContain('1 have a predicate that fails or reads what is not recorded');
      const risks = await json('risk', '-s', spec, '-m', path('some.umb'));
      expect(notJudged(risks)).toEqual(['limit']);
    }
  });

  it('count in no total of a replayed rule that reads what they do not tell', async () => {
    const only = path('red.yaml');
    writeFileSync(
      only,
      `version: 1\nrules: { red: { formula: 'G trafficLightAheadcolor != 1', threshold: 0.5 } }\n`,
    );
    await json('learn', '-s', only, '-t', lit, '-o', path('red.umb'));
    const replayed = await json('replay', '-s', only, '-t', dark, lit, '-m', path('red.umb'));
    expect(replayed.totals.red).toMatchObject({ violations: 1, falseAlarms: 0, unknown: 0, notJudged: 1 });
    expect(replayed.traces[0].rules.red).toMatchObject({ violatedAt: null, notJudged: `reads ${LIGHTS}` });
    const { out } = await foreguard('replay', '-s', only, '-t', dark, lit, '-m', path('red.umb'));
    expect(out).toMatch(/dark.json +red +10 +not judged/);
  });
});

it('a field that no reader speaks of stays an error, with the name that was meant', async () => {
  const wrong = path('wrong.yaml');
  writeFileSync(wrong, `version: 1\nrules: { fast: { formula: 'G sped < 50', threshold: 0.5 } }\n`);
  const { code, errors } = await json('validate', '-s', wrong, '-t', dark);
  expect(code).toBe(2);
  expect(errors[0]).toContain('no step has the field "sped"');
});

it('traces that were written as JSON lines keep what their recording did not tell', async () => {
  const steps = [{ state: { speed: 3 } }, { state: { speed: 4 } }];
  const line = { id: 'a', notRecorded: { trafficLightAheadcolor: 'no traffic_lights' }, steps };
  writeFileSync(path('lines.jsonl'), `${JSON.stringify(line)}\n`);
  const found = await json('robustness', '-s', spec, '-t', path('lines.jsonl')).catch((error) => error);
  // What the trace does not speak of is an error as ever.
  expect(found.error.message).toContain('speedLimitupperLimit');
  const two = path('two.yaml');
  writeFileSync(
    two,
    `version: 1\nrules: { red: { formula: 'G trafficLightAheadcolor != 1', threshold: 0.5 } }\n`,
  );
  expect(notJudged(await json('robustness', '-s', two, '-t', path('lines.jsonl')))).toEqual(['red']);
  writeFileSync(path('lines.jsonl'), `${JSON.stringify({ ...line, notRecorded: ['speed'] })}\n`);
  const { err } = await foreguard('robustness', '-s', two, '-t', path('lines.jsonl'));
  expect(err).toContain('notRecorded is an array of 1; expected an object of fields with reasons');
});

it('a field that is declared elsewhere does not excuse a misspelt one of the same name', async () => {
  const state = { ego: { sped: 3 }, npc: {} };
  const line = { id: 'a', notRecorded: { 'npc.speed': 'no radar', speed: 'no sensor' }, steps: [{ state }] };
  writeFileSync(path('nested.jsonl'), `${JSON.stringify(line)}\n`);
  const nested = path('nested.yaml');
  writeFileSync(
    nested,
    `version: 1
rules:
  ego: { formula: 'G ego.speed < 50', threshold: 0.5 }
  npc: { formula: 'G npc.speed < 50', threshold: 0.5 }
`,
  );
  const found = await json('validate', '-s', nested, '-t', path('nested.jsonl'));
  expect(found.code).toBe(2);
  expect(found.errors.join()).toContain('found no field "speed"');
  expect(notJudged(found)).toEqual(['npc']);
});

sharedData('apollo/second-dialect.json', (recording) => {
  sharedData('traffic-laws/laws.json', (laws) => {
    it('none of the 18 laws is judged on a drive without lights, lane numbers and speed limits', async () => {
      const rules = Object.entries(JSON.parse(readFileSync(laws, 'utf8')) as Record<string, string>);
      const lines = rules.map(
        ([name, law]) => `  ${name}: { formula: ${JSON.stringify(law)}, threshold: 0.5 }\n`,
      );
      writeFileSync(path('laws.yaml'), `version: 1\nrules:\n${lines.join('')}`);
      const found = await json('robustness', '-s', path('laws.yaml'), '-t', recording);
      expect(rules).toHaveLength(18);
      expect(notJudged(found)).toEqual(rules.map(([name]) => name));
      const first = await json('robustness', '-s', path('laws.yaml'), '-t', sharedPath('apollo/trace.json'));
      expect(notJudged(first)).toEqual(['rule44', 'rule45', 'rule46_3']);
    });
  });
});

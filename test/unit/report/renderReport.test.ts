import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import '../../../bindings/solvers/kernel/inline.js';
import { learn } from '../../../bindings/estimation/learning/index.js';
import { certify, type RuleRiskTable, riskTable } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { type Dtmc, dtmcFromRows } from '../../../bindings/solvers/model/index.js';
import { drawnTransitions } from '../../../bindings/study/report/drawnTransitions.js';
import {
  describeChain,
  type ReportChain,
  type ReportData,
  renderReport,
} from '../../../bindings/study/report/index.js';

const specification = parseSpecification(
  `version: 1
predicates: { hot: 'hot', burnt: 'burnt' }
rules: { noFire: { formula: 'G !burnt', threshold: 0.4 } }
learning: { smoothing: 0 }
`,
  { source: 'test.yaml' },
);
const run = (id: string, ...states: string[]) => ({
  id,
  complete: true,
  steps: states.map((state) => ({ state: { hot: state !== 'cold', burnt: state === 'burnt' } })),
});
// hot is left three times: once to burnt, once to cold, once to the end.
const traces = [run('a', 'cold', 'hot', 'burnt'), run('b', 'cold', 'hot', 'cold'), run('c', 'cold', 'hot')];

let model: Dtmc;
let table: RuleRiskTable;
let chain: ReportChain;
let data: ReportData;

beforeAll(async () => {
  ({ model } = await learn(new Abstraction(specification.abstraction), traces, specification.learning));
  [table] = riskTable(specification, model).rules;
  chain = describeChain(model, table, { title: 'The chain', threshold: 0.4 });
  const rate = { rate: 0.25, confidenceLower: 0.2, confidenceUpper: 0.3 };
  data = {
    title: 'A report',
    summary: 'What happened.',
    facts: [{ name: 'traces', value: '3' }],
    chain,
    settings: {
      note: 'Made up.',
      rows: [
        { name: 'no enforcement', group: 'none', runs: 1000, unsafe: rate, completed: rate },
        { name: 'stop', group: 'stop', runs: 1000, unsafe: { ...rate, rate: 0.21 }, completed: rate },
      ],
    },
    plots: [
      {
        title: 'Reliability',
        note: 'Made up.',
        x: { name: 'predicted', min: 0, max: 1, percent: true },
        y: { name: 'observed', min: 0, max: 4 },
        diagonal: true,
        series: [
          {
            name: 'ours',
            joined: true,
            points: [
              { x: 0, y: 1, interval: { lower: 0, upper: 2 }, label: 'first point' },
              { x: 0.5, y: 4, label: 'second point' },
            ],
          },
          { name: 'theirs', points: [{ x: 2, y: -1, label: 'outside' }] },
        ],
      },
    ],
    tables: [
      { title: 'More', note: '', columns: [{ name: 'word', numeric: false }], rows: [['one'], ['two']] },
    ],
    notes: ['Nothing else.'],
  };
});

describe('a chain for the report', () => {
  it('names the risk of a bound of PCTL for what it is', () => {
    const rule = 'P<0.3 [ F hit ]';
    const of = (evaluation: 'state' | 'trace') =>
      renderReport({ ...data, chain: { ...chain, rule, evaluation } });
    expect(of('state')).toContain(
      'probability of the event that <code>P&lt;0.3 [ F hit ]</code> bounds, from',
    );
    expect(of('trace')).toContain('probability of breaking <code>P&lt;0.3 [ F hit ]</code> from');
  });

  it('has every state with its risk, and every transition', () => {
    // From cold: hot 3/4, end 1/4; from hot: burnt, cold, end 1/3 each. r = 3/4 h and h = 1/3 + r/3, so h = 4/9, r = 1/3.
    const shown = chain.states.map(({ name, kind, label, draws, violated }) => ({
      name,
      kind,
      label,
      draws,
      violated,
    }));
    const state = (name: string, label: string, draws: number, violated = false) => {
      return { name, kind: 'state', label, draws, violated };
    };
    expect(shown).toEqual([
      { name: 'start', kind: 'start', label: 'before the first observation', draws: 3, violated: false },
      state('s0', 'none of the predicates', 4),
      state('s1', 'hot', 3),
      state('s2', 'hot, burnt', 1, true),
      { name: 'end', kind: 'end', label: 'the run is over', draws: 0, violated: false },
    ]);
    const risks = chain.states.map(({ risk }) => risk);
    for (const [s, exact] of [1 / 3, 1 / 3, 4 / 9, 1].entries()) {
      expect(risks[s]!.lower).toBeLessThanOrEqual(exact);
      expect(risks[s]!.upper).toBeGreaterThanOrEqual(exact);
      expect(risks[s]!.upper - risks[s]!.lower).toBeLessThan(1e-5);
    }
    expect(risks[4]).toBeNull();
    expect(chain.transitions.map(({ from, to }) => `${from}→${to}`)).toEqual([
      '0→1',
      '1→2',
      '1→4',
      '2→1',
      '2→3',
      '2→4',
      '3→4',
    ]);
  });

  it('has confidence intervals of a certificate, and says where nothing bounds the risk', () => {
    const certificate = certify(specification, model, { delta: 0.1 });
    const certified = describeChain(model, table, { title: 'The chain', threshold: 0.4, certificate });
    const [{ start, entries }] = certificate.rules;
    expect(certified.confidence).toBe(0.9);
    expect(certified.states[0].confidence).toEqual({
      lower: start.confidenceLower,
      upper: start.confidenceUpper,
      unbounded: null,
    });
    for (const { state, confidenceLower, confidenceUpper } of entries) {
      expect(certified.states[state + 1].confidence).toEqual({
        lower: confidenceLower,
        upper: confidenceUpper,
        unbounded: null,
      });
    }
    const page = renderReport({ ...data, chain: certified });
    expect(page).toContain('at confidence 0.9</th>');
    expect(page).toMatch(/<td class="number">0\.\d{3} – [01]\.\d{3}<\/td>/);
    const unbounded = { lower: 0, upper: 1, unbounded: 'cannot be bounded: state 0 was never left' };
    const states = certified.states.map((state) => ({ ...state, confidence: unbounded }));
    const never = renderReport({ ...data, chain: { ...certified, states } });
    expect(never).toContain('<td class="number">cannot be bounded: state 0 was never left</td>');
    expect(renderReport(data)).not.toContain('at confidence');
    expect(() =>
      describeChain(model, { ...table, name: 'other' }, { title: 'The chain', threshold: null, certificate }),
    ).toThrow('the certificate has no rule "other"');
  });

  it('refuses a risk table of another model', () => {
    const other = { ...table, entries: [{ ...table.entries[0], state: 7 }] };
    expect(() => describeChain(model, other, { title: '', threshold: null })).toThrow(
      'the risk table has state 7, but the model only 3 states besides start and end',
    );
  });
});

/** Names of elements that are opened and closed, in order; throws where they do not nest. */
function elements(page: string): string[] {
  const body = page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '<$1></$1>');
  const open: string[] = [];
  const names: string[] = [];
  for (const [, slash, name, rest] of body.matchAll(/<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|[^">])*)>/g)) {
    if (slash) expect(open.pop()).toBe(name);
    else {
      names.push(name);
      if (!rest.endsWith('/') && name !== 'meta') open.push(name);
    }
  }
  expect(open).toEqual([]);
  return names;
}

describe('transitions that are rare', () => {
  // One run in 2,000 burns, and one in 2,000 comes to where it is wet; smoothing allows all else, as rarely.
  const drenched = parseSpecification(
    `version: 1
predicates: { hot: 'hot', burnt: 'burnt', wet: 'wet' }
rules: { noFire: { formula: 'G !burnt', threshold: 0.4 } }
learning: { smoothing: 0.001 }
`,
    { source: 'test.yaml' },
  );
  const step = (name: string) => ({
    state: { hot: name === 'hot', burnt: name === 'burnt', wet: name === 'wet' },
  });
  const runs = Array.from({ length: 2000 }, (_, i) => ({
    id: `${i}`,
    steps: (i === 0 ? ['cold', 'burnt'] : i === 1 ? ['cold', 'wet'] : ['cold', 'hot']).map(step),
  }));
  const described = async () => {
    const learnt = await learn(new Abstraction(drenched.abstraction), runs, drenched.learning);
    const [rule] = riskTable(drenched, learnt.model).rules;
    return { learnt, chain: describeChain(learnt.model, rule, { title: 'The chain', threshold: 0.4 }) };
  };

  it('are drawn where the rule is broken behind them, or most of what comes to a state comes by them', async () => {
    const { learnt, chain: drawn } = await described();
    const [cold, burnt, wet, hot] = [1, 2, 3, 4];
    const found = new Map(drawn.transitions.map((one) => [`${one.from}→${one.to}`, one]));
    expect(found.get(`${cold}→${burnt}`)).toMatchObject({ carries: 'violation' });
    expect(found.get(`${cold}→${burnt}`)!.probability).toBeLessThan(0.001);
    expect(found.get(`${cold}→${wet}`)).toMatchObject({ carries: 'inflow' });
    // Wherever from, what leads into the fire is drawn.
    for (const from of [cold, wet, hot]) expect(found.get(`${from}→${burnt}`)?.carries).toBe('violation');
    expect(found.get(`${hot}→${wet}`)).toBeUndefined();
    const all = learnt.model.rowStart[learnt.model.states - 1];
    const leftOut = drawn.states.reduce((sum, { notDrawn }) => sum + (notDrawn?.transitions ?? 0), 0);
    expect(leftOut).toBeGreaterThan(0);
    expect(drawn.transitions.length + leftOut).toBe(all);
    const page = renderReport({ ...data, chain: drawn });
    expect(page).toContain(
      `${drawn.transitions.length} of ${all} transitions are drawn; ${leftOut} are left out`,
    );
    expect(page).toContain('data-from="1" data-to="2" class="breaking" d=');
    expect(page).toMatch(/data-from="1" data-to="2" class="breaking" x="[^"]*" y="[^"]*">&lt;0\.001</);
    expect(page).toMatch(/rarer transitions? (is|are) not drawn, with a probability of/);
    expect(renderReport(data)).toContain('all 7 transitions are drawn');
  });

  it('are left out only where others carry most of what comes to a state, and most of a state’s risk', () => {
    const weight = fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1000, max: 9000 }),
    );
    let leftOut = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(weight, { minLength: 6, maxLength: 6 }), fc.nat(50), fc.boolean()), {
          minLength: 5,
          maxLength: 5,
        }),
        (rows) => {
          const sums = rows.map(([weights]) => weights.reduce((a, b) => a + b, 0));
          const chances = rows.map(([weights], s) =>
            weights.flatMap((one, t): [number, number][] => (one === 0 ? [] : [[t, one / sums[s]]])),
          );
          const drawnModel = dtmcFromRows([...chances.map((row) => (row.length > 0 ? row : null)), [[5, 1]]]);
          const described = [...rows, [[], 0, false] as const].map(([, draws, violated], s) => ({
            ...chain.states[1],
            name: `s${s}`,
            draws,
            violated,
            risk: violated ? { lower: 1, upper: 1 } : { lower: 0, upper: draws / 100 },
          }));
          const { transitions, notDrawn } = drawnTransitions(drawnModel, described);
          leftOut += notDrawn.reduce((sum, one) => sum + one.transitions, 0);
          const all = chances.flatMap((row, from) =>
            row.map(([to, probability]) => ({ from, to, probability })),
          );
          const sum = (
            of: readonly { from: number; to: number; probability: number }[],
            share: (one: { from: number; to: number; probability: number }) => number,
          ) => of.reduce((total, one) => total + share(one), 0);
          for (let s = 0; s < 6; s++) {
            const into = (one: { from: number; to: number }) => one.to === s && one.from !== s;
            const away = (one: { from: number; to: number }) => one.from === s && one.to !== s;
            const flow = (one: { from: number; probability: number }) =>
              one.probability * described[one.from].draws;
            const risk = (one: { to: number; probability: number }) =>
              one.probability * described[one.to].risk.upper;
            const [comes, shown] = [sum(all.filter(into), flow), sum(transitions.filter(into), flow)];
            if (comes > 0) expect(shown).toBeGreaterThan(comes * 0.4999);
            else expect(transitions.some(into)).toBe(all.some(into));
            if (described[s].violated) expect(transitions.filter(into)).toHaveLength(all.filter(into).length);
            expect(sum(transitions.filter(away), risk)).toBeGreaterThanOrEqual(
              sum(all.filter(away), risk) * 0.4999,
            );
          }
        },
      ),
      { numRuns: 300, seed: 61 },
    );
    expect(leftOut).toBeGreaterThan(100);
  });

  it('a chain drawn for a rule with a horizon says within how many steps its risks are', async () => {
    const near = { ...drenched, rules: drenched.rules.map((rule) => ({ ...rule, horizonSteps: 3 })) };
    const learnt = await learn(new Abstraction(near.abstraction), runs, near.learning);
    const [rule] = riskTable(near, learnt.model).rules;
    const chain = describeChain(learnt.model, rule, { title: 'The chain', threshold: null });
    expect(renderReport({ ...data, chain })).toMatch(
      /the probability of breaking <code>[^<]*, within 3 steps<\/code>/,
    );
  });

  it('a chain that was learnt from steps that were held says so beside the drawing', async () => {
    const period = { seconds: 1, tolerance: 0.1, resample: 'hold' as const };
    const slow = runs
      .slice(0, 4)
      .map(({ id, steps }) => ({ id, steps: steps.map((one, i) => ({ ...one, time: 5 * i })) }));
    const timed = { ...drenched, learning: { ...drenched.learning, period } };
    const learnt = await learn(new Abstraction(timed.abstraction), slow, timed.learning);
    const [rule] = riskTable(timed, learnt.model).rules;
    const shown = describeChain(learnt.model, rule, { title: 'The chain', threshold: null });
    expect(renderReport({ ...data, chain: shown })).toContain('16 of 24 steps were held, not recorded.');
    expect(renderReport(data)).not.toContain('were held');
  });

  it('a chain that was learnt from steps that are no sampling period apart in the mean says so, too', async () => {
    const period = { seconds: 1, tolerance: 0.1 };
    const late = runs.map(({ id, steps }) => ({
      id,
      steps: steps.map((one, i) => ({ ...one, time: 1.06 * i })),
    }));
    const timed = { ...drenched, learning: { ...drenched.learning, period } };
    const learnt = await learn(new Abstraction(timed.abstraction), late, timed.learning);
    const [rule] = riskTable(timed, learnt.model).rules;
    const shown = describeChain(learnt.model, rule, { title: 'The chain', threshold: null });
    const said = 'windows in seconds are 6% longer by the recorded clock';
    expect(renderReport({ ...data, chain: shown })).toContain(said);
    expect(renderReport(data)).not.toContain('by the recorded clock');
  });
});

describe('the page', () => {
  it('loads nothing: no address, no import, no reference to another file', () => {
    const page = renderReport(data);
    expect(page).not.toMatch(/https?:|\/\/[a-z]|@import|src=|href=|url\((?!#)/i);
    expect(page).toContain("default-src 'none'");
  });

  it('is well formed, with unique identifiers and labels that lead to one', () => {
    const page = renderReport(data);
    expect(page.startsWith('<!doctype html>')).toBe(true);
    const names = elements(page);
    for (const name of ['title', 'main', 'h1', 'svg', 'table', 'figcaption', 'script'])
      expect(names).toContain(name);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of page.matchAll(/aria-labelledby="([^"]*)"/g)) expect(ids).toContain(id);
  });

  it('shows every state, by eye, keyboard and in the table, and every setting', () => {
    const page = renderReport(data);
    for (const [s, { name }] of chain.states.entries()) {
      expect(page).toContain(`data-state="${s}"`);
      expect(page).toContain(`<template data-card="${s}"><h3>${name}</h3>`);
      if (name !== 'end') expect(page).toContain(`<th scope="row">${name}</th>`);
    }
    expect(page.match(/class="state" tabindex="0"/g)).toHaveLength(chain.states.length);
    expect(page.match(/class="ring" x=/g)).toHaveLength(1);
    for (const { name } of data.settings.rows) expect(page.split(name).length).toBeGreaterThan(3);
    expect(page).toContain('>intervenes<');
    expect(page).toContain('>broken<');
  });

  it('says what it compares with the threshold, and never that a guard allows a state', () => {
    const page = renderReport(data);
    expect(page).not.toContain('allows');
    expect(page).toContain('<th scope="col">this risk alone, at 0.4</th>');
    expect(page).toMatch(
      /<caption>The last column compares [^<]* with 0\.4, and nothing else: it does not say what a guard does/,
    );
    expect(page).toMatch(/<th scope="row">s0<\/th>.*<td>below it<\/td>/);
    const unseen = chain.states.map((state) => (state.name === 's0' ? { ...state, draws: 0 } : state));
    expect(renderReport({ ...data, chain: { ...chain, states: unseen } })).toMatch(
      /<th scope="row">s0<\/th>.*<td>no data<\/td>/,
    );
    const untold = renderReport({ ...data, chain: { ...chain, threshold: null } });
    expect(untold).not.toContain('<caption>The last column');
    expect(untold).toContain('<th scope="col">the rule</th>');
  });

  it('marks states that the rule’s automaton breaks after some histories alone', async () => {
    const lasting = parseSpecification(
      `version: 1
predicates: { hot: 'hot', burnt: 'burnt' }
rules: { cools: { formula: 'G (hot -> X !hot)', threshold: 0.4 } }
learning: { smoothing: 0 }
`,
      { source: 'test.yaml' },
    );
    const learnt = await learn(new Abstraction(lasting.abstraction), traces, lasting.learning);
    const [rule] = riskTable(lasting, learnt.model).rules;
    const shown = describeChain(learnt.model, rule, { title: 'The chain', threshold: 0.4 });
    // Hot, burnt or not, breaks the rule after hot, and is open after cold or at first.
    expect(shown.states.map(({ violated, breaking = false }) => [violated, breaking])).toEqual([
      [false, false],
      [false, false],
      [false, true],
      [false, true],
      [false, false],
    ]);
    const page = renderReport({ ...data, chain: shown });
    expect(page.match(/class="ring some" x=/g)).toHaveLength(2);
    expect(page).toContain(
      '<b class="ring some"></b> the rule is broken here after some of what may have come before',
    );
    expect(page).toMatch(
      /aria-label="s1 · risk [^"]*, broken here after some of what may have come before: hot; not burnt"/,
    );
    expect(page).toMatch(
      /<th scope="row">s1<\/th>.*<td>[^<]*; broken here after some of what may have come before<\/td>/,
    );
    expect(page).toContain(
      '<p>The rule is broken here after some of what may have come before; the risk is that of the rest.</p>',
    );
    expect(renderReport(data)).not.toContain('ring some"></b>');
  });

  it('rounds the bounds of a risk outward', () => {
    const states = chain.states.map((state) => ({ ...state, risk: { lower: 1 / 6, upper: 4 / 9 } }));
    const page = renderReport({ ...data, chain: { ...chain, states } });
    expect(page).toContain('<p>Risk between 0.166666 and 0.444445;');
  });

  it('plots points with their intervals at their places, those outside at the border', () => {
    const page = renderReport(data);
    // The plot's frame is 52 .. 406 across and 276 .. 10 up; the interval 0 .. 2 of 0 .. 4 is its lower half.
    expect(page).toContain(
      'aria-label="first point"><title>first point</title><path class="interval" d="M52.0 276.0V143.0"/>',
    );
    expect(page).toContain('<circle cx="52.0" cy="209.5" r="4"/>');
    expect(page).toContain('<polyline class="group g0" points="52.0,209.5 229.0,10.0"/>');
    expect(page).toContain('<title>outside</title><circle cx="406.0" cy="276.0" r="4"/>');
    expect(page).toContain('d="M52.0 276.0L406.0 10.0"');
    expect(page).toContain('text-anchor="middle">80%</text>');
    expect(page).toContain('text-anchor="end">4</text>');
  });

  it('has no place for plots where there are none, and refuses more series than can be told apart', () => {
    const { plots = [], ...rest } = data;
    expect(renderReport(rest)).not.toContain('id="plots"');
    const [plot] = plots;
    const six = Array.from({ length: 6 }, () => plot.series[0]);
    expect(() => renderReport({ ...data, plots: [{ ...plot, series: six }] })).toThrow(
      'the plot "Reliability" has 6 series',
    );
  });

  it('is the same for the same data', () => {
    expect(renderReport(data)).toBe(renderReport(structuredClone(data)));
  });

  it('escapes every text it is given', () => {
    const hostile = `"'><script>alert(1)</script><img onerror=alert(1)>&amp;`;
    const poison = (value: unknown): unknown => {
      if (typeof value === 'string') return hostile;
      if (Array.isArray(value)) return value.map(poison);
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, key === 'kind' ? inner : poison(inner)]),
      );
    };
    const page = renderReport(poison(data) as ReportData);
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(page).not.toContain('<img');
    expect(page).toContain('&quot;&#39;&gt;&lt;script&gt;alert(1)');
    elements(page);
  });

  it('stays well formed whatever the risks and the text', () => {
    const text = fc.string({ unit: 'binary' });
    const risk = fc.option(
      fc
        .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
        .map(([a, b]) => ({ lower: Math.min(a, b), upper: Math.max(a, b) })),
    );
    const anyState = fc.record({
      name: text,
      kind: fc.constantFrom('start' as const, 'state' as const, 'end' as const),
      label: text,
      words: text,
      risk,
      draws: fc.nat(),
      violated: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyState, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(5)), (states, to) => {
        const transitions = to.map((t, i) => ({
          from: i % states.length,
          to: t % states.length,
          probability: (i % 11) / 10,
        }));
        const page = renderReport({ ...data, chain: { ...chain, states, transitions } });
        elements(page);
        for (const [, value] of page.matchAll(/ (?:x|y|cx|cy|d|transform|viewBox|width|height)="([^"]*)"/g)) {
          expect(value).not.toMatch(/NaN|undefined|Infinity/);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('says of the risk table that a shield may go by another risk', () => {
    expect(renderReport(data)).toContain(
      'Under shield: least or budget it may also let pass what this risk would refuse: it goes by the least risk over all ways to go on',
    );
  });
});

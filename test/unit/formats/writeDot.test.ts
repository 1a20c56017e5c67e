import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { writeDot } from '../../../bindings/solvers/formats/index.js';
import {
  createIntervalDtmc,
  createMdp,
  dtmcFromRows,
  NO_ACTION,
} from '../../../bindings/solvers/model/index.js';

const model = dtmcFromRows(
  [
    [
      [0, 1 / 3],
      [1, 2 / 3],
    ],
    [[1, 1]],
    null,
  ],
  { labels: { end: [1], 'say "hi"': [0, 1] } },
);

const mdp = createMdp({
  rowGroupStart: Uint32Array.of(0, 2),
  rowStart: Uint32Array.of(0, 1, 2),
  columns: Uint32Array.of(0, 0),
  values: Float64Array.of(1, 1),
  initial: [0],
  labels: new Map(),
  actions: { names: ['say "go"'], ofRow: Uint32Array.of(0, NO_ACTION) },
});

describe('writeDot', () => {
  it('draws states with labels, initial and unknown ones marked, and transitions with probabilities', () => {
    expect(writeDot(model)).toBe(`digraph dtmc {
  node [shape=box, style="rounded,filled", fillcolor=white];
  0 [label="0\\nsay \\"hi\\"", fillcolor="/pastel19/2", peripheries=2];
  1 [label="1\\nend\\nsay \\"hi\\"", fillcolor="/pastel19/1:/pastel19/2", style="striped"];
  2 [label="2", style="rounded,filled,dashed"];
  0 -> 0 [label="0.3333"];
  0 -> 1 [label="0.6667"];
  1 -> 1 [label="1"];
}
`);
  });

  it('draws the choices of a decision process as points', () => {
    expect(writeDot(mdp)).toBe(`digraph mdp {
  node [shape=box, style="rounded,filled", fillcolor=white];
  0 [label="0", peripheries=2];
  choice0 [shape=point];
  0 -> choice0 [label="say \\"go\\"", arrowhead=none];
  choice0 -> 0 [label="1"];
  choice1 [shape=point];
  0 -> choice1 [arrowhead=none];
  choice1 -> 0 [label="1"];
}
`);
  });

  it('shows intervals', () => {
    const interval = createIntervalDtmc({
      rowStart: Uint32Array.of(0, 1),
      columns: Uint32Array.of(0),
      lower: Float64Array.of(1 / 3),
      upper: Float64Array.of(1),
      initial: [0],
      labels: new Map(),
    });
    expect(writeDot(interval)).toContain('digraph idtmc {');
    expect(writeDot(interval)).toContain('0 -> 0 [label="[0.3333,1]"];');
  });

  it('escapes what Graphviz would read otherwise', () => {
    const named = dtmcFromRows([[[0, 1]]], { labels: { '\\N &lt; "a"\nb': [0] } });
    expect(writeDot(named)).toContain('label="0\\n\\\\N &amp;lt; \\"a\\"\\nb"');
  });

  it('shows a value per state as text and colour', () => {
    const dot = writeDot(model, { values: [0, 0.25, 1], valueName: 'risk' });
    expect(dot).toContain('1 [label="1\\nend\\nsay \\"hi\\"\\nrisk 0.25", fillcolor="0 0.25 1"]');
  });

  it('refuses models that are too large to read, and values that do not fit', () => {
    expect(() => writeDot(model, { maxStates: 2 })).toThrow(InvalidArgumentError);
    expect(() => writeDot(model, { maxStates: 2 })).toThrow(/3 states.*the limit is 2/);
    expect(() => writeDot(model, { values: [0, 1] })).toThrow(/2 values for 3 states/);
    expect(() => writeDot(model, { values: [0, 1, Number.NaN] })).toThrow(/value of state 2 is NaN/);
  });

  it.skipIf(spawnSync('dot', ['-V']).status !== 0)('is accepted by Graphviz', () => {
    expect(spawnSync('dot', ['-Tplain'], { input: writeDot(mdp) }).status).toBe(0);
    const { status, stderr } = spawnSync('dot', ['-Tplain'], {
      input: writeDot(model, { values: [0, 0.5, 1] }),
    });
    expect([status, String(stderr)]).toEqual([0, '']);
  });
});

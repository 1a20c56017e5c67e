import { describe, expect, it } from 'vitest';
import { InvalidArgumentError, KernelError } from '../../../bindings/base/errors.js';
import { parsePrismExpression } from '../../../bindings/languages/logic/index.js';
import { type BuildOptions, build } from '../../../bindings/solvers/exploration/index.js';
import { parseModel } from '../../../bindings/solvers/formats/index.js';
import { buildBoth, builtByBoth } from './sameModel.js';

const grid = `mdp
module m
  x : [0..999]; y : [0..999];
  [right] x<999 -> (x'=x+1);
  [up] y<999 -> 0.5 : (y'=y+1) + 0.5 : true;
endmodule
rewards "right" [right] true : 1; endrewards
label "far" = x+y>=20;`;

const backends = ['wasm', 'closures'] as const;

describe('limits', () => {
  it('allow exactly as many states as asked, and say how far the search got beyond', () => {
    const line = `dtmc module m x : [0..4999]; [] x<4999 -> (x'=x+1); endmodule`;
    expect(builtByBoth(line, { maxStates: 5000 }).model.states).toBe(5000);
    const error = buildBoth(line, { maxStates: 4999 });
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(String(error)).toMatch(/more than 4999 states: so many were found after exploring 4998/);
    expect(String(buildBoth(line, { maxStates: 1 }))).toMatch(/more than 1 states/);
  });

  it.each(backends)('of memory end the search with what was reached (%s)', (backend) => {
    const attempt = (): unknown => build(parseModel(grid), { backend, maxMemoryBytes: 2 ** 22 });
    expect(attempt).toThrow(KernelError);
    expect(attempt).toThrow(
      /the 4 MB of maxMemoryBytes end after \d{4,} states, of which \d{4,} are explored/,
    );
  });

  it.each([{ maxStates: 0 }, { maxStates: Number.NaN }, { maxMemoryBytes: -1 }])(
    'are positive: %o',
    (options) => {
      expect(() => build(parseModel(grid), options)).toThrow(InvalidArgumentError);
    },
  );

  it.each(backends)('of patience: progress is reported and a signal ends the search (%s)', (backend) => {
    const abort = new AbortController();
    const explored: number[] = [];
    const options: BuildOptions = {
      backend,
      signal: abort.signal,
      onProgress: (progress) => {
        expect(progress.states).toBeGreaterThanOrEqual(progress.explored);
        explored.push(progress.explored);
        if (progress.explored > 20_000) abort.abort(new Error('enough'));
      },
    };
    expect(() => build(parseModel(grid), options)).toThrow('enough');
    expect(explored.length).toBeGreaterThan(2);
    expect(explored).toEqual(explored.toSorted((a, b) => a - b));
    expect(explored.at(-1)).toBeLessThan(60_000);
  });
});

describe('stopAt', () => {
  it('leaves states unexplored, with a self-loop that earns nothing', () => {
    const { model, stopped, deadlocks } = builtByBoth(grid, {
      stopAt: [parsePrismExpression('x+y>=20'), parsePrismExpression('x=y & x>4')],
    });
    const far = model.labels.get('far');
    expect([stopped, deadlocks]).toEqual([26, 0]);
    expect(far?.count()).toBe(21);
    expect(model.warnings).toContain('26 states were not explored further, as stopAt asks');
    if (model.type !== 'mdp') throw new Error('an mdp is an mdp');
    for (const state of far ?? []) {
      const row = model.rowGroupStart[state];
      expect(model.rowGroupStart[state + 1]).toBe(row + 1);
      expect([...model.columns.subarray(model.rowStart[row], model.rowStart[row + 1])]).toEqual([state]);
      expect(model.rewards?.[0].choices?.[row]).toBe(0);
    }
  });
});

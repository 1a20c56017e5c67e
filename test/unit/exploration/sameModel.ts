import { expect } from 'vitest';
import { type BuildOptions, type BuiltModel, build } from '../../../bindings/solvers/exploration/index.js';
import { parseModel } from '../../../bindings/solvers/formats/index.js';

/** Everything that a model consists of, as plain arrays, bits of doubles included. */
function contentsOf({ model, variables, deadlocks, stopped }: BuiltModel): Record<string, unknown> {
  const row = new Float64Array(variables.variables.length);
  const states: number[][] = [];
  for (let state = 0; state < model.states; state++) {
    variables.read(state, row);
    states.push([...row]);
  }
  return {
    states,
    deadlocks,
    stopped,
    model: { ...model, labels: [...model.labels].map(([name, { words }]) => [name, words]) },
  };
}

/** Builds a model by both backends, and expects the same states in the same order, the same rows, or the same error. */
export function buildBoth(source: string, options: BuildOptions = {}): BuiltModel | Error {
  const model = parseModel(source, { name: 'both.prism' });
  const attempt = (backend: 'wasm' | 'closures'): BuiltModel | Error => {
    try {
      return build(model, { ...options, backend });
    } catch (error) {
      return error as Error;
    }
  };
  const closures = attempt('closures');
  const wasm = attempt('wasm');
  if (closures instanceof Error || wasm instanceof Error) {
    expect(String(wasm)).toBe(String(closures));
    expect((wasm as Error).constructor).toBe((closures as Error).constructor);
    return closures;
  }
  expect(closures.backend).toBe('closures');
  expect(contentsOf(wasm)).toEqual(contentsOf(closures));
  return wasm;
}

/** The same, where it is no error, and WebAssembly does not leave it to closures. */
export function builtByBoth(source: string, options: BuildOptions = {}): BuiltModel {
  const built = buildBoth(source, options);
  if (built instanceof Error) throw built;
  expect(built.backend).toBe('wasm');
  return built;
}

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Rational } from '../../../bindings/base/rational.js';
import { parsePrismExpression } from '../../../bindings/languages/logic/index.js';
import { build } from '../../../bindings/solvers/exploration/index.js';
import { parseModel } from '../../../bindings/solvers/formats/index.js';
import type { Dtmc } from '../../../bindings/solvers/model/index.js';
import { sharedData } from '../../shared.js';

interface ModelFile {
  readonly states: readonly string[];
  readonly transition_probs: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The number of each state of the file, by the number of the explored state. */
function numbersOf({ states }: Dtmc, read: (state: number, into: Float64Array) => void): number[] {
  const value = new Float64Array(1);
  return Array.from({ length: states }, (_, state) => {
    read(state, value);
    return value[0];
  });
}

function fraction(text: string): number {
  const [numerator, denominator = '1'] = text.split('/');
  return new Rational(BigInt(numerator), BigInt(denominator)).toNumber();
}

sharedData('pro2guard', (root) => {
  describe.each([
    ['embodied', 155, 0],
    ['autonomous_vehicle', 7, 2],
  ])('the chains of %s', (domain, count, withoutCommand) => {
    const folders = readdirSync(`${root}/${domain}`);

    it(`are ${count}, and say of ${withoutCommand} states that they have no command`, () => {
      expect(folders.length).toBe(count);
      for (const folder of folders) {
        const path = `${root}/${domain}/${folder}`;
        const file: ModelFile = JSON.parse(readFileSync(`${path}/model.json`, 'utf8'));
        const source = parseModel(readFileSync(`${path}/dtmc.prism`, 'utf8'), {
          name: `${folder}/dtmc.prism`,
        });
        expect(build(source).model.states).toBeLessThanOrEqual(file.states.length);
        // From every state, so that those without a command are found which the initial one does not reach.
        const initial = parsePrismExpression('true');
        const { model, variables, deadlocks } = build({ ...source, initial });
        expect(model.states).toBe(file.states.length);
        const chain = model as Dtmc;
        const numbers = numbersOf(chain, (state, into) => variables.read(state, into));
        expect(deadlocks).toBe(withoutCommand);
        expect(chain.labels.get('deadlock')!.count()).toBe(withoutCommand);
        if (withoutCommand > 0)
          expect(chain.warnings?.join()).toMatch(/^2 states without a choice .*\(s=\d+\), \(s=\d+\)/);
        numbers.forEach((number, state) => {
          const listed = file.transition_probs[file.states[number]] ?? {};
          const row: Record<string, number> = {};
          for (let i = chain.rowStart[state]; i < chain.rowStart[state + 1]; i++)
            row[file.states[numbers[chain.columns[i]]]] = chain.values[i];
          if (chain.labels.get('deadlock')!.has(state)) expect(row).toEqual({ [file.states[number]]: 1 });
          else {
            const expected = Object.entries(listed).filter(([, text]) => fraction(text) > 0);
            expect(row).toEqual(Object.fromEntries(expected.map(([name, text]) => [name, fraction(text)])));
          }
        });
      }
    });
  });
});

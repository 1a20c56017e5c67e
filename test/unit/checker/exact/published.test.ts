import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import '../../../../bindings/solvers/kernel/inline.js';
import { type GivenConstants, parseProperties } from '../../../../bindings/languages/logic/index.js';
import { checkAll } from '../../../../bindings/solvers/checker/index.js';
import { build } from '../../../../bindings/solvers/exploration/index.js';
import { parseModel } from '../../../../bindings/solvers/formats/index.js';
import { sharedData } from '../../../shared.js';

/** Answers by property, as fractions or truth values. */
function answers(
  model: string,
  properties: string,
  constants: GivenConstants,
): { property: string; answer: string }[] {
  const parsed = parseModel(readFileSync(model, 'utf8'), { name: model });
  const declared = new Set(parsed.constants.map(({ name }) => name));
  const given = Object.entries(constants);
  const ofModel = Object.fromEntries(given.filter(([name]) => declared.has(name)));
  const ofProperties = Object.fromEntries(given.filter(([name]) => !declared.has(name)));
  const file = parseProperties(readFileSync(properties, 'utf8'), { name: properties });
  const built = build(parsed, { exact: true, constants: ofModel });
  return checkAll(built, file, { exact: true, constants: ofProperties }).map((outcome) => {
    if ('error' in outcome) throw outcome.error;
    const { result, property } = outcome;
    const answer =
      result.kind === 'number' ? `${result.exact}` : `${result.kind === 'truth' && result.value}`;
    return { property: property.name ?? property.text, answer };
  });
}

interface Instance {
  readonly family: string;
  readonly model: string;
  readonly properties: string;
  readonly constants: Readonly<Record<string, number>>;
  readonly states: number;
  readonly results: Readonly<Record<string, { approx: number | boolean; num?: string; den?: string }>>;
}

/** Each is solved in less than a second; brp's are longer than published. */
const quick: Readonly<Record<string, number>> = {
  crowds: 4000,
  'haddad-monmege': 1000,
  leader_sync: 1100,
  consensus: 600,
  csma: 1100,
  zeroconf: 1100,
};

sharedData('qvbs', (root) => {
  const instances: Instance[] = JSON.parse(readFileSync(`${root}/instances.json`, 'utf8'));
  const chosen = instances.filter(({ family, states }) => states <= (quick[family] ?? 0));

  it('are of every kind', () => {
    expect(new Set(chosen.map(({ family }) => family)).size).toBe(Object.keys(quick).length);
  });

  it.each(chosen)('$model $constants comes out as the fractions that are published', (instance) => {
    const found = answers(`${root}/${instance.model}`, `${root}/${instance.properties}`, instance.constants);
    const published = found.filter(({ property }) => property in instance.results);
    expect(published.length).toBeGreaterThan(0);
    for (const { property, answer } of published) {
      const { approx, num, den } = instance.results[property];
      if (num !== undefined && den !== undefined)
        expect([property, answer]).toEqual([property, `${num}/${den}`]);
      else if (typeof approx === 'boolean') expect([property, answer]).toEqual([property, `${approx}`]);
      else expect([property, quotient(answer)]).toEqual([property, approx]);
    }
  });
});

/** The double that a fraction in text is. */
function quotient(text: string): number {
  const [numerator, denominator = '1'] = text.split('/');
  return Number(numerator) / Number(denominator);
}

sharedData('prism-tests/functionality/verify/exact', (folder) => {
  const files: readonly [model: string, properties: string, constants: GivenConstants][] = [
    ['exact-const-1.prism', 'exact-const-1.prism.props', { p: '1/3', x: 0 }],
    ['exact-eval-1.prism', 'exact-eval-1.prism.props', { x: 0 }],
    ['exact-eval-5.prism', 'exact-eval-5.prism.props', { x: 0 }],
    ['exact-eval-7.prism', 'exact-eval-7.prism.props', { x: 0 }],
    ['exact-eval-8.prism', 'exact-eval-8.prism.props', { x: 0 }],
    ['exact-literal.prism', 'exact-literal.prism.exact.props', { x: 0 }],
  ];

  describe('in exact mode', () => {
    it.each(files)('%s has the results that are noted', (model, properties, constants) => {
      const text = readFileSync(`${folder}/${properties}`, 'utf8');
      const noted = [...text.matchAll(/^\/\/ RESULT: (.*)$/gm)].map(([, result]) => result);
      const found = answers(`${folder}/${model}`, `${folder}/${properties}`, constants);
      expect(found.map(({ answer }) => answer)).toEqual(noted);
    });
  });
});

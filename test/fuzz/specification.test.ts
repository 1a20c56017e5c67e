import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseSpecification } from '../../bindings/rules/specification/index.js';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz.js';
import { jsonEdits, mutatedJson, mutatedText } from './mutations.js';

const SPECIFICATION = {
  version: 1,
  predicates: {
    hot: 'temperature > 80 && has(state.pan)',
    open: 'objects.exists(o, o.type == "Door" && o.isOpen)',
    late: 'time >= 3.5',
  },
  constraints: { state: '!(hot && open)', transition: '!(from.hot && !to.hot)', end: 'true' },
  rules: {
    never: { formula: 'G !(hot & open)', threshold: 0.3, strategy: 'reflect', escalate: ['inspect', 'stop'] },
    soon: {
      formula: 'G (hot -> F[0,3] open)',
      minimumSafe: 0.7,
      strategy: { replace: 'brake' },
      atEnd: 'weak',
    },
    seldom: { formula: 'P<0.2 [ F<=4 late ]', horizonSteps: 5, maxReflections: 1, onFailure: 'stop' },
    levels: {
      formula: 'hot W open',
      levels: [
        { threshold: 0.1, strategy: 'report' },
        { threshold: 0.5, strategy: 'stop' },
      ],
    },
  },
  learning: { model: 'dtmc', smoothing: 1, states: 'observed', onContradiction: 'error' },
  samplingPeriod: '0.5s',
  onUnknown: 'stop',
};

const TEXT = stringify(SPECIFICATION);

describe('a specification', () => {
  it('has an example that is valid itself', () => {
    expect(parseSpecification(TEXT, { source: 'x.yaml' }).rules).toHaveLength(4);
  });

  it(
    'is read, or refused with a message, whatever its values',
    async () => {
      const documents = jsonEdits.map((edits) => JSON.stringify(mutatedJson(SPECIFICATION, edits)));
      await fuzz(80, documents, (text) => parseSpecification(text, { source: 'x.json' }));
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'is read, or refused with a message, whatever its text',
    async () => {
      const texts = fc.oneof(
        mutatedText([TEXT], ['&x', '*x', '!!int', '|', '>', '{', '}', '- ', '? ', '%YAML', '---', '\t']),
        fc.string(),
        fc.constant(`${TEXT}\n# the same`),
      );
      await fuzz(80, texts, (text) => parseSpecification(text, { source: 'x.yaml' }));
    },
    FUZZ_TIMEOUT_MS,
  );
});

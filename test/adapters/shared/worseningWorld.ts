import { Abstraction, compileGuard, createGuard, learnMdp, parseSpecification } from 'foreguard';
import { createSession, type RunRecord } from 'foreguard/enforce';
import { mailbox, mailTools } from './mail.js';

const specification = parseSpecification(
  JSON.stringify({
    version: 1,
    learning: { model: 'mdp', smoothing: 0 },
    predicates: { watched: 'watched', leaked: 'leaked', harmed: 'harmed' },
    rules: {
      noLeak: { formula: 'G !leaked', threshold: 0.2, strategy: 'inspect' },
      noHarm: { formula: 'G !harmed', threshold: 0.5, strategy: 'inspect' },
    },
  }),
);
const at = (watched: boolean, outcome: { leaked?: boolean; harmed?: boolean } = {}) => ({
  watched,
  leaked: false,
  harmed: false,
  ...outcome,
});
/** What came of `send`: it leaks in 3 of 10 runs, and where it is watched it leaks and harms in 9 of 10. */
const traces = [
  ...Array.from({ length: 10 }, (_, i) => [at(false), at(false, { leaked: i < 3 })]),
  ...Array.from({ length: 10 }, (_, i) => [at(true), at(true, { leaked: i < 9, harmed: i < 9 })]),
].map(([before, after], i) => ({
  id: `${i}`,
  steps: [{ state: before, action: { name: 'send' } }, { state: after }],
}));

/** A run whose sessions have one log, in a world where more is against `send` once it is `watched`. */
export async function worseningWorld() {
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  const guard = createGuard(compileGuard(specification, model));
  const world = at(false);
  const box = mailbox();
  const records: RunRecord[] = [];
  /** A process: from the second on it goes on with the run. */
  const start = () =>
    createSession({
      guard: guard.fork(),
      tools: [...mailTools],
      state: () => ({ ...world }),
      log: { append: (record) => void records.push(structuredClone(record)) },
      ...(records.length > 0 && { resume: structuredClone(records) }),
    });
  return { world, box, records, start };
}

/** Each way in which the world may have moved between a question and its answer, and whether the yes covers what is against the call then. */
export const MOVES = [
  { before: false, after: false, covered: true },
  { before: false, after: true, covered: false },
  { before: true, after: false, covered: true },
] as const;

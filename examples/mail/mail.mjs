// What the examples of adapters share: an assistant for mail that may leak what strangers wrote to it. `fetch` taints it, `forget` drops what was read,
// and `send` leaks it where it is tainted.
import { Abstraction, compileGuard, createGuard, learn, learnMdp, parseSpecification } from 'foreguard';

export const mailTools = ['search', 'fetch', 'send', 'forget'];

const clean = { tainted: false, leaked: false };
const tainted = { tainted: true, leaked: false };
const leaked = { tainted: true, leaked: true };

/** Runs of an unguarded agent: it forgets what it fetched in 8 of 10 cases, and otherwise sends it away. */
export function recordings() {
  const runs = (count, ...steps) =>
    Array.from({ length: count }, (_, i) => ({
      id: `${steps.map(([, name]) => name).join(' ')} ${i}`,
      steps: steps.map(([state, name]) => ({ state, ...(name !== undefined && { action: { name } }) })),
    }));
  return [
    ...runs(12, [clean, 'search'], [clean, 'search'], [clean]),
    ...runs(4, [clean, 'send'], [clean]),
    ...runs(8, [clean, 'fetch'], [tainted, 'forget'], [clean]),
    ...runs(2, [clean, 'fetch'], [tainted, 'send'], [leaked]),
  ];
}

/**
 * A guard that watches for leaks by the state alone: it permits anything while the agent is clean (risk 0.08), and withholds anything
 * once it is tainted (0.26).
 *
 * @param rule what the rule says beside its formula; by default it blocks at risk 0.2
 */
export function mailGuard(rule = { strategy: 'block' }) {
  return learnt({ threshold: 0.2, ...rule }, 'dtmc');
}

/**
 * A guard that knows what tools do, and judges each call by what comes of it: of a tainted agent it withholds `send` (risk 1), and permits `forget`
 * (0.08) and, while it is clean, all that was recorded (`fetch`: 0.26).
 *
 * @param rule as above; by default it blocks at risk 0.5
 */
export function mailShield(rule = { strategy: 'block' }) {
  return learnt({ threshold: 0.5, ...rule }, 'mdp');
}

async function learnt(rule, model) {
  const specification = parseSpecification(
    JSON.stringify({
      version: 1,
      predicates: { tainted: 'tainted', leaked: 'leaked' },
      rules: { noLeak: { formula: 'G !leaked', ...rule } },
      learning: { model, smoothing: 0 },
    }),
  );
  const learner = model === 'mdp' ? learnMdp : learn;
  const abstraction = new Abstraction(specification.abstraction);
  const found = await learner(abstraction, recordings(), specification.learning);
  return createGuard(compileGuard(specification, found.model));
}

/** The assistant's world, its tools, and which of them ran, in order. */
export function mailbox() {
  const world = { ...clean };
  const ran = [];
  return {
    world,
    ran,
    state: () => ({ ...world }),
    tools: {
      search: async ({ query }) => {
        ran.push('search');
        return `3 messages about ${query}`;
      },
      fetch: async ({ url }) => {
        ran.push('fetch');
        world.tainted = true;
        return `the page at ${url}`;
      },
      send: async ({ to }) => {
        ran.push('send');
        world.leaked = world.tainted;
        return `sent to ${to}`;
      },
      forget: async () => {
        ran.push('forget');
        world.tainted = false;
        return 'forgotten';
      },
    },
  };
}

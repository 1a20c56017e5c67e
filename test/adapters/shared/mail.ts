import {
  Abstraction,
  compileGuard,
  createGuard,
  type Guard,
  learn,
  parseSpecification,
  type Trace,
} from 'foreguard';

/** What an assistant for mail has read from strangers may tell it to leak: `fetch` taints it, `forget` does not keep what was read. */
export const mailTools = ['search', 'fetch', 'send', 'forget'] as const;

const clean = { tainted: false, leaked: false };
const tainted = { tainted: true, leaked: false };
const leaked = { tainted: true, leaked: true };

/** Runs of an unguarded agent: it forgets what it fetched in 8 of 10 cases, and otherwise sends it away. */
function recordings(): Trace[] {
  const run = (id: string, ...steps: [Record<string, unknown>, string?][]): Trace => ({
    id,
    steps: steps.map(([state, name]) => ({ state, ...(name !== undefined && { action: { name } }) })),
  });
  const times = (count: number, make: (id: number) => Trace) =>
    Array.from({ length: count }, (_, i) => make(i));
  return [
    ...times(12, (i) => run(`search-${i}`, [clean, 'search'], [clean, 'search'], [clean])),
    ...times(4, (i) => run(`send-${i}`, [clean, 'send'], [clean])),
    ...times(8, (i) => run(`forget-${i}`, [clean, 'fetch'], [tainted, 'forget'], [clean])),
    ...times(2, (i) => run(`leak-${i}`, [clean, 'fetch'], [tainted, 'send'], [leaked])),
  ];
}

/**
 * A guard that watches for leaks by the state alone: it permits anything while the agent is clean (risk 0.08), and withholds anything
 * once it is tainted (0.27).
 *
 * @param rule what the rule says beside its formula; by default blocks at risk 0.2
 */
export async function mailGuard(
  rule: Readonly<Record<string, unknown>> = { strategy: 'block' },
): Promise<Guard> {
  const specification = parseSpecification(
    JSON.stringify({
      version: 1,
      predicates: { tainted: 'tainted', leaked: 'leaked' },
      rules: { noLeak: { formula: 'G !leaked', threshold: 0.2, ...rule } },
      learning: { smoothing: 0 },
    }),
  );
  const { model } = await learn(
    new Abstraction(specification.abstraction),
    recordings(),
    specification.learning,
  );
  return createGuard(compileGuard(specification, model));
}

/** The assistant's world, its tools, and which of them ran, in order. */
export function mailbox() {
  const world: { tainted: boolean; leaked: boolean } = { ...clean };
  const ran: string[] = [];
  const tool =
    <A, R>(name: string, run: (args: A) => R) =>
    async (args: A): Promise<R> => {
      ran.push(name);
      return run(args);
    };
  return {
    world,
    ran,
    state: () => ({ ...world }),
    tools: {
      search: tool('search', ({ query }: { query: string }) => `3 messages about ${query}`),
      fetch: tool('fetch', ({ url }: { url: string }) => {
        world.tainted = true;
        return `the page at ${url}`;
      }),
      send: tool('send', ({ to }: { to: string }) => {
        world.leaked = world.tainted;
        return `sent to ${to}`;
      }),
      forget: tool('forget', (_: Readonly<Record<string, never>>) => {
        world.tainted = false;
        return 'forgotten';
      }),
    },
  };
}

import { Abstraction, certify, Learner, learnUntil } from 'foreguard';

/** The largest half width of the intervals that count: before the first step, or in every state too. */
function errorOf({ rules }, scope) {
  return Math.max(
    ...rules.flatMap(({ start, entries }) =>
      (scope === 'start' ? [start] : [start, ...entries]).map(
        ({ confidenceLower, confidenceUpper }) => (confidenceUpper - confidenceLower) / 2,
      ),
    ),
  );
}

/** Runs that `learnUntil` takes when it may begin them where its plan says. */
export async function planned(world, { epsilon, scope, budget }, seed) {
  let stream = 0;
  const { stopped, looks } = await learnUntil({
    specification: world.specification,
    *sampler({ first }) {
      const job = first === null ? null : world.jobs.find((name) => first.valuation[name]);
      for (;;) yield world.run(seed, stream++, job);
    },
    epsilon,
    scope,
    budget,
    favour: true,
  });
  const { runs, onRequest } = looks.at(-1);
  return { runs: stopped === 'met' ? runs : Number.POSITIVE_INFINITY, onRequest, looks: looks.length };
}

/**
 * The smallest number of runs that is enough if run i begins as `beginning(i)` says, found by bisection: no look is too early or too late, which is more
 * than `learnUntil` can do.
 */
function smallestNumber(world, { epsilon, scope, budget }, seed, beginning) {
  const { specification } = world;
  let learner = new Learner(new Abstraction(specification.abstraction), specification.learning);
  let saved = learner.save();
  let [below, above] = [0, 64];
  /** Whether runs up to `runs` are enough; if not, they are the ones that are kept. */
  const enough = (runs) => {
    for (let i = below; i < runs; i++) {
      const job = beginning(i);
      learner.add(world.run(seed, i, job), undefined, { onRequest: job !== null });
    }
    if (errorOf(certify(specification, learner.chain().model, { epsilon }), scope) <= epsilon) {
      learner = Learner.restore(saved);
      return true;
    }
    saved = learner.save();
    below = runs;
    return false;
  };
  while (!enough(above)) {
    if (above >= budget) return Number.POSITIVE_INFINITY;
    above *= 2;
  }
  while (above - below > 1 + above / 500) {
    const middle = Math.floor((below + above) / 2);
    if (enough(middle)) above = middle;
  }
  return above;
}

/** Runs needed where each begins as the agent begins it. */
export function asAgent(world, goal, seed) {
  return smallestNumber(world, goal, seed, () => null);
}

/**
 * Runs needed where each way to begin one has its turn: every kind of job, and as the agent does, without which nothing would be known of how often
 * which job comes.
 */
export function uniform(world, goal, seed) {
  const ways = [null, ...world.jobs];
  return smallestNumber(world, goal, seed, (i) => ways[i % ways.length]);
}

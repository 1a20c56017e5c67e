import { Abstraction, compileGuard, learnMdp, parseSpecification } from 'foreguard';
import { createGuard } from 'foreguard/guard';
import { conditionText, Random } from 'foreguard-worlds';
import { rooms } from './house.mjs';

/** How often the recorded agent walks to another room instead of what its plan says. */
const STRAYS = 0.3;
/** Steps before a recording is cut. */
const MOST_STEPS = 60;

/**
 * The file of a guard for a task, learnt from recorded runs of an agent that nobody watches: it works its plan off, and at each decision it walks to another room at random
 * with probability `STRAYS`. Predicates are the rooms, and what the plan is to bring about. It knows the risk of every action under each of the constraints;
 * which of them count is the caller's.
 *
 * @param houses those of one task
 * @param from `seed`, and the number of `runs`
 */
export async function learnGuard(houses, constraints, { seed, runs }) {
  const specification = parseSpecification(JSON.stringify(specificationOf(houses[0].task, constraints)));
  const traces = Array.from({ length: runs }, (_, i) =>
    recording(houses[i % houses.length], new Random(seed, i), `run ${i}`),
  );
  const abstraction = new Abstraction(specification.abstraction);
  const { model } = await learnMdp(abstraction, traces, specification.learning);
  return compileGuard(specification, model);
}

function specificationOf({ plan }, constraints) {
  const facts = new Set(plan.flatMap(({ reach }) => reach.map((fact) => conditionText([fact]))));
  return {
    version: 1,
    predicates: Object.fromEntries([
      ...rooms.map(({ name, predicate }) => [predicate, `agent.room == "${name}"`]),
      ...[...facts].map((fact, i) => [`fact${i}`, fact]),
    ]),
    rules: Object.fromEntries(
      constraints.map(({ name, means }) => [name, { formula: means, threshold: 0.5, strategy: 'block' }]),
    ),
    // Nothing is smoothed in: what was never recorded counts as risk 1.
    learning: { smoothing: 0, model: 'mdp' },
  };
}

function recording(house, random, id) {
  const steps = [];
  let node = house.start;
  while (steps.length < MOST_STEPS) {
    const options = house.walks(node);
    const next = random.chance(STRAYS) && options.length > 0 ? random.pick(options) : house.planned(node);
    if (next === null) return { id, complete: true, steps: [...steps, { state: house.state(node) }] };
    steps.push({ state: house.state(node), action: { name: house.actionTo(node, next) } });
    node = next;
  }
  return { id, complete: false, steps };
}

const guards = new WeakMap();

/** The guard of a file with no rules but the constraints; one for each set. */
function guardOf(file, constraints) {
  const known = guards.get(constraints);
  if (known !== undefined) return known;
  const names = constraints.map(({ name }) => name);
  const guard = createGuard({ ...file, rules: file.rules.filter(({ name }) => names.includes(name)) });
  guards.set(constraints, guard);
  return guard;
}

/** A learnt guard on one run under some of its constraints. */
export class RiskJudge {
  #guard;
  #house;
  #kind;
  #risks = new Map();

  /** @param kind which risk counts: `asAgent`, if the agent goes on as recorded, or `least`, if it goes on as safely as was ever recorded */
  constructor(file, house, constraints, kind) {
    this.#guard = guardOf(file, constraints);
    this.#guard.reset();
    this.#house = house;
    this.#kind = kind;
  }

  observe(node) {
    const { actions } = this.#guard.permitted(this.#house.state(node));
    this.#risks = new Map(actions.map(({ name, rules }) => [name, this.#riskOf(rules)]));
  }

  /** The certified upper bound on the probability that some constraint is broken, after an action from a node to another; null stands for the end of the run. */
  risk(node, next) {
    return this.#risks.get(next === null ? null : this.#house.actionTo(node, next)) ?? 1;
  }

  /** The largest of the constraints' risks. */
  #riskOf(rules) {
    return Math.max(...Object.values(rules).map((risks) => risks?.[this.#kind].upper ?? 1));
  }
}

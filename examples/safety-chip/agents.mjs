import { createPruner, explainVerdict } from 'foreguard/explain';
import { oneRoom } from './constraints.mjs';
import { rooms } from './house.mjs';
import { RiskJudge } from './learnt.mjs';
import { search } from './search.mjs';
import { Walk } from './walk.mjs';

/** Proposals in one state before an agent gives up. */
export const RETRIES = 3;
/** Actions before a run is cut. */
export const MOST_STEPS = 60;
/** Risk from which on a learnt guard refuses an action. */
const MOST_RISK = 0.1;
/** Walks that an answer to "what must happen before?" may hold. */
const MOST_WALKS = 4;
/** Up to so many constraints, all together must stay satisfiable; beyond, each alone. */
export const MOST_JOINTLY = 5;

/**
 * Ways to work under constraints. Each takes the planner's next action until it is refused. No language model takes part: what a way does with a refusal is stated,
 * and with which probability.
 *
 * - `heeds`: nobody refuses; the agent itself keeps each constraint in mind with this probability at each decision, and acts on the reason if it does.
 * - `risk`: a guard learnt from recorded runs refuses as well, at a certified risk of `MOST_RISK`; which of its risks counts.
 * - `follows`: the probability that the agent acts on what the refusal tells it; else it tries another room at random.
 */
export const ways = [
  { name: 'told nothing' },
  ...[0.5, 0.8, 0.95].map((heeds) => ({
    name: `heeds each with ${heeds}`,
    heeds,
    tells: 'reason',
    follows: 1,
  })),
  { name: 'refused', isGuarded: true, follows: 0 },
  ...[0.5, 0.8, 1].map((follows) => ({
    name: `refused with the reason, followed with ${follows}`,
    isGuarded: true,
    tells: 'reason',
    follows,
  })),
  {
    name: 'refused with alternatives, followed with 0.8',
    isGuarded: true,
    tells: 'alternatives',
    follows: 0.8,
  },
  {
    name: 'refused with what must come before, followed with 0.8',
    isGuarded: true,
    tells: 'before',
    follows: 0.8,
  },
  {
    name: 'refused with what must come before, followed with 1',
    isGuarded: true,
    tells: 'before',
    follows: 1,
  },
  ...[
    ['asAgent', 'risk'],
    ['least', 'least risk'],
  ].map(([risk, said]) => ({
    name: `refused by the rules and at a learnt ${said} of ${MOST_RISK}, followed with 0.8`,
    isGuarded: true,
    risk,
    tells: 'safest',
    follows: 0.8,
  })),
  { name: 'searches', isSearch: true, isGuarded: true, follows: 0 },
];

/**
 * One run of one way under constraints.
 *
 * @param learnt the guard file that was learnt for the house's task
 * @returns what came of it: `isKept`: no prefix breaks a constraint; `isEndKept`: nor does the end; `isDone`: the goal was reached; counts of actions (`steps`),
 * of those that changed nothing (`redundant`), of those that could not be carried out, of proposals, and of refusals;
 * `path`: the nodes it came through
 */
export function runWay(way, house, constraints, random, learnt) {
  const judge = way.risk === undefined ? null : new RiskJudge(learnt, house, constraints, way.risk);
  const guide = new Guide(house, constraints, judge);
  const walk = new Walk(house, constraints, guide);
  const planned = way.isSearch ? search(house, constraints) : [];
  while (walk.run.steps < MOST_STEPS) {
    const next = decide(way, guide, walk.node, walk.run, random, planned);
    if (next === null) break;
    walk.step(next);
  }
  return walk.end();
}

/** The next node, or null where the agent ends the run or gives up. */
function decide(way, guide, node, run, random, planned) {
  const { house } = guide;
  const kept = guide.constraints.filter(() => way.heeds === undefined || random.next() < way.heeds);
  const isJudged = way.isGuarded || way.heeds !== undefined;
  const wanted = way.isSearch ? (planned[run.steps + 1] ?? null) : house.planned(node);
  let proposal = wanted;
  for (let tries = 0; ; tries++) {
    run.proposals++;
    const refused = isJudged ? guide.refused(proposal, kept) : [];
    if (refused.length === 0 && !guide.isRisky(node, proposal)) return proposal;
    if (way.isGuarded) run.refusals++;
    if (tries === RETRIES) return null;
    const told = random.next() < way.follows ? guide.tell(way.tells, node, wanted, refused, random) : null;
    proposal = told ?? anotherRoom(house, node, random);
    if (proposal === null) run.inexecutable++;
  }
}

function anotherRoom(house, node, random) {
  const others = rooms.map((_, r) => r).filter((r) => r !== house.room(node));
  return house.walked(node, random.pick(others));
}

const pruners = new WeakMap();

/** One pruner for each set of constraints: the ways meet the same sets one after the other. */
function prunerOf(constraints) {
  const known = pruners.get(constraints);
  if (known !== undefined) return known;
  const pruner = createPruner({
    rules: constraints.map(({ sentence, formula }) => ({ name: sentence, formula })),
    constraints: { state: oneRoom },
    jointly: constraints.length <= MOST_JOINTLY,
  });
  pruners.set(constraints, pruner);
  return pruner;
}

/** Foreguard at the agent's side: which actions are refused, and what a refusal says. */
export class Guide {
  #pruner;
  #judge;
  /** What was observed, step by step. */
  steps = [];

  constructor(house, constraints, judge) {
    this.#judge = judge;
    this.house = house;
    this.constraints = constraints;
    this.#pruner = prunerOf(constraints);
    this.#pruner.reset();
  }

  observe(node) {
    this.#pruner.observe(this.house.valuation(node));
    this.steps.push(this.house.valuation(node));
    this.#judge?.observe(node);
  }

  /** Whether a learnt guard refuses an action; null stands for the end of the run. */
  isRisky(node, next) {
    return this.#judge !== null && this.#judge.risk(node, next) >= MOST_RISK;
  }

  /** Of the constraints `kept` in mind, those that an action would break; null stands for the end of the run. */
  refused(next, kept) {
    const plan = next === null ? [] : [this.house.valuation(next)];
    const found = this.#pruner.wouldViolate(plan, { ends: next === null });
    return found === null ? [] : kept.filter(({ sentence }) => found.rules.includes(sentence));
  }

  /** The node after what a refusal tells the agent to do; null if that is nothing it can do. */
  tell(what, node, wanted, refused, random) {
    if (what === 'reason') return this.#discharging(node, refused);
    if (what === 'before') return this.#before(node, wanted);
    const permitted = this.#permitted(node);
    if (permitted.length === 0) return null;
    return what === 'safest' ? this.#safest(node, permitted, random) : random.pick(permitted);
  }

  /** What settles an open demand of a refused rule, by the rule's explanation. */
  #discharging(node, refused) {
    for (const { formula } of refused) {
      const named = explainVerdict(formula, this.steps).obligations.map(({ dischargedBy }) => dischargedBy);
      const room = rooms.findIndex(({ predicate }) => named.includes(predicate));
      if (room >= 0 && room !== this.house.room(node)) return this.house.walked(node, room);
    }
    return null;
  }

  /** The walks that no constraint refuses. */
  #permitted(node) {
    const { house } = this;
    const { permitted } = this.#pruner.filterActions(
      house.walks(node).map((next) => ({ action: next, valuation: house.valuation(next) })),
    );
    return permitted;
  }

  #safest(node, walks, random) {
    const risks = walks.map((next) => this.#judge.risk(node, next));
    const least = Math.min(...risks);
    return random.pick(walks.filter((_, i) => risks[i] === least));
  }

  /** The first of the fewest walks after which what was wanted is permitted. */
  #before(node, wanted) {
    const { house } = this;
    const goal = wanted === null ? [] : [house.valuation(wanted)];
    const permits = (walks) =>
      this.#pruner.wouldViolate([...walks.map((next) => house.valuation(next)), ...goal], {
        ends: wanted === null,
      }) === null;
    let walks = [[]];
    for (let length = 1; length <= MOST_WALKS; length++) {
      walks = walks.flatMap((walk) => {
        const from = walk.at(-1) ?? node;
        return house.walks(from).map((next) => [...walk, next]);
      });
      const found = walks.find(permits);
      if (found !== undefined) return found[0];
    }
    return null;
  }
}

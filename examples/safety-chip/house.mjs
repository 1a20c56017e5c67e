import { applyAction, createScene, firstAction, holds, Random } from 'foreguard-worlds';

/** The rooms, with what to call them, and furniture of which a room without any gets the first piece that the task's house lacks. */
export const rooms = [
  { name: 'Kitchen', predicate: 'inKitchen', said: 'the kitchen', furniture: ['CounterTop', 'Fridge'] },
  { name: 'Bathroom', predicate: 'inBathroom', said: 'the bathroom', furniture: ['Bathtub', 'TowelHolder'] },
  {
    name: 'LivingRoom',
    predicate: 'inLivingRoom',
    said: 'the living room',
    furniture: ['Sofa', 'Television'],
  },
  { name: 'Bedroom', predicate: 'inBedroom', said: 'the bedroom', furniture: ['Dresser', 'Chair'] },
];

/** The task in a house in which each room has something to walk to. */
function furnished(task) {
  const scene = [...task.scene];
  const has = (type) => scene.some((placement) => placement.type === type);
  const places = rooms.map(({ name, furniture }) => {
    const own = furniture.find((type) => scene.some((one) => one.type === type && one.in === name));
    if (own !== undefined) return own;
    const type = furniture.find((one) => !has(one));
    scene.push({ type, in: name });
    return type;
  });
  return { ...task, scene, places };
}

/** What is true of the rooms in a state. */
export const valuationOf = ({ agent }) =>
  Object.fromEntries(rooms.map(({ name, predicate }) => [predicate, agent.room === name]));

const nameOf = ({ name, arguments: { object, receptacle } }) =>
  [name, object, ...(receptacle === undefined ? [] : [receptacle])].join(' ');

/**
 * What can be reached in a task's house by a planner that works its plan off, and may walk to any room in between. A node is a state with the planner's place in
 * its plan; nodes are numbered as they are found. Everything is without chance: actions do what they are meant to do.
 */
export class House {
  #nodes = [];
  #numbers = new Map();

  /** @param seed of what the scene leaves to chance */
  constructor(task, seed) {
    this.task = furnished(task);
    this.start = this.#number(createScene(this.task.scene, new Random(seed)), 0, false);
  }

  /** Number of the room, from 0, in which the agent is. */
  room(node) {
    return this.#nodes[node].room;
  }

  /** What is true of the rooms. */
  valuation(node) {
    return this.#nodes[node].valuation;
  }

  /** Whether the planner has nothing left to do, and the goal held on the way. */
  isDone(node) {
    return this.planned(node) === null && this.#nodes[node].completed;
  }

  /** The node after the planner's next action; null if it has nothing left to do. */
  planned(node) {
    const one = this.#nodes[node];
    if (one.planned === undefined) one.planned = this.#work(one);
    return one.planned;
  }

  /** The node after a walk to a room; null if the way is blocked. */
  walked(node, room) {
    const one = this.#nodes[node];
    if (one.walked[room] === undefined) {
      one.walked[room] = this.#after(one, this.#walk(room), one.index);
    }
    return one.walked[room];
  }

  /** The nodes after a walk to each of the other rooms that can be reached. */
  walks(node) {
    return rooms
      .map((_, r) => (r === this.room(node) ? null : this.walked(node, r)))
      .filter((next) => next !== null);
  }

  /** The world at a node. */
  state(node) {
    return this.#nodes[node].state;
  }

  /** What is done between a node and the one after the planner's next action, or after a walk: the whole call as a name, such as `put Bowl Microwave`. */
  actionTo(node, next) {
    if (next === this.planned(node)) return this.#nodes[node].action;
    return nameOf(this.#walk(this.room(next)));
  }

  /** Whether two nodes are the same but for what the planner remembers: an action between them changed nothing. */
  isSame(node, other) {
    return this.#nodes[node].world === this.#nodes[other].world;
  }

  #walk(room) {
    return { name: 'find', arguments: { object: this.task.places[room] } };
  }

  #work(one) {
    const { plan } = this.task;
    let { index } = one;
    while (index < plan.length) {
      const missing = plan[index].reach.find((literal) => !holds([literal], one.state));
      if (missing === undefined) {
        index++;
        continue;
      }
      const action = firstAction(one.state, missing);
      one.action = nameOf(action);
      return this.#after(one, action, index);
    }
    return null;
  }

  #after({ state, completed }, action, index) {
    const result = applyAction(state, action);
    return result.success ? this.#number(result.state, index, completed) : null;
  }

  #number(state, index, wasCompleted) {
    const completed = wasCompleted || holds(this.task.goal, state);
    const world = JSON.stringify(state);
    const key = `${index} ${completed} ${world}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const room = rooms.findIndex(({ name }) => name === state.agent.room);
    this.#numbers.set(key, this.#nodes.length);
    this.#nodes.push({ state, world, index, completed, room, valuation: valuationOf(state), walked: [] });
    return this.#nodes.length - 1;
  }
}

import { isScalar, type Node } from 'yaml';
import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { buildAutomaton } from '../../languages/automaton/index.js';
import { children, type Formula, parseFormula, predicatesOf } from '../../languages/logic/index.js';
import type { Entry, SpecificationDocument } from '../../rules/specification/index.js';
import type { CallEvent, ExplicitAutomaton, OrderRule, ToolContract } from './contract.js';
import type { FlowReader } from './flowReader.js';
import { fateOf } from './orderFate.js';

const RULE_KEYS = ['formula', 'automaton', 'message'] as const;
const AUTOMATON_KEYS = ['states', 'initial', 'errors', 'transitions'] as const;
const TRANSITION_KEYS = ['from', 'to', 'event', 'tool', 'tools', 'when'] as const;
const MOST_STATES = 10_000;

/** Reads the rules of order. A tool's name is an event, too: that it is called. */
export class OrderReader {
  readonly #document: SpecificationDocument;
  readonly #tools: ReadonlyMap<string, ToolContract>;
  readonly #flows: FlowReader;
  /** With those of tools that formulas name. */
  readonly events: Map<string, CallEvent>;

  constructor(
    document: SpecificationDocument,
    tools: ReadonlyMap<string, ToolContract>,
    flows: FlowReader,
    events: Map<string, CallEvent>,
  ) {
    this.#document = document;
    this.#tools = tools;
    this.#flows = flows;
    this.events = events;
  }

  /** @returns null after a problem */
  rule(name: string, { key, value: node }: Entry): OrderRule | null {
    const document = this.#document;
    const what = `rule "${name}"`;
    if (isScalar(node) && typeof node.value === 'string') return this.#formula(name, node, null);
    const fields = document.entries(node, what, RULE_KEYS);
    const message = fields.has('message')
      ? (document.text(fields.get('message')!.value, `${what}: message`) ?? null)
      : null;
    if (fields.has('formula') === fields.has('automaton')) {
      document.problem(key, `${what} must have either a formula over events, or an automaton`, 'formula');
      return null;
    }
    if (fields.has('formula')) return this.#formula(name, fields.get('formula')!.value, message);
    const automaton = this.#automaton(fields.get('automaton')!.value, what);
    return automaton && { kind: 'automaton', name, automaton, message };
  }

  #formula(name: string, node: Node | null, message: string | null): OrderRule | null {
    const what = `rule "${name}"`;
    const text = this.#document.text(node, what);
    if (text === undefined) return null;
    const before = this.#document.problems.length;
    const formula = this.#document.attempt(node, () => {
      const parsed = parseFormula(text, { name: what });
      requireEvents(parsed, what);
      return parsed;
    });
    if (formula === undefined) return null;
    for (const event of predicatesOf(formula)) this.#requireEvent(event, node, what);
    if (this.#document.problems.length > before) return null;
    const fate = this.#document.attempt(node, () =>
      fateOf(buildAutomaton(formula, { maxStates: MOST_STATES }), this.events, [...this.#tools.keys()]),
    );
    if (fate === 'always')
      this.#document.problem(node, `${what} forbids nothing: it holds of every sequence of calls`);
    if (fate === 'never')
      this.#document.problem(node, `${what} holds of no sequence of calls, so every plan would break it`);
    return { kind: 'formula', name, formula, message };
  }

  #requireEvent(event: string, node: Node | null, what: string): void {
    if (this.events.has(event)) return;
    if (this.#tools.has(event)) {
      this.events.set(event, { name: event, tools: [event], when: null });
      return;
    }
    const known = [...this.events.keys(), ...this.#tools.keys()];
    const nearest = nearestName(event, known);
    this.#document.problem(
      node,
      `${what} reads "${event}", which is neither an event nor a tool; ${nearest === undefined ? `known: ${known.join(', ') || 'none'}` : `did you mean "${nearest}"?`}`,
    );
  }

  #automaton(node: Node | null, what: string): ExplicitAutomaton | null {
    const document = this.#document;
    const fields = document.entries(node, `${what}: automaton`, AUTOMATON_KEYS);
    const value = (key: (typeof AUTOMATON_KEYS)[number]): Node | null => fields.get(key)?.value ?? null;
    const before = document.problems.length;
    const texts = (key: 'states' | 'errors'): [string, Node][] =>
      document.items(value(key), `${what}: ${key}`).flatMap((item): [string, Node][] => {
        const text = document.text(item, `${what}: a state`);
        return text === undefined ? [] : [[text, item]];
      });
    const states = texts('states').map(([state]) => state);
    if (document.problems.length > before) return null;
    const state = (of: Node | null, part: string): string =>
      document.choice(of, `${what}: ${part}`, states) ?? '';
    const initial = fields.has('initial') ? state(value('initial'), 'initial') : (states[0] ?? '');
    const errors = texts('errors').map(([error, item]) => {
      state(item, 'a state of error');
      return error;
    });
    if (states.length === 0) document.problem(node, `${what} has an automaton without states`, 'states');
    if (errors.length === 0)
      document.problem(node, `${what} has no state of error, so it forbids nothing`, 'errors');
    const read = document.items(value('transitions'), `${what}: transitions`).map((item, i) => ({
      item,
      transition: this.#transition(item, `${what}: transition ${i + 1}`, state),
    }));
    const transitions = read.map(({ transition }) => transition);
    if (document.problems.length > before) return null;
    for (const [i, { item, transition }] of read.entries()) {
      const earlier = transitions
        .slice(0, i)
        .find((one) => one.from === transition.from && hides(one.event, transition.event));
      if (earlier !== undefined)
        document.problem(
          item,
          `${what}: transition ${i + 1} is never taken: one before it leaves "${transition.from}" at each of its calls`,
        );
    }
    const reached = reachedFrom(initial, transitions);
    if (!errors.some((error) => reached.has(error)))
      document.problem(
        node,
        `${what} forbids nothing: no transitions lead from "${initial}" to ${errors.join(' or ')}`,
      );
    return { states, initial, errors, transitions };
  }

  #transition(
    node: Node,
    what: string,
    state: (of: Node | null, part: string) => string,
  ): ExplicitAutomaton['transitions'][number] {
    const document = this.#document;
    const fields = document.entries(node, what, TRANSITION_KEYS);
    const from = state(fields.get('from')?.value ?? null, 'from');
    const to = state(fields.get('to')?.value ?? null, 'to');
    const named = fields.get('event');
    if (named === undefined)
      return { from, to, event: this.#flows.event(`${from} → ${to}`, fields, node, what) };
    if (fields.has('tool') || fields.has('tools') || fields.has('when'))
      document.problem(node, `${what} names an event, and describes one; expected one of both`);
    const name = document.text(named.value, `${what}: event`) ?? '';
    this.#requireEvent(name, named.value, what);
    return { from, to, event: this.events.get(name) ?? { name, tools: [], when: null } };
  }
}

/** Formulas of order read events alone. */
function requireEvents(formula: Formula, what: string): void {
  if (formula.kind === 'comparison')
    throw new InvalidArgumentError(
      `${what}: found "${formula.source}"; formulas here read events alone: make it the condition of an event`,
    );
  if (formula.kind === 'probability')
    throw new InvalidArgumentError(
      `${what}: found a probability; a plan is proved or not: write what must hold of every sequence of calls`,
    );
  const window = 'window' in formula ? formula.window : null;
  if (window !== null && window !== undefined && window.unit !== 'steps')
    throw new InvalidArgumentError(
      `${what}: found a window in time, and plans have no clock; count calls instead, as in F[0,3]`,
    );
  for (const child of children(formula)) requireEvents(child, what);
}

/** Whether each call of the second event is one of the first. */
function hides(first: CallEvent, second: CallEvent): boolean {
  if (first.when !== null) return false;
  return first.tools === null || second.tools?.every((tool) => first.tools!.includes(tool)) === true;
}

function reachedFrom(initial: string, transitions: ExplicitAutomaton['transitions']): ReadonlySet<string> {
  const reached = new Set([initial]);
  for (const state of reached) for (const { from, to } of transitions) if (from === state) reached.add(to);
  return reached;
}

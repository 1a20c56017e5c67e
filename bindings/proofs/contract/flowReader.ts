import { isScalar, type Node } from 'yaml';
import { nearestName } from '../../base/suggest.js';
import type { Entry, SpecificationDocument } from '../../rules/specification/index.js';
import { ConditionReader } from './conditionReader.js';
import type { CallEvent, FlowRule, ToolContract } from './contract.js';
import { alwaysHolds, neverHold, type Typed } from './satisfiable.js';

const FLOW_KEYS = ['from', 'to', 'unless', 'through'] as const;

type Tools = ReadonlyMap<string, ToolContract>;

/** Reads what speaks of calls of several tools: flows and events. */
export class FlowReader {
  readonly #document: SpecificationDocument;
  readonly #tools: Tools;
  readonly #conditions: ConditionReader;

  constructor(document: SpecificationDocument, tools: Tools) {
    this.#document = document;
    this.#tools = tools;
    this.#conditions = new ConditionReader(document);
  }

  flow(name: string, { key, value: node }: Entry): FlowRule {
    const document = this.#document;
    const what = `flow "${name}"`;
    const fields = document.entries(node, what, FLOW_KEYS);
    for (const needed of ['from', 'to'] as const)
      if (!fields.has(needed))
        document.problem(key, `${what} has no ${needed}; expected { from: TOOL, to: TOOL.ARGUMENT }`, needed);
    const from = this.#sources(fields.get('from'), what);
    const to = this.#sinks(fields.get('to'), what);
    const unless = fields.get('unless');
    const condition =
      unless &&
      this.condition(
        unless.value,
        `${what}: unless`,
        to.map(({ tool }) => tool),
      );
    if (
      unless &&
      condition &&
      to.length > 0 &&
      to.every(({ tool }) => alwaysHolds(condition, typesOf(this.#tools.get(tool))))
    )
      document.problem(unless.value, `${what} forbids nothing: what stands under unless holds of every call`);
    const through = this.#texts(fields.get('through'), `${what}: through`).flatMap(([tool, item]) =>
      this.known(item, tool, `${what}: through`) ? [tool] : [],
    );
    return { name, from: from ?? [], to, unless: condition ?? null, through };
  }

  #sources(entry: Entry | undefined, what: string): string[] {
    const labels = new Set([...this.#tools.values()].flatMap(({ result }) => result.labels));
    return this.#texts(entry, `${what}: from`).flatMap(([source, item]) => {
      if (source === '*' || this.#tools.has(source) || labels.has(source)) return [source];
      const known = [...this.#tools.keys(), ...labels];
      const nearest = nearestName(source, known);
      this.#document.problem(
        item,
        `${what} is from "${source}", which is no tool and no label of a result, so it forbids nothing; ${nearest === undefined ? `known: ${known.join(', ')}` : `did you mean "${nearest}"?`}`,
      );
      return [];
    });
  }

  #sinks(entry: Entry | undefined, what: string): FlowRule['to'] {
    return this.#texts(entry, `${what}: to`).flatMap(([sink, item]): FlowRule['to'] => {
      const all = [...this.#tools.values()].filter((tool) => sinksOf(tool).length > 0);
      if (sink === '*') {
        if (all.length === 0)
          this.#document.problem(
            item,
            `${what}: no tool has an argument that is a sink, so it forbids nothing; say sink: true of some`,
          );
        return all.map(({ name }) => ({ tool: name, argument: null }));
      }
      const found = this.#sink(sink, item, what);
      return found === null ? [] : [found];
    });
  }

  /** `TOOL.ARGUMENT`, `TOOL.*` or `TOOL`; names may have dots. */
  #sink(text: string, item: Node, what: string): FlowRule['to'][number] | null {
    const whole = this.#tools.get(text.replace(/\.\*$/, ''));
    if (whole !== undefined) {
      if (sinksOf(whole).length > 0) return { tool: whole.name, argument: null };
      this.#document.problem(
        item,
        `${what}: "${whole.name}" has no argument that is a sink, so it forbids nothing; name the argument, as in ${whole.name}.ARGUMENT`,
      );
      return null;
    }
    const dot = text.lastIndexOf('.');
    const [tool, argument] = dot > 0 ? [text.slice(0, dot), text.slice(dot + 1)] : [text, ''];
    if (!this.known(item, tool, `${what}: to`)) return null;
    const known = [...this.#tools.get(tool)!.arguments.keys()];
    if (known.includes(argument)) return { tool, argument };
    const nearest = nearestName(argument, known);
    this.#document.problem(
      item,
      `${what} is to the argument "${argument}", which "${tool}" has not, so it forbids nothing; ${nearest === undefined ? `known: ${known.join(', ') || 'none'}` : `did you mean "${nearest}"?`}`,
    );
    return null;
  }

  /** An event of calls. @param fields of which `tool`, `tools` and `when` are read */
  event(name: string, fields: ReadonlyMap<string, Entry>, node: Node | null, what: string): CallEvent {
    const document = this.#document;
    if (fields.has('tool') && fields.has('tools'))
      document.problem(node, `${what} has tool and tools; expected one of them`);
    const named = [
      ...this.#texts(fields.get('tool'), `${what}: tool`),
      ...this.#texts(fields.get('tools'), `${what}: tools`),
    ];
    const isAny = !fields.has('tool') && !fields.has('tools');
    const tools = named.flatMap(([tool, item]) => (this.known(item, tool, what) ? [tool] : []));
    if (isAny && !fields.has('when'))
      document.problem(node, `${what} has neither tool nor when; expected { tool: TOOL, when: 'CONDITION' }`);
    const when = fields.get('when');
    const of = isAny ? [...this.#tools.keys()] : tools;
    const condition = when && this.condition(when.value, `${what}: when`, of);
    if (
      when &&
      condition &&
      of.length > 0 &&
      of.every((tool) => neverHold([condition], typesOf(this.#tools.get(tool))))
    )
      document.problem(when.value, `${what} never happens: no arguments fulfil when`);
    return { name, tools: isAny ? null : tools, when: condition ?? null };
  }

  /** A condition over the arguments of each of some tools. */
  condition(node: Node | null, what: string, tools: readonly string[]): CallEvent['when'] | undefined {
    let found: CallEvent['when'] | undefined;
    for (const tool of tools) {
      const before = this.#document.problems.length;
      found = this.#conditions.expression(
        node,
        tools.length > 1 ? `${what}, of "${tool}"` : what,
        typesOf(this.#tools.get(tool)),
      );
      if (this.#document.problems.length > before) return undefined;
    }
    return found;
  }

  known(node: Node, tool: string, what: string): boolean {
    if (this.#tools.has(tool)) return true;
    const nearest = nearestName(tool, this.#tools.keys());
    const known = [...this.#tools.keys()].join(', ') || 'none';
    this.#document.problem(
      node,
      `${what}: found the tool "${tool}", which tools does not list; ${nearest === undefined ? `known: ${known}` : `did you mean "${nearest}"?`}`,
    );
    return false;
  }

  /** A text or a list of texts, each with its node. */
  #texts(entry: Entry | undefined, what: string): [string, Node][] {
    if (entry === undefined) return [];
    const items = isScalar(entry.value) ? [entry.value] : this.#document.items(entry.value, what);
    if (items.length === 0 && entry.value !== null) this.#document.problem(entry.value, `${what} is empty`);
    return items.flatMap((item): [string, Node][] => {
      const text = this.#document.text(item, what);
      return text === undefined ? [] : [[text, item]];
    });
  }
}

function typesOf(tool: ToolContract | undefined): Typed {
  return tool?.arguments ?? new Map();
}

function sinksOf(tool: ToolContract): string[] {
  return [...tool.arguments].flatMap(([name, { sink }]) => (sink ? [name] : []));
}

/** The tools whose results a rule is about. */
export function sourcesOf(rule: FlowRule, tools: Tools): string[] {
  return [...tools.values()].flatMap(({ name, result }) =>
    rule.from.some((source) => source === '*' || source === name || result.labels.includes(source))
      ? [name]
      : [],
  );
}

/** The arguments that a rule is about, with the names of their tools. */
export function sinksOfRule(
  rule: FlowRule,
  tools: Tools,
): { readonly tool: string; readonly argument: string }[] {
  return rule.to.flatMap(({ tool, argument }) => {
    if (argument !== null) return [{ tool, argument }];
    const found = tools.get(tool);
    return found === undefined ? [] : sinksOf(found).map((name) => ({ tool, argument: name }));
  });
}

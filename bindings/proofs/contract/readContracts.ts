import { isScalar, isSeq, type Node } from 'yaml';
import { ForeguardError, InvalidArgumentError } from '../../base/errors.js';
import { hashJson } from '../../base/hashJson.js';
import { nearestName } from '../../base/suggest.js';
import { Language } from '../../languages/regular/index.js';
import { type Entry, SpecificationDocument } from '../../rules/specification/index.js';
import type { CallEvent, Contracts, FlowRule, OrderRule, Store, ToolContract } from './contract.js';
import { FlowReader } from './flowReader.js';
import { OrderReader } from './orderReader.js';
import { readerGroup } from './readerGroup.js';
import { type ListedTool, readToolList } from './toolList.js';
import { ToolReader } from './toolReader.js';
import { TypeReader } from './typeReader.js';

const SECTIONS = [
  'version',
  'types',
  'readers',
  'stores',
  'tools',
  'flows',
  'events',
  'rules',
  'implicit',
] as const;
const STORE_KEYS = ['key', 'public'] as const;
const EVENT_KEYS = ['tool', 'tools', 'when'] as const;

/** Settings of `readContracts`. */
export interface ReadContractsOptions {
  /** Name of the file, for messages; default `contracts`. */
  readonly source?: string;
  /** Gives the text of a file that `tools: { from: FILE }` names. Default: such files are refused. */
  readonly readFile?: (path: string) => string;
  /** Tools as their servers list them, beside those of such files. */
  readonly tools?: readonly ListedTool[];
}

/**
 * Reads contracts, and checks them: names, types, conditions, and that each rule can match.
 *
 * @param given YAML or JSON as text, or what JSON gives
 * @throws SpecificationError with line and column of every problem, and what was most likely meant; InvalidArgumentError for another value
 */
export function readContracts(given: string | object, options: ReadContractsOptions = {}): Contracts {
  const source = options.source ?? 'contracts';
  const isObject = typeof given === 'object' && given !== null;
  if (!isObject && typeof given !== 'string')
    throw new InvalidArgumentError(`${source}: found ${String(given)}; expected contracts, as YAML or JSON`);
  const text = isObject ? JSON.stringify(given, null, 2) : given;
  return new ContractsReader(new SpecificationDocument(text, source), options).read();
}

class ContractsReader {
  readonly #document: SpecificationDocument;
  readonly #options: ReadContractsOptions;
  readonly #listed = new Map<string, ListedTool>();

  constructor(document: SpecificationDocument, options: ReadContractsOptions) {
    this.#document = document;
    this.#options = options;
  }

  read(): Contracts {
    const document = this.#document;
    const top = document.entries(document.root, 'the contracts', SECTIONS);
    const version = top.get('version')?.value;
    if (!isScalar(version) || version.value !== 1)
      document.problem(
        version ?? document.root,
        'version must be 1, the version of this format',
        'version: 1',
      );
    const section = (name: (typeof SECTIONS)[number]): ReadonlyMap<string, Entry> =>
      top.has(name) ? document.entries(top.get(name)!.value, name) : new Map();

    const storeNames = [...section('stores').keys()];
    const types = new TypeReader(document, storeNames);
    if (top.has('types')) types.names(top.get('types')!.value);
    const readers = new Map([...section('readers')].map(([name, entry]) => [name, this.#group(name, entry)]));
    const stores = new Map(
      [...section('stores')].map(([name, { value }]) => [name, this.#store(name, value, types)]),
    );

    const declared = this.#tools(section('tools'));
    for (const tool of this.#options.tools ?? []) this.#listed.set(tool.name, tool);
    if (!top.has('tools'))
      document.problem(
        document.root,
        'there are no tools; add tools: { NAME: { … } }: a plan may call only those that are listed',
        'tools',
      );
    const reader = new ToolReader(document, {
      types,
      stores,
      groups: [...readers.keys()],
      listed: this.#listed,
    });
    const tools = new Map(declared.map(([name, entry]) => [name, reader.tool(name, entry)]));

    // What follows speaks of the tools: where these are wrong, it may be wrong by that alone.
    const flowReader = new FlowReader(document, tools);
    const flows = new Map(
      [...section('flows')].map(([name, entry]): [string, FlowRule] => [name, flowReader.flow(name, entry)]),
    );
    this.#endorsements(declared, tools, flows);
    const events = new Map(
      [...section('events')].map(([name, { key, value }]): [string, CallEvent] => {
        if (tools.has(name))
          document.problem(
            key,
            `event "${name}" has the name of a tool, which is an event already: that it is called; give it another`,
          );
        return [
          name,
          flowReader.event(
            name,
            document.entries(value, `event "${name}"`, EVENT_KEYS),
            value,
            `event "${name}"`,
          ),
        ];
      }),
    );
    const orderReader = new OrderReader(document, tools, flowReader, events);
    const rules = new Map(
      [...section('rules')].flatMap(([name, entry]): [string, OrderRule][] => {
        if (flows.has(name))
          document.problem(entry.key, `rule "${name}" has the name of a flow; give it another`);
        const rule = orderReader.rule(name, entry);
        return rule === null ? [] : [[name, rule]];
      }),
    );
    const implicit = top.has('implicit')
      ? (document.choice(top.get('implicit')!.value, 'implicit', ['full', 'data'] as const) ?? 'full')
      : 'full';
    document.throwProblems();
    const definitions = declared.flatMap(([name]) => this.#listed.get(name) ?? []);
    const hash = hashJson({
      contracts: document.content,
      ...(definitions.length > 0 && { tools: definitions }),
    });
    return { readers, stores, tools, flows, events, rules, implicit, hash };
  }

  #group(name: string, { key, value }: Entry): Language {
    const document = this.#document;
    const what = `readers "${name}"`;
    if (!/^[A-Za-z_]\w*$/.test(name) || ['everyone', 'nobody', 'result', 'r'].includes(name))
      document.problem(
        key,
        `"${name}" is no name of a group of readers; expected a word other than everyone, nobody, result and r`,
      );
    const items = isSeq(value) ? (value.items as Node[]) : [value];
    return items
      .map((item) => {
        const text = document.text(item, what);
        return (text && document.attempt(item, () => readerGroup(text))) || Language.none;
      })
      .reduce((a, b) => a.union(b), Language.none);
  }

  #store(name: string, node: Node | null, types: TypeReader): Store {
    const document = this.#document;
    const what = `store "${name}"`;
    const fields =
      node === null || (isScalar(node) && node.value === null)
        ? new Map<string, Entry>()
        : document.entries(node, what, STORE_KEYS);
    const key = fields.has('key')
      ? types.type(fields.get('key')!.value, `${what}: key`).type
      : ({ kind: 'text' } as const);
    const isPublic =
      fields.has('public') && document.boolean(fields.get('public')!.value, `${what}: public`) === true;
    return { name, key, public: isPublic };
  }

  /** The entries of tools; those of the files that `from` names are listed. */
  #tools(entries: ReadonlyMap<string, Entry>): (readonly [string, Entry])[] {
    const from = entries.get('from');
    if (
      from === undefined ||
      !(isScalar(from.value) || isSeq(from.value)) ||
      (isScalar(from.value) && from.value.value === null)
    )
      return [...entries];
    const items = isSeq(from.value) ? (from.value.items as Node[]) : [from.value as Node];
    for (const item of items) {
      const path = this.#document.text(item, 'tools: from');
      if (path !== undefined) this.#list(path, item);
    }
    return [...entries].filter(([name]) => name !== 'from');
  }

  #list(path: string, node: Node): void {
    const { readFile } = this.#options;
    if (readFile === undefined) {
      this.#document.problem(
        node,
        `tools come from ${path}, and nothing here reads files; give readFile, or the tools themselves`,
      );
      return;
    }
    try {
      for (const tool of readToolList(JSON.parse(readFile(path)), path)) this.#listed.set(tool.name, tool);
    } catch (error) {
      // What a file system, JSON or the list says: the sentence is all that matters.
      this.#document.problem(
        node,
        error instanceof ForeguardError
          ? error.message
          : `${path} cannot be read: ${(error as Error).message}`,
      );
    }
  }

  #endorsements(
    declared: readonly (readonly [string, Entry])[],
    tools: ReadonlyMap<string, ToolContract>,
    flows: ReadonlyMap<string, FlowRule>,
  ): void {
    for (const [name, { value }] of declared)
      for (const flow of tools.get(name)?.endorses ?? []) {
        if (flows.has(flow)) continue;
        const nearest = nearestName(flow, flows.keys());
        this.#document.problem(
          value,
          `tool "${name}" endorses "${flow}", which is no flow; ${nearest === undefined ? `known: ${[...flows.keys()].join(', ') || 'none'}` : `did you mean "${nearest}"?`}`,
        );
      }
  }
}

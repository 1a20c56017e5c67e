import { isMap, isScalar, type Node } from 'yaml';
import { hashJson } from '../../base/hashJson.js';
import { nearestName } from '../../base/suggest.js';
import {
  checkPredicate,
  type Expression,
  expressionTree,
  type FieldsSchema,
  freeNames,
  parseExpression,
  type Schema,
} from '../../languages/expression/index.js';
import { misfit } from '../../languages/inputs/index.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import { areAnswers, LONGEST_ANSWER, MOST_ANSWERS, STRATEGIES } from '../../runtime/guard/index.js';
import type { DenialStrategy, OnDeny, Policy, PolicyInput, PolicyRule } from '../../runtime/policy/index.js';
import type { Entry, SpecificationDocument } from './document.js';
import { implicationParts, joinedImplication } from './implication.js';
import { schemaOf } from './inputSchema.js';
import { InputTypeReader, TYPE_KEYS } from './inputTypes.js';
import { parseSession } from './parseSession.js';
import type { PolicyExample, PolicyProperty, PolicyScript, PolicySpecification } from './policies.js';
import { type ParsedRule, PolicyScripts, type ScriptedPolicy, type ScriptSource } from './policyScripts.js';

const INPUT_KEYS = ['from', 'extract', 'optional', 'untrusted', ...TYPE_KEYS] as const;
const POLICY_KEYS = [
  'tools',
  'request',
  'source',
  'permit',
  'forbid',
  'requires',
  'ensures',
  'examples',
  'onDeny',
] as const;
/** Longest question to a model about a call, in UTF-16 code units. */
const MOST_QUESTION = 1000;
const ON_DENY_KEYS = ['strategy', 'scope', 'escalate', 'suggest'] as const;

/** The name in `ensures` that says whether the policy permits the call. */
export const PERMITTED = 'permitted';

/** The sections of a specification that are about policies. */
export const POLICY_SECTIONS = ['inputs', 'policies', 'uncoveredTools', 'session', 'unproved'] as const;

/**
 * Reads the sections about policies; records problems in the document.
 *
 * @param predicates those of the specification
 * @param options as of `parsePolicies`
 * @returns null if there are no policies
 */
export function readPolicies(
  document: SpecificationDocument,
  top: ReadonlyMap<string, Entry>,
  predicates: readonly PredicateDefinition[],
  options: { readonly drafts?: boolean; readonly scripts?: ScriptSource } = {},
): PolicySpecification | null {
  if (!top.has('policies')) {
    for (const section of POLICY_SECTIONS) {
      if (!top.has(section)) continue;
      document.problem(
        top.get(section)?.key,
        `${section} is about policies, and there are none; add policies: { NAME: { tools: [TOOL], permit: { … } } }`,
        'policies',
      );
    }
    return null;
  }
  const reader = new PolicyReader(document, options.drafts ?? false, options.scripts);
  const before = document.problems.length;
  const detectors = top.get('detectors')?.value ?? null;
  const inputs = top.has('inputs') ? reader.inputs(top.get('inputs')!.value) : [];
  for (const { name, extract } of inputs)
    if (extract !== undefined && isMap(detectors) && detectors.has(name))
      document.problem(
        top.get('detectors')!.key,
        `detectors declares "${name}", and the input "${name}" is extracted: a session has one answer of a name; give one of them another`,
      );
  // Conditions read inputs: where these are wrong, whatever else is found may follow from that alone.
  if (document.problems.length > before) return null;
  reader.policies(top.get('policies')!.value);
  const choice = <T extends string>(key: (typeof POLICY_SECTIONS)[number], words: readonly [T, ...T[]]): T =>
    (top.has(key) && document.choice(top.get(key)!.value, key, words)) || words[0];
  const uncoveredTools = choice('uncoveredTools', ['deny', 'permit']);
  const unproved = choice('unproved', ['refuse', 'report']);
  if (document.problems.length === 0 && reader.found.length === 0)
    document.problem(top.get('policies')!.key, 'policies is empty', 'a policy');
  const set = {
    format: 'foreguard-policies',
    version: 1,
    inputs,
    policies: reader.found,
    uncoveredTools,
  } as const;
  const { ensures, examples, lines, scripts } = reader;
  const session = top.has('session') ? parseSession(document, top.get('session')!.value, predicates) : [];
  const { source } = document;
  return { source, hash: hashJson(set), set, ensures, examples, session, lines, scripts, unproved };
}

class PolicyReader {
  readonly found: Policy[] = [];
  readonly ensures: PolicyProperty[] = [];
  readonly examples: PolicyExample[] = [];
  readonly lines = new Map<string, number>();
  readonly scripts = new Map<string, PolicyScript>();
  readonly #document: SpecificationDocument;
  readonly #scriptSource: ScriptSource | undefined;
  readonly #drafts: boolean;
  #inputs: readonly PolicyInput[] = [];
  #sources: PolicyScripts | null = null;

  constructor(document: SpecificationDocument, drafts: boolean, scripts: ScriptSource | undefined) {
    this.#document = document;
    this.#drafts = drafts;
    this.#scriptSource = scripts;
  }

  inputs(node: Node | null): readonly PolicyInput[] {
    const found: PolicyInput[] = [];
    for (const [name, { key, value }] of this.#document.entries(node, 'inputs')) {
      if (!/^[A-Za-z_]\w*$/.test(name) || [PERMITTED, 'action', 'time', 'state'].includes(name) || name in {})
        this.#document.problem(
          key,
          `"${name}" is no name of an input; expected a word other than ${PERMITTED}, action, state and time`,
        );
      const input = this.#input(name, value);
      if (input !== null) found.push(input);
    }
    this.#inputs = found;
    return found;
  }

  #input(name: string, node: Node | null): PolicyInput | null {
    const what = `input "${name}"`;
    const document = this.#document;
    const fields = document.entries(node, what, INPUT_KEYS);
    if (fields.has('extract')) return this.#extracted(name, node, fields);
    const from = fields.has('from')
      ? (document.text(fields.get('from')!.value, `${what}: from`) ?? '')
      : `action.arguments.${name}`;
    if (!/^(?:action\.name|(?:action\.arguments|state)\.[^.]+(?:\.[^.]+)*)$/.test(from))
      document.problem(
        fields.get('from')?.value,
        `${what} is read from "${from}"; expected action.name, action.arguments.NAME or state.FIELD, or what lies in one of these: action.arguments.NAME.FIELD`,
      );
    const others = from.startsWith('state.') ? 'ignored' : 'denied';
    const type = new InputTypeReader(document, others).type(what, node, fields);
    const isSet = (key: 'optional' | 'untrusted'): boolean =>
      fields.has(key) && document.boolean(fields.get(key)!.value, `${what}: ${key}`) === true;
    const [optional, untrusted] = [isSet('optional'), isSet('untrusted')];
    return type === null
      ? null
      : { name, from, type, ...(optional && { optional }), ...(untrusted && { untrusted }) };
  }

  /** An input that a language model gives: it may be wrong, or be led astray by what it reads, so its values are few and nobody trusts them. */
  #extracted(name: string, node: Node | null, fields: Map<string, Entry>): PolicyInput | null {
    const what = `input "${name}"`;
    const document = this.#document;
    const extract = document.text(fields.get('extract')!.value, `${what}: extract`);
    const refused = {
      from: 'a model answers with it, it is read from nowhere else',
      optional: 'without an answer the call is denied',
    };
    for (const [key, why] of Object.entries(refused))
      if (fields.has(key))
        document.problem(fields.get(key)!.key, `${what} has extract and ${key}: ${why}; leave ${key} out`);
    const untrusted = fields.get('untrusted');
    if (untrusted !== undefined && document.boolean(untrusted.value, `${what}: untrusted`) === false)
      document.problem(
        untrusted.value,
        `${what} is extracted by a model, and so untrusted; leave untrusted out`,
      );
    if (extract !== undefined && extract.length > MOST_QUESTION)
      document.problem(
        fields.get('extract')!.value,
        `${what}: the question has ${extract.length} characters; expected at most ${MOST_QUESTION}`,
      );
    const type = new InputTypeReader(document, 'denied').type(what, node, fields);
    if (type === null || extract === undefined) return null;
    if (!['boolean', 'enum', 'integer'].includes(type.kind))
      document.problem(
        node,
        `${what} is extracted as ${type.kind}; a model chooses among a few values: type: boolean, enum: [TEXT, …] or integer: [LEAST, MOST]`,
      );
    else if (type.kind === 'enum' && !areAnswers(type.values))
      document.problem(
        node,
        `${what} is extracted as one of too many or too long texts; expected up to ${MOST_ANSWERS} of up to ${LONGEST_ANSWER} characters`,
      );
    return { name, from: `action.detected.${name}`, type, untrusted: true, extract };
  }

  policies(node: Node | null): void {
    for (const [name, { key, value }] of this.#document.entries(node, 'policies')) {
      this.lines.set(name, this.#document.lineOf(key));
      this.#policy(name, value);
    }
  }

  #policy(name: string, node: Node | null): void {
    const document = this.#document;
    const what = `policy "${name}"`;
    const fields = document.entries(node, what, POLICY_KEYS);
    const value = (key: (typeof POLICY_KEYS)[number]): Node | null => fields.get(key)?.value ?? null;
    const tools = fields.has('tools')
      ? document
          .items(value('tools'), `${what}: tools`)
          .flatMap((item) => document.text(item, `${what}: a tool`) ?? [])
      : [];
    if (tools.length === 0) document.problem(node, `${what} decides no tool; add tools: [NAME, …]`, 'tools');
    if (fields.has('request')) document.text(value('request'), `${what}: request`);
    const scripted = fields.has('source') ? this.#script(name, fields) : null;
    const before = document.problems.length;
    const permit = scripted?.permit ?? this.#rules(name, 'permit', fields.get('permit'));
    // A condition that cannot be read is a problem of its own.
    const isUnread = document.problems.length > before;
    const forbid = scripted?.forbid ?? this.#rules(name, 'forbid', fields.get('forbid'));
    const isOpen = fields.has('source') || (this.#drafts && !fields.has('permit'));
    if (permit.length === 0 && !isUnread && !isOpen)
      document.problem(
        node,
        `${what} permits nothing: what no condition of permit allows is denied; add permit: { always: 'true' } if forbid alone decides`,
        'permit',
      );
    const reads = new Set([...permit, ...forbid].flatMap(({ parsed }) => freeNames(parsed)));
    const required = fields.has('requires')
      ? this.#condition(value('requires'), `${what}: requires`, this.#schema())
      : undefined;
    for (const read of required === undefined ? [] : freeNames(required)) reads.add(read);
    if (fields.has('ensures'))
      for (const [property, entry] of document.entries(value('ensures'), `${what}: ensures`)) {
        const parsed = this.#condition(entry.value, `${what}: ensures "${property}"`, this.#schema(true));
        if (parsed === undefined) continue;
        for (const read of freeNames(parsed)) if (read !== PERMITTED) reads.add(read);
        const expression = String((entry.value as { value?: unknown }).value);
        this.ensures.push({
          name: property,
          policy: name,
          expression,
          parsed,
          line: document.lineOf(entry.key),
        });
      }
    if (fields.has('examples'))
      for (const item of document.items(value('examples'), `${what}: examples`)) this.#example(name, item);
    const onDeny = this.#onDeny(what, fields.get('onDeny'));
    const requires =
      required === undefined
        ? null
        : {
            name: 'requires',
            expression: String((value('requires') as { value?: unknown }).value),
            tree: expressionTree(required),
          };
    const bare = (rules: readonly ParsedRule[]): PolicyRule[] => rules.map(({ parsed: _, ...rule }) => rule);
    this.found.push({
      name,
      tools,
      requires,
      permit: bare(permit),
      forbid: bare(forbid),
      reads: [...reads].sort(),
      onDeny,
    });
  }

  /** The conditions of a function in another file. */
  #script(name: string, fields: ReadonlyMap<string, Entry>): ScriptedPolicy | null {
    for (const key of ['permit', 'forbid'])
      if (fields.has(key))
        this.#document.problem(
          fields.get(key)!.key,
          `policy "${name}" has source and ${key}; the script alone decides: write the condition there, or another policy for the tool`,
        );
    const inputs = Object.fromEntries(this.#inputs.map((input) => [input.name, input]));
    this.#sources ??= new PolicyScripts(this.#document, inputs, this.#scriptSource);
    const found = this.#sources.policy(name, fields.get('source')!.value);
    if (found !== null) this.scripts.set(name, found.script);
    return found;
  }

  #rules(policy: string, kind: 'permit' | 'forbid', entry: Entry | undefined): ParsedRule[] {
    if (entry === undefined) return [];
    const what = `policy "${policy}": ${kind}`;
    const rules: ParsedRule[] = [];
    for (const [name, { key, value }] of this.#document.entries(entry.value, what)) {
      this.lines.set(`${policy}/${name}`, this.#document.lineOf(key));
      const parsed = this.#condition(value, `${what} "${name}"`, this.#schema());
      if (parsed !== undefined)
        rules.push({
          name,
          expression: String((value as { value?: unknown }).value),
          tree: expressionTree(parsed),
          parsed,
        });
    }
    return rules;
  }

  /** A Boolean expression over the inputs. */
  #condition(node: Node | null, what: string, schema: FieldsSchema): Expression | undefined {
    if (isScalar(node) && typeof node.value === 'boolean')
      return parseExpression(String(node.value), { name: what });
    const text = this.#document.text(node, what);
    if (text === undefined) return undefined;
    return this.#document.attempt(node, () => {
      const parts = schema[PERMITTED] === undefined ? [text] : implicationParts(text);
      if (parts.length > 1) for (const part of parts) parseExpression(part, { name: what });
      const source = joinedImplication(parts);
      const parsed = parseExpression(source, { name: what });
      checkPredicate(parsed, schema);
      return parsed;
    });
  }

  #schema(withPermitted = false): FieldsSchema {
    const fields: Record<string, Schema> = Object.fromEntries(
      this.#inputs.map(({ name, type }) => [name, schemaOf(type)]),
    );
    return withPermitted ? { ...fields, [PERMITTED]: 'boolean' } : fields;
  }

  #example(policy: string, node: Node): void {
    const document = this.#document;
    const what = `policy "${policy}": an example`;
    const fields = document.entries(node, what);
    const expect = document.choice(fields.get('expect')?.value, `${what}: expect`, [
      'permit',
      'deny',
    ] as const);
    const inputs: Record<string, unknown> = {};
    for (const [name, { key, value }] of fields) {
      if (name === 'expect') continue;
      const input = this.#inputs.find((one) => one.name === name);
      if (input === undefined) {
        const nearest = nearestName(
          name,
          this.#inputs.map((one) => one.name),
        );
        document.problem(
          key,
          `${what} has the input "${name}", which there is not${nearest ? `; did you mean "${nearest}"?` : ''}`,
        );
        continue;
      }
      inputs[name] = document.json(value, `${what}: ${name}`);
      if (misfit(inputs[name], input) !== null && expect === 'permit')
        document.problem(value, `${what}: "${name}" is no value of its input, so no policy permits it`);
    }
    if (expect !== undefined) this.examples.push({ policy, inputs, expect, line: document.lineOf(node) });
  }

  #onDeny(what: string, entry: Entry | undefined): OnDeny {
    const usual: OnDeny = { strategy: { kind: 'block' }, scope: 'call', escalate: [] };
    if (entry === undefined) return usual;
    const document = this.#document;
    const fields = document.entries(entry.value, `${what}: onDeny`, ON_DENY_KEYS);
    const strategyOf = (node: Node | null | undefined, of: string): DenialStrategy | undefined => {
      const kind = document.choice(node, `${what}: ${of}`, STRATEGIES);
      if (kind !== 'report') return kind === undefined ? undefined : { kind };
      document.problem(
        node,
        `${what}: ${of}: a policy that only reports denies nothing; choose stop, block, inspect or reflect`,
      );
      return undefined;
    };
    const strategy = fields.has('strategy')
      ? strategyOf(fields.get('strategy')!.value, 'strategy')
      : usual.strategy;
    const scope = fields.has('scope')
      ? (document.choice(fields.get('scope')!.value, `${what}: scope`, ['call', 'turn'] as const) ?? 'call')
      : 'call';
    const escalate = fields.has('escalate')
      ? document
          .items(fields.get('escalate')!.value, `${what}: escalate`)
          .flatMap((item) => strategyOf(item, 'escalate') ?? [])
      : [];
    // An agent that is to plan again is told what would be permitted.
    const suggest = fields.has('suggest')
      ? document.boolean(fields.get('suggest')!.value, `${what}: suggest`) === true
      : strategy?.kind === 'reflect';
    return { strategy: strategy ?? usual.strategy, scope, escalate, ...(suggest && { suggest }) };
  }
}

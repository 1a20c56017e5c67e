import { isMap, isScalar, type Node, type Scalar } from 'yaml';
import { nearestName } from '../../base/suggest.js';
import { describeNode, type Entry, type SpecificationDocument } from './document.js';
import type { RuleSpecification, RuleTest, TestCall } from './specification.js';

const TEST_KEYS = ['name', 'rule', 'tools', 'principal', 'run', 'expect'] as const;
const CALL_KEYS = ['call', 'arguments', 'result', 'error', 'state', 'detected', 'time'] as const;

const CALL_FORMS = 'NAME, { NAME: arguments } or { call: NAME, arguments: { … }, result: … }';
const EXPECTATIONS = 'allowed, or { stopped: 1, by: RULE } with the first call that does not run, from 0';

/** What decided where a call is denied before any policy is asked, as of a tool that none of them decides. */
export const POLICIES = 'policies';

/** Reads `tests`; records problems in the document. @param judging the nodes of `rules` and `policies`, which also name those that could not be read */
export function parseTests(
  document: SpecificationDocument,
  node: Node | null,
  judging: readonly (Node | null)[],
  rules: readonly Pick<RuleSpecification, 'name' | 'formula'>[],
): RuleTest[] {
  const reader = new TestReader(document, judging, rules);
  const tests: RuleTest[] = [];
  const names = new Map<string, number>();
  for (const item of document.items(node, 'tests')) {
    const test = reader.read(item, `test ${tests.length}`);
    const before = names.get(test.name);
    if (before !== undefined)
      document.problem(item, `two tests are named "${test.name}"; the other is in line ${before}`);
    if (test.name !== '') names.set(test.name, test.line);
    tests.push(test);
  }
  return tests;
}

class TestReader {
  readonly #document: SpecificationDocument;
  readonly #rules: string[];
  readonly #bounds: readonly string[];

  constructor(
    document: SpecificationDocument,
    judging: readonly (Node | null)[],
    rules: readonly Pick<RuleSpecification, 'name' | 'formula'>[],
  ) {
    this.#document = document;
    this.#rules = judging.flatMap((node) =>
      isMap(node) ? node.items.map(({ key }) => (isScalar(key) ? String(key.value) : '')) : [],
    );
    if (isMap(judging[1])) this.#rules.push(POLICIES);
    this.#bounds = rules.filter(({ formula }) => formula.kind === 'probability').map(({ name }) => name);
  }

  read(item: Node, place: string): RuleTest {
    const document = this.#document;
    const before = document.problems.length;
    const entries = document.entries(item, place, TEST_KEYS);
    const misspelt = document.problems.length > before;
    const required = (key: (typeof TEST_KEYS)[number], what: string, expected: string): Entry | undefined => {
      const found = entries.get(key);
      if (!found && !misspelt) document.problem(item, `${what} has no ${key}; expected ${expected}`, key);
      return found;
    };
    const named = required('name', place, 'a few words that say what it shows');
    const name = (named && document.text(named.value, `${place}: name`)) ?? '';
    const what = name === '' ? place : `test "${name}"`;
    const rule = this.#rule(entries.get('rule'), `${what}: rule`);
    const tools = entries.get('tools');
    const principal = entries.get('principal');
    const calls = required('run', what, `a list of calls, each ${CALL_FORMS}`);
    const run = calls ? this.#run(calls, what) : [];
    const expectation = required('expect', what, EXPECTATIONS);
    return {
      name,
      line: document.lineOf(item),
      rule,
      tools: tools
        ? document
            .items(tools.value, `${what}: tools`)
            .flatMap((tool) => this.#toolName(tool, `${what}: a name in tools`) ?? [])
        : [],
      principal: (principal && document.object(principal.value, `${what}: principal`)) ?? null,
      run,
      expect: expectation ? this.#expectation(expectation, what, rule, run.length) : 'allowed',
    };
  }

  /** The name of a rule, or of a policy, that tests can judge by. */
  #rule(entry: Entry | undefined, what: string): string | null {
    if (!entry) return null;
    const name = this.#document.text(entry.value, what);
    if (name === undefined) return null;
    if (!this.#rules.includes(name)) {
      const nearest = nearestName(name, this.#rules);
      const known = this.#rules.join(', ');
      const hint = nearest ? `did you mean "${nearest}"?` : `known rules: ${known || 'none'}`;
      this.#document.problem(
        entry.value,
        `${what} names "${name}", which is ${this.#rules.includes(POLICIES) ? 'no rule and no policy' : 'not a rule'}; ${hint}`,
        known,
      );
    } else if (this.#bounds.includes(name)) {
      this.#document.problem(
        entry.value,
        `${what} names "${name}", which bounds a probability; tests have no model that gives one`,
        'a rule without P…[ ]',
      );
    }
    return name;
  }

  #run({ key, value }: Entry, what: string): TestCall[] {
    const before = this.#document.problems.length;
    const items = this.#document.items(value, `${what}: run`);
    if (items.length === 0 && this.#document.problems.length === before)
      this.#document.problem(key, `${what}: run has no call`, 'at least one call');
    return items.map((item, i) => this.#call(item, `${what}: call ${i}`));
  }

  #call(item: Node, what: string): TestCall {
    if (isToolName(item)) return callOf(item.value);
    if (!isMap(item)) {
      this.#document.problem(item, `${what} must be ${CALL_FORMS}, found ${describeNode(item)}`, CALL_FORMS);
      return callOf('');
    }
    const keys = item.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''));
    if (keys.length === 1 && keys[0] !== 'call') return this.#callOfOneKey(item, what);
    if (keys.some((key) => (CALL_KEYS as readonly string[]).includes(key)))
      return this.#callInFull(item, what);
    const found = keys.length === 0 ? 'is empty' : `has the keys ${keys.join(', ')}`;
    this.#document.problem(item, `${what} ${found}; expected one call, ${CALL_FORMS}`, CALL_FORMS);
    return callOf('');
  }

  /** `{ NAME: arguments }` */
  #callOfOneKey(item: Node, what: string): TestCall {
    for (const [name, { value }] of this.#document.entries(item, what))
      return callOf(name, this.#document.object(value, `${what}: the arguments of ${name}`));
    return callOf('');
  }

  /** `{ call: NAME, arguments: { … }, result: … }` */
  #callInFull(item: Node, what: string): TestCall {
    const document = this.#document;
    const before = document.problems.length;
    const entries = document.entries(item, what, CALL_KEYS);
    const misspelt = document.problems.length > before;
    const read = <T>(
      key: (typeof CALL_KEYS)[number],
      reader: (node: Node | null, what: string) => T | undefined,
    ): T | undefined => {
      const found = entries.get(key);
      return found && reader(found.value, `${what}: ${key}`);
    };
    if (!entries.has('call') && !misspelt)
      document.problem(item, `${what} names no tool; expected ${CALL_FORMS}`, 'call');
    const result = entries.get('result');
    const error = entries.get('error');
    if (result && error)
      document.problem(error.key, `${what} has both a result and an error; expected one of them`);
    const name = read('call', (node, place) => this.#toolName(node, place));
    const given = read('arguments', (node, place) => document.object(node, place));
    const state = read('state', (node, place) => document.object(node, place));
    const detected = read('detected', (node, place) => document.object(node, place));
    const time = read('time', (node, place) =>
      document.number(node, place, 'a finite number of seconds', Number.isFinite),
    );
    return {
      ...callOf(name ?? '', given),
      ...(result && { outcome: { result: document.json(result.value, `${what}: result`) } }),
      ...(error && { outcome: { error: document.json(error.value, `${what}: error`) } }),
      ...(state !== undefined && { state }),
      ...(detected !== undefined && { detected }),
      ...(time !== undefined && { time }),
    };
  }

  #toolName(node: Node | null, what: string): string | undefined {
    return isToolName(node) ? node.value : this.#document.text(node, what);
  }

  #expectation({ value }: Entry, what: string, rule: string | null, calls: number): RuleTest['expect'] {
    const document = this.#document;
    if (!isMap(value)) {
      const isAllowed = isScalar(value) && value.value === 'allowed';
      if (!isAllowed)
        document.problem(
          value,
          `${what}: expect must be ${EXPECTATIONS}; found ${describeNode(value)}`,
          EXPECTATIONS,
        );
      return 'allowed';
    }
    const before = document.problems.length;
    const entries = document.entries(value, `${what}: expect`, ['stopped', 'by']);
    const misspelt = document.problems.length > before;
    const by = entries.get('by');
    const named = this.#rule(by, `${what}: by`);
    if (named !== null && rule !== null && named !== rule)
      document.problem(by?.value, `${what}: "${rule}" judges alone, so "${named}" stops nothing`, rule);
    const stopped = entries.get('stopped');
    if (!stopped) {
      if (!misspelt)
        document.problem(value, `${what}: expect has no stopped; expected ${EXPECTATIONS}`, 'stopped');
      return { stopped: 0, by: named };
    }
    // A run that could not be read is reported already.
    const last = calls === 0 ? Infinity : calls - 1;
    const index = document.number(
      stopped.value,
      `${what}: stopped`,
      `the number of a call of the run, from 0 to ${last}`,
      (number) => Number.isInteger(number) && number >= 0 && number <= last,
    );
    return { stopped: index ?? 0, by: named ?? rule };
  }
}

/** Servers name their tools, even by blanks. */
function isToolName(node: Node | null): node is Scalar<string> {
  return isScalar(node) && typeof node.value === 'string' && node.value !== '';
}

/** A call that comes back without a result; a name that could not be read is empty. */
function callOf(call: string, given: TestCall['arguments'] = {}): TestCall {
  return { call, arguments: given, outcome: { result: null } };
}

import { isMap, isScalar, type Node } from 'yaml';
import { nearestName } from '../../base/suggest.js';
import { describeNode, type Entry, type SpecificationDocument } from './document.js';
import type { RuleSpecification, RuleTest, TestCall } from './specification.js';

const TEST_KEYS = ['name', 'rule', 'tools', 'run', 'expect'] as const;
const CALL_KEYS = ['call', 'arguments', 'result', 'error', 'state', 'time'] as const;

const CALL_FORMS = 'NAME, { NAME: arguments } or { call: NAME, arguments: { … }, result: … }';
const EXPECTATIONS = 'allowed, or { stopped: 1, by: RULE } with the first call that does not run, from 0';

/** Reads `tests`; records problems in the document. @param ruleNode the node of `rules`, which also names the rules that could not be read */
export function parseTests(
  document: SpecificationDocument,
  node: Node | null,
  ruleNode: Node | null,
  rules: readonly Pick<RuleSpecification, 'name' | 'formula'>[],
): RuleTest[] {
  const reader = new TestReader(document, ruleNode, rules);
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
  readonly #rules: readonly string[];
  readonly #bounds: readonly string[];

  constructor(
    document: SpecificationDocument,
    ruleNode: Node | null,
    rules: readonly Pick<RuleSpecification, 'name' | 'formula'>[],
  ) {
    this.#document = document;
    this.#rules = isMap(ruleNode)
      ? ruleNode.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''))
      : [];
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
            .flatMap((tool) => document.text(tool, `${what}: a name in tools`) ?? [])
        : [],
      run,
      expect: expectation ? this.#expectation(expectation, what, rule, run.length) : 'allowed',
    };
  }

  /** The name of a rule that tests can judge by. */
  #rule(entry: Entry | undefined, what: string): string | null {
    if (!entry) return null;
    const name = this.#document.text(entry.value, what);
    if (name === undefined) return null;
    if (!this.#rules.includes(name)) {
      const nearest = nearestName(name, this.#rules);
      const known = this.#rules.join(', ');
      const hint = nearest ? `did you mean "${nearest}"?` : `known rules: ${known || 'none'}`;
      this.#document.problem(entry.value, `${what} names "${name}", which is not a rule; ${hint}`, known);
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
    const document = this.#document;
    const none = { call: '', arguments: {}, outcome: { result: null } };
    if (!isMap(item)) {
      if (isScalar(item) && typeof item.value === 'string' && item.value.trim() !== '')
        return { ...none, call: item.value };
      document.problem(item, `${what} must be ${CALL_FORMS}, found ${describeNode(item)}`, CALL_FORMS);
      return none;
    }
    const [first] = item.items;
    if (item.items.length === 1 && isScalar(first.key) && first.key.value !== 'call') {
      const [[call, { value }]] = [...document.entries(item, what), ['', { value: null }] as const];
      if (call === '') return none;
      const given = document.object(value, `${what}: the arguments of ${call}`);
      return { ...none, call, arguments: given ?? {} };
    }
    const names = item.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''));
    if (names.length > 0 && !names.some((name) => (CALL_KEYS as readonly string[]).includes(name))) {
      document.problem(
        item,
        `${what} has the keys ${names.join(', ')}; expected one call, ${CALL_FORMS}`,
        CALL_FORMS,
      );
      return none;
    }
    const before = document.problems.length;
    const entries = document.entries(item, what, CALL_KEYS);
    const get = (key: (typeof CALL_KEYS)[number]): Entry | undefined => entries.get(key);
    const named = get('call');
    if (!named && document.problems.length === before)
      document.problem(item, `${what} names no tool; expected ${CALL_FORMS}`, 'call');
    const [given, result, error, state, time] = [
      get('arguments'),
      get('result'),
      get('error'),
      get('state'),
      get('time'),
    ];
    if (result && error)
      document.problem(error.key, `${what} has both a result and an error; expected one of them`);
    const seen = state && document.object(state.value, `${what}: state`);
    const seconds =
      time && document.number(time.value, `${what}: time`, 'a finite number of seconds', Number.isFinite);
    return {
      call: (named && document.text(named.value, `${what}: call`)) ?? '',
      arguments: (given && document.object(given.value, `${what}: arguments`)) ?? {},
      outcome: error
        ? { error: document.json(error.value, `${what}: error`) }
        : { result: result ? document.json(result.value, `${what}: result`) : null },
      ...(seen !== undefined && { state: seen }),
      ...(seconds !== undefined && { time: seconds }),
    };
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

import { typesSaid } from './conditions.mjs';
import { isReference } from './plan.mjs';

/**
 * The types of a case. The cases declare Python's types of parameters and results, many of them `Any`; plans are typed. What is not declared has the type that
 * all its uses ask for, if they agree.
 */
export class Types {
  /** What uses ask for, by name in the workflow. */
  #asked = new Map();
  /** The names that hold results, by tool. */
  #results = new Map();
  #tools;

  constructor({ tools, workflow }, conditions) {
    this.#tools = tools;
    this.#steps(workflow.steps, conditions);
  }

  /** As a schema of contracts. */
  parameter(declared) {
    return PYTHON[declared] ?? 'any';
  }

  result(tool) {
    const declared = this.#tools[tool].returns;
    const asked = this.#agreed(
      [...(this.#results.get(tool) ?? [])].flatMap((name) => this.#asked.get(name) ?? []),
    );
    if (declared === 'list') return asked?.type === 'list' ? asked : { type: 'list' };
    return PYTHON[declared] === undefined ? (asked ?? 'any') : PYTHON[declared];
  }

  /** As a type of plans. */
  input(name) {
    return valueType(this.#agreed(this.#asked.get(name) ?? []) ?? 'any');
  }

  #steps(steps, conditions) {
    for (const { call, if: branches, forEach } of steps) {
      if (call) this.#call(call);
      if (branches) {
        typesSaid(conditions[branches.condition], (name, type) => this.#ask(name, type));
        this.#steps(branches.then, conditions);
        this.#steps(branches.else ?? [], conditions);
      }
      if (forEach) {
        this.#steps(forEach.do, conditions);
        const list = typeof forEach.in === 'string' ? forEach.in : forEach.in?.ref;
        const of = this.#agreed(this.#asked.get(forEach.item) ?? []);
        if (typeof list === 'string') this.#ask(list, { type: 'list', ...(of && { of }) });
      }
    }
  }

  #call({ tool, arguments: given = {}, result }) {
    if (typeof result === 'string')
      this.#results.set(tool, (this.#results.get(tool) ?? new Set()).add(result));
    for (const { name, type } of this.#tools[tool]?.parameters ?? []) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (isReference(value) && PYTHON[type] !== undefined) this.#ask(value.ref, PYTHON[type]);
    }
  }

  #ask(name, type) {
    this.#asked.set(name, [...(this.#asked.get(name) ?? []), type]);
  }

  /** The one type of several; a list of which more is said is the better one. */
  #agreed(types) {
    const said = types.map((type) => (typeof type === 'string' ? { type } : type));
    const [first] = [...said].sort((a, b) => Object.keys(b).length - Object.keys(a).length);
    const agree = said.every(
      (one) =>
        one.type === first.type &&
        (one.of === undefined || JSON.stringify(one.of) === JSON.stringify(first.of)),
    );
    return first !== undefined && agree ? first : undefined;
  }
}

const PYTHON = {
  str: { type: 'text' },
  int: { type: 'integer' },
  float: { type: 'number' },
  bool: { type: 'boolean' },
  list: { type: 'list' },
  dict: { type: 'record' },
};

function valueType(said) {
  const { type, of } = typeof said === 'string' ? { type: said } : said;
  if (type === 'list') return { kind: 'list', of: valueType(of ?? 'any') };
  if (type === 'record') return { kind: 'record', fields: {}, others: 'ignored' };
  return { kind: type };
}

import type { Node } from 'yaml';
import { nearestName } from '../../base/suggest.js';
import { type Expression, expressionTree } from '../../languages/expression/index.js';
import type { Inputs } from '../../languages/inputs/index.js';
import type { readScript, ScriptFunction, ScriptReturn } from '../../languages/policyScript/index.js';
import type { PolicyRule } from '../../runtime/policy/index.js';
import type { SpecificationDocument } from './document.js';
import type { PolicyScript } from './policies.js';

/** A condition with its expression, for what is asked of it before it runs. */
export interface ParsedRule extends PolicyRule {
  readonly parsed: Expression;
}

/** A function of a script, as the conditions of a policy: one for each return. */
export interface ScriptedPolicy {
  readonly permit: readonly ParsedRule[];
  readonly forbid: readonly ParsedRule[];
  readonly script: PolicyScript;
}

/** Where the scripts come from that policies name, and what reads them: rules without scripts need not carry it. */
export interface ScriptSource {
  /** The text of a script, by its path as it is written: relative to the file of policies. */
  readonly read: (path: string) => string;
  readonly parse: typeof readScript;
}

/** Reads the scripts that policies name. */
export class PolicyScripts {
  readonly #document: SpecificationDocument;
  readonly #inputs: Inputs;
  readonly #scripts: ScriptSource | undefined;
  readonly #functions = new Map<string, readonly ScriptFunction[] | null>();

  constructor(document: SpecificationDocument, inputs: Inputs, scripts: ScriptSource | undefined) {
    this.#document = document;
    this.#inputs = inputs;
    this.#scripts = scripts;
  }

  /** The policy that is the function of its name in the script at a path, or the only function there. @returns null after a problem */
  policy(name: string, node: Node | null): ScriptedPolicy | null {
    const path = this.#document.text(node, `policy "${name}": source`);
    if (path === undefined) return null;
    const functions = this.#functionsOf(path, node);
    if (functions === null) return null;
    const found = functions.length === 1 ? functions[0] : functions.find((one) => one.name === name);
    if (found !== undefined) return conditionsOf(found, this.#fileOf(path));
    const names = functions.map((one) => one.name);
    const nearest = nearestName(name, names);
    this.#document.problem(
      node,
      `policy "${name}" is none of the functions of ${path}, ${names.join(', ')}${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
      names.join(', '),
    );
    return null;
  }

  #functionsOf(path: string, node: Node | null): readonly ScriptFunction[] | null {
    const known = this.#functions.get(path);
    if (known !== undefined) return known;
    const text = this.#textOf(path, node);
    let functions: readonly ScriptFunction[] | null = null;
    if (text !== null && this.#scripts !== undefined) {
      const script = this.#scripts.parse(text, this.#inputs);
      const source = this.#fileOf(path);
      this.#document.problems.push(...script.problems.map((problem) => ({ ...problem, source })));
      if (script.problems.length === 0) functions = script.functions;
    }
    this.#functions.set(path, functions);
    return functions;
  }

  #textOf(path: string, node: Node | null): string | null {
    if (this.#scripts === undefined) {
      this.#document.problem(
        node,
        `${path} is another file, and nothing says how to read it; call parsePolicies(text, { read: (path) => … }) with a function that returns its text`,
        'read',
      );
      return null;
    }
    try {
      const text: unknown = this.#scripts.read(path);
      if (typeof text === 'string') return text;
      this.#document.problem(
        node,
        `read(${JSON.stringify(path)}) returned no text; expected the text of the script`,
      );
    } catch (error) {
      this.#document.problem(
        node,
        `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    return null;
  }

  /** A path that is relative to the file of policies, as one that begins where that file's does. */
  #fileOf(path: string): string {
    if (/^(?:[\\/]|\w+:)/.test(path)) return path;
    const folder = /^.*[\\/]/s.exec(this.#document.source)?.[0] ?? '';
    return folder + path.replace(/^(?:\.\/)+/, '');
  }
}

function conditionsOf({ place, returns }: ScriptFunction, source: string): ScriptedPolicy {
  const lines = new Map<string, number>();
  const rules = returns.map((one): ParsedRule => {
    const rule = { name: freeName(one.reason ?? 'permit', lines), ...ruleOf(one) };
    lines.set(rule.name, one.place.line);
    return rule;
  });
  return {
    permit: rules.filter((_, i) => returns[i].decision === 'permit'),
    forbid: rules.filter((_, i) => returns[i].decision === 'deny'),
    script: { source, line: place.line, lines },
  };
}

function ruleOf({ expression, parsed, reason }: ScriptReturn): Omit<ParsedRule, 'name'> {
  return { expression, parsed, tree: expressionTree(parsed), ...(reason !== null && { reason }) };
}

/** What a return decides, with a number if another decides the same: names that stay as they are when lines move. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let i = 2; taken.has(free); i++) free = `${name} (${i})`;
  return free;
}

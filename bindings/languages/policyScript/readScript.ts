import { ForeguardError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import {
  type Expression,
  type ExpressionNode,
  type Place,
  parseExpression,
  printExpression,
} from '../expression/index.js';
import type { Inputs } from '../inputs/index.js';
import { FlowTranslator, type ReachedReturn } from './flow.js';
import { parseModule } from './parseModule.js';
import { type ScriptProblem, ScriptProblems, Unreadable } from './problems.js';
import { Scope } from './scope.js';
import { SCRIPT_FUNCTIONS } from './scriptFunctions.js';
import type { Module, WrittenFunction, WrittenType } from './syntax.js';
import { ScriptTranslator } from './translate.js';
import { TooLarge, Trees } from './trees.js';
import { isTypeOf, resolved, writeType } from './types.js';

/** A return of a function in a script: it decides where its condition is true. */
export interface ScriptReturn {
  readonly decision: 'permit' | 'deny';
  /** What `deny` says. */
  readonly reason: string | null;
  readonly place: Place;
  /** The condition as a text of the expression language, and its tree. */
  readonly expression: string;
  readonly parsed: Expression;
}

/** A function of a script. Of every input, one of its returns decides, or none has a value: where TypeScript would throw. */
export interface ScriptFunction {
  readonly name: string;
  readonly place: Place;
  readonly returns: readonly ScriptReturn[];
}

/** What scripts import from `foreguard/policy`. */
const LIBRARY = { values: ['permit', 'deny', ...SCRIPT_FUNCTIONS], types: ['Decision'] };

/**
 * Reads a script: functions in a total subset of TypeScript, as conditions of the expression language. Nothing of it is run.
 *
 * @param inputs the inputs that functions may read
 * @returns the functions that could be read, and all that is wrong; with problems, functions may lack some of what is written
 */
export function readScript(
  source: string,
  inputs: Inputs,
): { readonly functions: readonly ScriptFunction[]; readonly problems: readonly ScriptProblem[] } {
  const problems = new ScriptProblems();
  const module = parseModule(source, LIBRARY, problems);
  const functions: ScriptFunction[] = [];
  try {
    if (module !== null) functions.push(...new ModuleReader(module, inputs, problems).functions());
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
  return { functions, problems: problems.inOrder() };
}

class ModuleReader {
  readonly #module: Module;
  readonly #inputs: Inputs;
  readonly #problems: ScriptProblems;
  readonly #trees = new Trees();

  constructor(module: Module, inputs: Inputs, problems: ScriptProblems) {
    this.#module = module;
    this.#inputs = inputs;
    this.#problems = problems;
  }

  functions(): ScriptFunction[] {
    const { functions, consts } = this.#module;
    if (functions.length === 0)
      this.#problems.add(
        { line: 1, column: 1, offset: 0 },
        'no function',
        'export function NAME(inputs: Inputs): Decision { … }',
      );
    for (const [i, { name, place }] of functions.entries())
      if (functions.findIndex((one) => one.name === name) < i || this.#isDeclared(name))
        this.#problems.add(place, `a second function "${name}"`, 'another name');
    for (const type of this.#module.types.values()) this.#requireKnown(type);
    const scope = new Scope();
    const flow = this.#flow(null);
    for (const one of consts)
      this.#sized(one.place, () => {
        const computable = flow.declare(one, scope);
        if (this.#trees.mayFail(computable))
          this.#problems.add(
            one.place,
            'a const of the file that may have no value',
            'it within the function',
          );
      });
    return functions.flatMap((one) => this.#sized(one.place, () => this.#function(one, scope)) ?? []);
  }

  /** Whether a name of the file is that of an import or a const. */
  #isDeclared(name: string): boolean {
    return this.#module.imported.has(name) || this.#module.consts.some(({ target }) => target === name);
  }

  #flow(fields: ReadonlySet<string> | null): FlowTranslator {
    const translator = new ScriptTranslator(this.#module, this.#inputs, fields, this.#problems, this.#trees);
    return new FlowTranslator(translator, this.#trees, this.#problems, this.#module.imported);
  }

  /** Runs what makes trees; one that is too large is a problem. */
  #sized<T>(place: Place, make: () => T): T | undefined {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      this.#problems.add(
        place,
        'conditions that are too large once consts stand where they are used',
        'fewer steps, or several policies for one tool: each must permit',
      );
      return undefined;
    }
  }

  #function(written: WrittenFunction, file: Scope): ScriptFunction {
    const { name, place, parameter, parameterPlace, type, body, end } = written;
    const flow = this.#flow(this.#fields(type));
    const scope = file.within();
    if (typeof parameter !== 'string') flow.takeInputs(parameter, scope);
    else {
      if (scope.find(parameter) !== undefined || this.#module.imported.has(parameter))
        this.#problems.add(parameterPlace, `a second "${parameter}"`, 'another name');
      scope.declare(parameter, 'inputs');
    }
    const { returns, mayContinue } = flow.statements(body, scope);
    if (mayContinue)
      this.#problems.add(end, 'the end of the function on a path without a return', "return deny('why')");
    else if (!returns.some(({ decision }) => decision === 'permit') && this.#problems.found.length === 0)
      this.#problems.add(place, 'a function that permits nothing', 'return permit() on some path');
    return {
      name,
      place,
      returns: this.#problems.found.length > 0 ? [] : returns.map((one) => this.#finished(one)),
    };
  }

  /** The inputs that the type of the parameter has, which is compared with what is declared of them. @returns null if the type is imported */
  #fields(type: WrittenType): ReadonlySet<string> | null {
    this.#requireKnown(type);
    const found = resolved(type, this.#module);
    if (found === undefined || found.kind === 'wrong') return null;
    if (found.kind !== 'object') {
      this.#problems.add(
        type.place,
        'inputs of no object type',
        '{ NAME: TYPE; … }, or the name of such a type',
      );
      return null;
    }
    for (const field of found.fields) {
      if (!Object.hasOwn(this.#inputs, field.name)) {
        const known = Object.keys(this.#inputs);
        this.#problems.add(
          field.place,
          `"${field.name}", which is no input`,
          nearestName(field.name, known) ?? `one of ${known.join(', ')}`,
        );
      } else if (!isTypeOf(field.type, this.#inputs[field.name], this.#module))
        this.#problems.add(
          field.type.place,
          `another type of "${field.name}"`,
          writeType(this.#inputs[field.name]),
        );
    }
    return new Set(found.fields.map((field) => field.name));
  }

  /** Records names of types that are declared nowhere. */
  #requireKnown(type: WrittenType): void {
    if (type.kind === 'union') for (const one of type.of) this.#requireKnown(one);
    else if (type.kind === 'array') this.#requireKnown(type.of);
    else if (type.kind === 'object') for (const field of type.fields) this.#requireKnown(field.type);
    else if (type.kind === 'name') {
      const known = [
        'string',
        'number',
        'boolean',
        'null',
        ...this.#module.types.keys(),
        ...this.#module.importedTypes,
      ];
      if (!known.includes(type.name))
        this.#problems.add(
          type.place,
          `the unknown type "${type.name}"`,
          nearestName(type.name, known) ?? 'string, number, boolean, or a list or union of them',
        );
    }
  }

  #finished({ decision, reason, place, reached }: ReachedReturn): ScriptReturn {
    const { expression, parsed } = this.#reread(reached, place);
    return { decision, reason, place, expression, parsed };
  }

  /** A tree as it is after being printed and parsed: in one form, with places in its text. */
  #reread(
    root: ExpressionNode,
    { line }: Place,
  ): { readonly expression: string; readonly parsed: Expression } {
    const expression = printExpression({ name: '', root });
    try {
      return { expression, parsed: parseExpression(expression, { name: `the return in line ${line}` }) };
    } catch (error) {
      if (error instanceof ForeguardError) throw new TooLarge();
      throw error;
    }
  }
}
